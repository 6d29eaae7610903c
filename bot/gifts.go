package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"zevaka/bot/purse"
	"zevaka/engine"
	"zevaka/storage"
)

const (
	errPerson   engine.Refusal = "no-person"
	errPersons  engine.Refusal = "many-persons"
	errGift     engine.Refusal = "gift-words"
	errGiftsOff engine.Refusal = "gifts-off"
	errSwitch   engine.Refusal = "on-or-off"
)

// rulesOf is what a community's admins have decided for all its places.
type rulesOf struct {
	// NoGifts says that nobody may give chips away.
	NoGifts bool `json:"nogifts,omitempty"`
}

func keyRules(home string) string { return "g/" + home }

func getRules(tx storage.Tx, home string) (rulesOf, error) {
	var rules rulesOf
	items, err := tx.Get(keyRules(home))
	if err == nil && items[0].Rev != 0 {
		err = json.Unmarshal(items[0].Value, &rules)
	}
	if err != nil {
		return rules, fmt.Errorf("read what community %s has decided: %w", home, err)
	}
	return rules, nil
}

// commandGive asks again before chips go from one to another.
func (b *Bot) commandGive(ctx context.Context, r Request, arg string) (Response, error) {
	to, amount, err := b.giftWords(ctx, r, arg)
	if err != nil {
		return Response{}, err
	}
	switch {
	case to.User == r.Who.ID:
		return Response{}, purse.ErrSelf
	case amount > purse.MaxAmount:
		return Response{}, purse.ErrAmount
	}
	err = b.withLedger(ctx, r, func(l purse.Ledger) error {
		if err := mayGive(l); err != nil {
			return err
		}
		_, err := l.Open(r.Who.ID, r.Who.Name)
		return err
	})
	if err != nil {
		return Response{}, fmt.Errorf("ask before chips are given: %w", err)
	}
	h := hash(r.ID)
	do := fmt.Sprintf("!give %s %d %x", strconv.FormatInt(to.User, 36), amount, h[:4])
	lang := b.words.Lang(r.Who.Lang)
	sentence := phrase{key: "give-ask", blanks: blanks{"who": to.Name, "n": int(amount)}}
	message := offer(sentence.flat(lang), []Button{{Label: lang.Say("button.give"), Token: placeToken(r, do), Look: Primary}})
	return Response{Posts: []Post{{In: r.In, To: &r.Who, Message: message}}}, nil
}

// mayGive refuses gifts where the admins have switched them off.
func mayGive(l purse.Ledger) error {
	rules, err := getRules(l.Tx, l.Community)
	if err == nil && rules.NoGifts {
		err = errGiftsOff
	}
	return err
}

// give gives the chips that somebody has asked to give. The same button gives once.
func (b *Bot) give(ctx context.Context, r Request, arg string) (Response, error) {
	fields := strings.Fields(arg)
	if len(fields) != 3 {
		return Response{}, errToken
	}
	to, err := strconv.ParseInt(fields[0], 36, 64)
	amount, bad := strconv.ParseInt(fields[1], 10, 64)
	if err != nil || bad != nil {
		return Response{}, errToken
	}
	var other purse.Purse
	var given bool
	err = b.withLedger(ctx, r, func(l purse.Ledger) error {
		if err := mayGive(l); err != nil {
			return err
		}
		purses, err := l.Purses(r.Who.ID, to)
		if err != nil {
			return err
		}
		other = purses[1]
		if purses[0].Entries == 0 || other.Entries == 0 {
			return errPerson // Anybody can write a token.
		}
		given, err = l.Give(fmt.Sprintf("gift/%s/%.16s", strconv.FormatInt(r.Who.ID, 36), fields[2]), r.Who.ID, to, amount)
		return err
	})
	if err != nil {
		return Response{}, fmt.Errorf("give chips: %w", err)
	}
	if !given {
		return b.toast(r, phrase{key: "given-already"}), nil
	}
	told := phrase{key: "given", blanks: blanks{"who": r.Who.Name, "to": called(other, b.words.Lang(r.Who.Lang)), "n": int(amount)}}
	response := b.toast(r, told)
	response.Posts, err = b.announce(ctx, r, told)
	return response, err
}

// commandGrant gives chips from the house, before everybody's eyes.
func (b *Bot) commandGrant(ctx context.Context, r Request, arg string) (Response, error) {
	if !r.Who.Admin {
		return Response{}, errNotAdmin
	}
	to, amount, err := b.giftWords(ctx, r, arg)
	if err != nil {
		return Response{}, err
	}
	var granted bool
	err = b.withLedger(ctx, r, func(l purse.Ledger) (err error) {
		granted, err = l.Grant(personal("grant", r), to.User, amount)
		return err
	})
	if err != nil {
		return Response{}, fmt.Errorf("grant chips: %w", err)
	}
	if !granted {
		return b.toast(r, phrase{key: "given-already"}), nil
	}
	posts, err := b.announce(ctx, r, phrase{key: "granted", blanks: blanks{"who": r.Who.Name, "to": to.Name, "n": int(amount)}})
	return Response{Posts: posts}, err
}

// commandGifts lets admins switch off that people give each other chips.
func (b *Bot) commandGifts(ctx context.Context, r Request, arg string) (Response, error) {
	off := arg == "off"
	switch {
	case !r.Who.Admin:
		return Response{}, errNotAdmin
	case !off && arg != "on":
		return Response{}, errSwitch
	}
	err := b.withLedger(ctx, r, func(l purse.Ledger) error {
		rules, err := getRules(l.Tx, l.Community)
		if err != nil {
			return err
		}
		rules.NoGifts = off
		value, err := json.Marshal(rules)
		if err != nil {
			return fmt.Errorf("encode what community %s has decided: %w", l.Community, err)
		}
		l.Tx.Put(keyRules(l.Community), value)
		return nil
	})
	if err != nil {
		return Response{}, err
	}
	posts, err := b.announce(ctx, r, phrase{key: "gifts-" + arg})
	return Response{Posts: posts}, err
}

// giftWords reads whom and how much, as "Боря 50" or "<@123> 50".
func (b *Bot) giftWords(ctx context.Context, r Request, arg string) (to purse.Purse, amount int64, err error) {
	i := strings.LastIndexFunc(arg, unicode.IsSpace)
	if i < 0 {
		return to, 0, errGift
	}
	if amount, err = parseAmount(strings.TrimSpace(arg[i:])); err != nil {
		return to, 0, err
	}
	to, err = b.person(ctx, r, strings.TrimSpace(arg[:i]))
	return to, amount, err
}

// parseAmount reads a whole number of kopecks, more than none.
func parseAmount(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || text[0] == '+' {
		return 0, refuse(string(errBetAmount), blanks{"what": shorten(text, 20)})
	}
	return n, nil
}

// person finds somebody of the community who has a purse: by a mention as "<@123>", or by name.
func (b *Bot) person(ctx context.Context, r Request, text string) (purse.Purse, error) {
	if id, ok := mention(text); ok {
		var p purse.Purse
		err := b.withLedger(ctx, r, func(l purse.Ledger) error {
			purses, err := l.Purses(id)
			if err == nil {
				p = purses[0]
			}
			return err
		})
		if err == nil && p.Entries == 0 {
			err = errPerson
		}
		p.Name = called(p, b.words.Lang(r.Who.Lang))
		return p, err
	}
	first, err := b.homeOf(ctx, r)
	if err != nil {
		return purse.Purse{}, err
	}
	found, err := purse.Book{Store: b.store, Community: first}.Named(ctx, strings.TrimPrefix(text, "@"))
	switch {
	case err != nil:
		return purse.Purse{}, err
	case len(found) == 0:
		return purse.Purse{}, errPerson
	case len(found) > 1:
		return purse.Purse{}, errPersons
	}
	return found[0], nil
}

// mention is the user in a mention as platforms pass them on.
func mention(text string) (int64, bool) {
	inside, opened := strings.CutPrefix(text, "<@")
	inside, closed := strings.CutSuffix(strings.TrimPrefix(inside, "!"), ">")
	id, err := strconv.ParseInt(inside, 10, 64)
	return id, opened && closed && err == nil && id != 0
}
