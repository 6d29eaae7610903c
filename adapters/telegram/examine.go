package telegram

import (
	"context"
	"fmt"
	"time"

	"zevaka/adapters"
)

// callsFailedLately is how long ago Telegram may have failed to call the webhook for that to be worth a word.
const callsFailedLately = time.Hour

// webhookInfo is what Telegram says of the address that it calls.
type webhookInfo struct {
	URL       string `json:"url"`
	Pending   int    `json:"pending_update_count"`
	FailedAt  int64  `json:"last_error_date"`
	FailedFor string `json:"last_error_message"`
}

// Examine implements adapters.Platform.
func (o *Options) Examine(ctx context.Context) []adapters.Finding {
	api := newClient(*o)
	defer api.close()
	var me struct {
		user
		Joins *bool `json:"can_join_groups"`
	}
	is := func(text, do string) adapters.Finding { return adapters.Finding{Of: "telegram", Is: text, Do: do} }
	err := api.call(ctx, "getMe", nil, &me)
	switch {
	case refusedAs(err).badToken():
		return []adapters.Finding{is("the token is refused", "copy it again into TELEGRAM_TOKEN, or telegram-token: @BotFather shows it under /mybots")}
	case err != nil:
		return []adapters.Finding{is(fmt.Sprint("it can't be asked: ", err), "see whether this machine reaches it by https, and whether HTTPS_PROXY is right")}
	case !me.named():
		return []adapters.Finding{is("the answer is of no bot", "see whether TELEGRAM_API is the address of a Bot API server")}
	}
	found := []adapters.Finding{
		adapters.ClockFinding("Telegram", time.Duration(api.ahead.Load())),
		is("the token is that of @"+me.Username, ""),
	}
	if me.Joins != nil && !*me.Joins {
		found = append(found, is("it may be added to no group", "send /setjoingroups to @BotFather, choose the bot, then Enable"))
	}
	var hook webhookInfo
	if err := api.call(ctx, "getWebhookInfo", nil, &hook); err != nil {
		return append(found, is(fmt.Sprint("what it calls isn't known: ", err), "try again"))
	}
	failed := time.Unix(hook.FailedAt, 0)
	switch {
	case o.Webhook == "" && hook.URL == "":
		found = append(found, is("it is asked for updates", ""))
	case hook.URL == "":
		found = append(found, is("the next start tells it to call "+o.Webhook, ""))
	case hook.URL != o.Webhook:
		found = append(found, is("it calls "+hook.URL, "if that is another program, give one of the two a bot of its own; else the next start of zevaka changes it"))
	case hook.FailedFor != "" && time.Since(failed) < callsFailedLately:
		found = append(found, is(fmt.Sprintf("it could not call %s at %s: %.200s; %d updates wait", hook.URL, failed.Format(time.TimeOnly), hook.FailedFor, hook.Pending),
			"see whether the proxy there has a good certificate, and passes calls on to --telegram-webhook-listen"))
	default:
		found = append(found, is("it calls "+hook.URL, ""))
	}
	return found
}
