package account

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// The refusals of gifts. Their sentences are in bot/words, under "no." and the name.
const (
	// ErrPerson refuses what is about somebody whom nobody knows here, ErrNoPurse about who was mentioned and has no purse here,
	// ErrPersons a name that several have, and ErrAccount an account that the platform didn't know.
	ErrPerson  engine.Refusal = "no-person"
	ErrNoPurse engine.Refusal = "no-purse"
	ErrPersons engine.Refusal = "many-persons"
	ErrAccount engine.Refusal = "no-account"
	// ErrGift refuses a gift that doesn't say to whom, or how much.
	ErrGift engine.Refusal = "gift-words"
	// ErrGiftsOff refuses a gift where the admins have switched gifts off.
	ErrGiftsOff engine.Refusal = "gifts-off"
	// errSeason refuses what neither switches on nor off that people are told who was best in a month.
	errSeason engine.Refusal = "season-on-or-off"
)

// CommandGive asks again before chips go from one to another.
func (b *Accounts) CommandGive(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	to, amount, err := b.giftWords(ctx, r, "/give", arg)
	if err != nil {
		return chat.Response{}, err
	}
	switch {
	case to.User == r.Who.ID:
		return chat.Response{}, purse.ErrSelf
	case amount > purse.MaxAmount:
		return chat.Response{}, purse.ErrAmount
	}
	lang := b.Words.Lang(r.Who.Lang)
	sentence := words.Phrase{Key: "give-ask", Blanks: words.Blanks{"who": words.Holder{Name: to.Name, User: to.User}, "n": int(amount)}}
	button := chat.Button{Label: lang.Say("button.give"), Look: chat.Primary,
		Token: fmt.Sprintf("!give %s %d", strconv.FormatInt(to.User, 36), amount)}
	var post chat.Post
	err = b.withLedger(ctx, r, func(l purse.Ledger) error {
		if err := mayGive(l); err != nil {
			return err
		}
		p, err := openPurse(l, r.Who)
		switch {
		case err != nil:
		case amount > p.Balance:
			err = purse.Short{User: r.Who.ID, Has: p.Balance, Lacks: amount - p.Balance}
		case l.WonOnly && amount > p.Won():
			err = purse.Unwon{Has: p.Won()}
		}
		if err != nil {
			return err
		}
		post, err = b.Tables.Questions.Ask(l.Tx, l.Community, r, table.Question{}, sentence, []chat.Button{button})
		return err
	})
	if err != nil {
		return chat.Response{}, fmt.Errorf("ask before chips are given: %w", err)
	}
	return chat.Response{Posts: []chat.Post{post}}, nil
}

// mayGive refuses gifts where the admins have switched them off.
func mayGive(l purse.Ledger) error {
	rules, err := table.GetDecisions(l.Tx, l.Community)
	if err == nil && rules.NoGifts {
		err = ErrGiftsOff
	}
	return err
}

// give gives the chips that somebody was asked about, once for each question. Told is for
// the giver, aloud for everybody; that is empty if nothing was given.
func (b *Accounts) give(l purse.Ledger, r chat.Request, asked table.Question, arg string) (told, aloud words.Phrase, err error) {
	who, sum, _ := strings.Cut(arg, " ")
	to, err := strconv.ParseInt(who, 36, 64)
	amount, bad := strconv.ParseInt(sum, 10, 64)
	if err != nil || bad != nil {
		return told, aloud, chat.ErrToken
	}
	if err := mayGive(l); err != nil {
		return told, aloud, err
	}
	purses, err := l.Purses(r.Who.ID, to)
	if err != nil {
		return told, aloud, err
	}
	if purses[0].Entries == 0 || purses[1].Entries == 0 {
		return told, aloud, ErrPerson
	}
	id := fmt.Sprintf("gift/%s/%s", strconv.FormatInt(r.Who.ID, 36), asked.Sign)
	given, err := l.Give(id, r.Who.ID, to, amount)
	if err != nil {
		return told, aloud, fmt.Errorf("give chips: %w", err)
	}
	if !given {
		return words.Phrase{Key: "given-already"}, aloud, nil
	}
	name := called(purses[1], b.Words.Lang(r.Who.Lang))
	told = words.Phrase{Key: "given", Blanks: words.Blanks{"who": r.Who.Name, "to": name, "n": int(amount)}}
	aloud = words.Phrase{Key: "given", Blanks: words.Blanks{"who": r.Who.Name, "to": words.Holder{Name: name, User: to}, "n": int(amount)}}
	return told, aloud, nil
}

// CommandGrant gives chips from the house, before everybody's eyes.
func (b *Accounts) CommandGrant(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	to, amount, err := b.giftWords(ctx, r, "/grant", arg)
	if err != nil {
		return chat.Response{}, err
	}
	var granted bool
	err = b.withLedger(ctx, r, func(l purse.Ledger) (err error) {
		granted, err = l.Grant(ownID("grant", r), to.User, amount)
		return err
	})
	if err != nil {
		return chat.Response{}, fmt.Errorf("grant chips: %w", err)
	}
	if !granted {
		return b.toast(r, words.Phrase{Key: "given-already"}), nil
	}
	posts, err := b.announce(ctx, r, words.Phrase{Key: "granted", Blanks: words.Blanks{"who": r.Who.Name, "to": words.Holder{Name: to.Name, User: to.User}, "n": int(amount)}})
	return chat.Response{Posts: posts}, err
}

// CommandSeason lets admins choose whether people are told once a month who was best.
func (b *Accounts) CommandSeason(ctx context.Context, r chat.Request, arg string) (chat.Response, error) {
	arg = strings.ToLower(arg)
	off := arg == "off"
	if !off && arg != "on" {
		return chat.Response{}, errSeason
	}
	return decide(ctx, b, r, func(d *table.Decisions) { d.NoSeasons = off }, "season-"+arg)
}

// decide changes what is decided for a community, and announces it.
func decide(ctx context.Context, b *Accounts, r chat.Request, change func(*table.Decisions), key string) (chat.Response, error) {
	err := b.withLedger(ctx, r, func(l purse.Ledger) error {
		rules, err := table.GetDecisions(l.Tx, l.Community)
		if err != nil {
			return err
		}
		change(&rules)
		return storage.PutJSON(l.Tx, table.KeyDecisions(l.Community), rules)
	})
	if err != nil {
		return chat.Response{}, err
	}
	posts, err := b.announce(ctx, r, words.Phrase{Key: key})
	return chat.Response{Posts: posts}, err
}

// giftWords reads whom and how much, as "Боря 50" or "<@123> 50"; who writes something else is told how the command is written.
func (b *Accounts) giftWords(ctx context.Context, r chat.Request, command, arg string) (to purse.Purse, amount int64, err error) {
	i := strings.LastIndexFunc(arg, unicode.IsSpace)
	if i >= 0 {
		amount, err = words.ParseAmount(strings.TrimSpace(arg[i:]))
	}
	if i < 0 || err != nil {
		return to, 0, words.Refuse(string(ErrGift), words.Blanks{"command": words.Text(command)})
	}
	to, err = b.person(ctx, r, strings.TrimSpace(arg[:i]))
	return to, amount, err
}

// person finds somebody of the community who has a purse: by a mention as "<@123>", or by name. A name with an @ before
// it stands for an account: whose it is only the platform can say.
func (b *Accounts) person(ctx context.Context, r chat.Request, text string) (purse.Purse, error) {
	if id, ok := chat.Mention(text); ok {
		p, err := b.purseOf(ctx, r, id)
		if err == nil && p.Entries == 0 {
			err = ErrNoPurse
		}
		p.Name = called(p, b.Words.Lang(r.Who.Lang))
		return p, err
	}
	name, err := NameOnly(text)
	switch {
	case err != nil:
		return purse.Purse{}, err
	case name == "": // As people have none who were forgotten.
		return purse.Purse{}, ErrPerson
	}
	var found []purse.Purse
	err = b.view(ctx, r, func(from storage.Reader, origin string) (err error) {
		found, err = b.pursesOf(from, origin, name)
		return err
	})
	switch {
	case err != nil:
		return purse.Purse{}, err
	case len(found) == 0:
		return purse.Purse{}, ErrPerson
	case len(found) > 1:
		return purse.Purse{}, ErrPersons
	}
	return found[0], nil
}

// pursesOf are the purses of those who are called so. Where there are too many to look at all of them it is some.
func (b *Accounts) pursesOf(from storage.Reader, origin, name string) (found []purse.Purse, err error) {
	if err := b.Index.Ready(); err != nil {
		return nil, err
	}
	users, err := purse.Named(from, origin, name)
	if err != nil || len(users) == 0 {
		return nil, err
	}
	found, err = purse.Purses(from, origin, users...)
	if len(users) == purse.MaxNamed {
		return nil, ErrPersons
	}
	return slices.DeleteFunc(found, func(p purse.Purse) bool { return p.Entries == 0 }), err
}

// NameOnly is the name that was typed for a person, as names are shown. An account that the platform didn't know is
// refused: anybody may have it for a name.
func NameOnly(text string) (string, error) {
	if strings.HasPrefix(text, "@") {
		return "", words.Refuse(string(ErrAccount), words.Blanks{"what": chat.Shorten(text, 40)})
	}
	return chat.CleanName(text), nil
}
