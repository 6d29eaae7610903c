package account

import (
	"context"
	"errors"
	"fmt"

	"zevaka/bot/chat"
	"zevaka/bot/words"
)

// CommandForgetMe asks again before a person is forgotten, unless that can't be now.
func (b *Accounts) CommandForgetMe(ctx context.Context, r chat.Request, _ string) (chat.Response, error) {
	origin, err := b.indexedOrigin(ctx, r)
	if err == nil {
		err = b.eraser.idle(ctx, origin, r.Who.ID)
	}
	if err != nil {
		return chat.Response{}, err
	}
	button := chat.Button{Label: b.words.Lang(r.Who.Lang).Say("button.forget"), Token: "!forget", Look: chat.Danger}
	return b.ask(ctx, r, words.Phrase{Key: "forget-ask"}, button)
}

// forgetMe takes the name and the scores of the one who asks out of the community.
func (b *Accounts) forgetMe(ctx context.Context, r chat.Request) (chat.Response, error) {
	origin, err := b.indexedOrigin(ctx, r)
	if err == nil {
		err = b.eraser.forget(ctx, origin, r.Who.ID, true)
	}
	switch {
	case errors.Is(err, errMuch):
		b.tasks.postpone(task{origin: origin, user: r.Who.ID})
		return b.toast(r, words.Phrase{Key: "forgotten-soon"}), nil
	case err != nil:
		return chat.Response{}, fmt.Errorf("forget a person: %w", err)
	}
	return b.toast(r, words.Phrase{Key: "forgotten"}), nil
}
