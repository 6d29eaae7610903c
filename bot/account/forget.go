package account

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/keyspace"
	"zevaka/bot/play"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// CommandForgetMe asks again before a person is forgotten, unless that can't be now.
func (b *Accounts) CommandForgetMe(ctx context.Context, r chat.Request, _ string) (chat.Response, error) {
	origin, err := b.indexedOrigin(ctx, r)
	if err != nil {
		return chat.Response{}, err
	}
	plays, err := b.eraser.plays(ctx, origin, r.Who.ID)
	if err != nil {
		return chat.Response{}, err
	}
	if len(plays) > 0 {
		return chat.Response{Posts: b.Tables.Whereabouts(r, plays)}, stillPlays(plays[0], r.In)
	}
	button := chat.Button{Label: b.Words.Lang(r.Who.Lang).Say("button.forget"), Token: "!forget", Look: chat.Danger}
	return b.ask(ctx, r, words.Phrase{Key: "forget-ask"}, button)
}

// forgetMe takes the name and the scores of the one who asks out of the community.
func (b *Accounts) forgetMe(ctx context.Context, r chat.Request) (chat.Response, error) {
	origin, err := b.indexedOrigin(ctx, r)
	soon := false
	for _, name := range b.Index.NamesOf(origin) { // What was done under a later one before that was told lies there.
		if err != nil {
			break
		}
		if err = b.eraser.forget(ctx, name, r.Who.ID, r.In, true); errors.Is(err, errMuch) {
			b.tasks.postpone(task{origin: name, user: r.Who.ID})
			soon, err = true, nil
		}
	}
	if err != nil {
		if !errors.Is(err, ErrPlays) {
			b.tasks.lookLater()
		}
		return chat.Response{}, fmt.Errorf("forget a person: %w", err)
	}
	told := words.Phrase{Key: "forgotten"}
	if soon {
		told.Key = "forgotten-soon"
	}
	response := b.toast(r, told)
	response.Forgotten = true
	return response, nil
}

// ErrPlays refuses to forget somebody who has a part in what is still played.
const ErrPlays engine.Refusal = "forget-playing"

// eraser takes people's names and scores out of a store.
type eraser struct {
	table.House
	Tables *play.Tables
	Index  *table.Index
}

// Forgetting is stored of somebody as long as their name and scores are being taken out of a community. They can't sit
// down meanwhile, so that nothing is added of what is taken away; and it goes on after a crash.
type Forgetting struct {
	// Scores says that the scores are gone: what tables that ended still say of the person counts no more.
	Scores bool `json:"scores"`
}

// errMuch is what takes longer than a press may.
var errMuch = errors.New("there is more to do than a press may")

// forget takes somebody's name and scores out of a community, step by step, each of which may be done again: first they
// are kept from sitting down, then the scores go, the name in the purse, and the names at tables that ended. Chips,
// moves and postings stay, under the bare number. In short it does at once what a press may take, and returns errMuch
// where that was not all.
func (e *eraser) forget(ctx context.Context, origin string, user int64, in chat.Place, short bool) error {
	if err := e.beginForgetting(ctx, origin, user, in); err != nil {
		return err
	}
	return e.erase(ctx, origin, user, short)
}

// goOn goes on with what was begun: who has played again since it was ended is left alone, and so is who plays on, who has to ask again.
func (e *eraser) goOn(ctx context.Context, origin string, user int64) error {
	items, err := e.Store.Get(ctx, table.KeyForgetting(origin, user))
	if err != nil || items[0].Rev == 0 {
		return err
	}
	if err = e.mayForget(ctx, origin, user, chat.Place{}); err == nil {
		err = e.erase(ctx, origin, user, false)
	}
	if errors.Is(err, ErrPlays) {
		return nil
	}
	return err
}

// erase is forget once it has begun. Nobody is kept from playing by what may never be read.
func (e *eraser) erase(ctx context.Context, origin string, user int64, short bool) error {
	damaged := e.eraseAll(ctx, origin, user, short)
	if damaged != nil && !storage.IsDamaged(damaged) {
		return damaged
	}
	if err := e.endForgetting(ctx, origin, user); err != nil {
		return err
	}
	return damaged
}

// eraseAll takes out what can be read, and names what can't in the end.
func (e *eraser) eraseAll(ctx context.Context, origin string, user int64, short bool) error {
	var damaged error
	fails := func(err error) bool {
		if storage.IsDamaged(err) {
			damaged = errors.Join(damaged, err)
			return false
		}
		return err != nil
	}
	games, err := e.boardsWith(ctx, origin, user, short)
	if fails(err) {
		return err
	}
	if err := e.whileForgetting(ctx, origin, user, func(tx storage.Tx) error { return e.forgetScores(tx, origin, user) }); fails(err) {
		return err
	}
	forgetPurse := func() error {
		return e.whileForgetting(ctx, origin, user, func(tx storage.Tx) error {
			if err := (purse.Ledger{Tx: tx, Community: origin, Now: e.Now().Unix()}).Forget(user); err != nil {
				return err
			}
			return purse.ForgetNames(tx, origin, user)
		})
	}
	if err := forgetPurse(); fails(err) {
		return err
	}
	book := scores.Book{Store: e.Store, Community: origin}
	if short {
		book.Most = fewTallies
	}
	for _, game := range games {
		if err = book.Remake(ctx, game); errors.Is(err, scores.ErrMany) {
			return errMuch
		} else if fails(err) {
			return err
		}
	}
	if err := e.forgetTables(ctx, origin, user, short); fails(err) {
		return err
	}
	if damaged != nil {
		return damaged
	}
	return forgetPurse() // They may have looked at it meanwhile.
}

func (e *eraser) forgetScores(tx storage.Tx, origin string, user int64) error {
	if err := storage.PutJSON(tx, table.KeyForgetting(origin, user), Forgetting{Scores: true}); err != nil {
		return err
	}
	if err := scores.Forget(tx, tallyKeys(e.Order, origin, user)...); err != nil {
		return err
	}
	if err := play.ForgetResults(tx, origin, user); err != nil {
		return err
	}
	tx.Delete(table.KeyQuestion(origin, user))
	table.ForgetChoices(tx, origin, user)
	if err := table.ForgetWishes(tx, origin, user); err != nil {
		return err
	}
	day.Forget(tx, origin, user)
	return purse.ForgetNames(tx, origin, user)
}

// fewTallies is of how many people a press looks through the scores.
const fewTallies = 500

// boardsWith are the games on whose lists of the best the user may stand: those where they do, or all where an earlier
// forgetting may have taken them off.
func (e *eraser) boardsWith(ctx context.Context, origin string, user int64, short bool) ([]string, error) {
	games := gameNames(e.Order)
	if !short {
		return games, nil
	}
	var boards []scores.Board
	var seasons []scores.Season
	err := e.Store.View(ctx, func(from storage.Reader) (err error) {
		if boards, err = scores.Boards(from, origin, games...); err == nil {
			seasons, err = scores.Seasons(from, origin, games...)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	var with []string
	for i, board := range boards {
		listed := slices.ContainsFunc(slices.Concat(board.Wins, board.Chips), func(r scores.Row) bool { return r.User == user })
		if listed || seasons[i].Has(user) {
			with = append(with, games[i])
		}
	}
	return with, nil
}

// beginForgetting keeps the user from sitting down, unless they have a part in a game that goes on.
func (e *eraser) beginForgetting(ctx context.Context, origin string, user int64, in chat.Place) error {
	err := storage.Update(ctx, e.Store, func(tx storage.Tx) error {
		key := table.KeyForgetting(origin, user)
		items, err := tx.Get(key)
		if err == nil && items[0].Rev == 0 {
			err = storage.PutJSON(tx, key, Forgetting{})
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("begin to forget: %w", err)
	}
	return e.mayForget(ctx, origin, user, in)
}

// mayForget lets the user sit down again if they have a part in a game that goes on, for which they can't be forgotten.
func (e *eraser) mayForget(ctx context.Context, origin string, user int64, in chat.Place) (err error) {
	if err = e.idle(ctx, origin, user, in); errors.Is(err, ErrPlays) {
		if failed := e.endForgetting(ctx, origin, user); failed != nil {
			return failed
		}
	}
	return err
}

// idle is stillPlays if the user has a part in a game that goes on.
func (e *eraser) idle(ctx context.Context, origin string, user int64, in chat.Place) error {
	plays, err := e.plays(ctx, origin, user)
	if err == nil && len(plays) > 0 {
		err = stillPlays(plays[0], in)
	}
	return err
}

// stillPlays is ErrPlays. It says which game goes on, and whether that is in the place from where it is asked.
func stillPlays(t *table.Table, in chat.Place) error {
	where := "playing-elsewhere"
	if t.Place.Same(in) {
		where = "playing-here"
	}
	return words.Refuse(string(ErrPlays), words.Blanks{"game": words.Phrase{Key: "game." + t.Game}, "where": words.Phrase{Key: where}})
}

// plays are the first of the tables of a community in whose games, which go on, the user has a part; none if there is none.
func (e *eraser) plays(ctx context.Context, origin string, user int64) (all []*table.Table, err error) {
	e.Index.PartsIn(ctx, keyspace.OpenParts, origin, user, "", func(tables []table.Stored, failed error) bool {
		err = failed
		for _, t := range tables {
			if t.Phase != table.Ended {
				all = append(all, t.Table)
			}
		}
		return err == nil && len(all) == 0
	})
	return all, err
}

func (e *eraser) endForgetting(ctx context.Context, origin string, user int64) error {
	err := storage.Update(ctx, e.Store, func(tx storage.Tx) error {
		tx.Delete(table.KeyForgetting(origin, user))
		return nil
	})
	if err != nil {
		return fmt.Errorf("end forgetting: %w", err)
	}
	return nil
}

// whileForgetting runs fn as one transaction that changes nothing unless the user is still being forgotten: where the
// same is done twice at once, the second can't take away what came after the first.
func (e *eraser) whileForgetting(ctx context.Context, origin string, user int64, fn func(storage.Tx) error) error {
	return storage.Update(ctx, e.Store, func(tx storage.Tx) error {
		items, err := tx.Get(table.KeyForgetting(origin, user))
		if err != nil || items[0].Rev == 0 {
			return err
		}
		return fn(tx)
	})
}

// forgetTables takes the user's name out of all tables that ended, some in each transaction; in short only of a few.
func (e *eraser) forgetTables(ctx context.Context, origin string, user int64, short bool) error {
	const atOnce, few = 45, 36
	done := 0
	for tables, err := range e.Index.PartsOf(ctx, origin, user, "") {
		if err != nil {
			return err
		}
		for some := range slices.Chunk(tables, atOnce) {
			err := e.whileForgetting(ctx, origin, user, func(tx storage.Tx) error {
				var keys []string
				for _, t := range some {
					keys = append(keys, t.Key)
				}
				if _, err := tx.Get(keys...); err != nil && !storage.IsDamaged(err) { // All at once.
					return err
				}
				for _, t := range some {
					if err := e.forgetAt(tx, t, user); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return fmt.Errorf("take a name off tables: %w", err)
			}
		}
		if done += len(tables); short && done > few {
			return errMuch
		}
	}
	return nil
}

// forgetAt takes the user's name out of a table that ended, if it still lies there.
func (e *eraser) forgetAt(tx storage.Tx, t table.Stored, user int64) error {
	items, err := tx.Get(t.Key)
	if err != nil || items[0].Rev == 0 {
		return err
	}
	now, err := table.Decode(t.ID, items[0].Value)
	if err != nil || now.Phase != table.Ended {
		return err
	}
	play.LeaveResults(tx, now)
	now.Forget(user, e.Words.Lang(now.Lang).Say("guest"))
	value, err := now.Encode()
	if err != nil {
		return err
	}
	tx.Put(t.Key, value)
	return nil
}

// resume goes on with what a stop of the process, or an error, has interrupted.
func (e *eraser) resume(ctx context.Context) error {
	var failed error
	for items, err := range storage.Pages(ctx, e.Store, keyspace.Forgetting) {
		if storage.IsDamaged(err) {
			failed = errors.Join(failed, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("look for people to forget: %w", err)
		}
		for _, item := range items {
			origin, user, err := ParseForgetting(item)
			if err == nil {
				err = e.goOn(ctx, origin, user)
			}
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// ParseForgetting is who is being forgotten where, by the key of an item of keyspace.Forgetting. The error says that the
// key is none.
func ParseForgetting(item storage.Item) (origin string, user int64, err error) {
	origin, number, _ := strings.Cut(strings.TrimPrefix(item.Key, keyspace.Forgetting), "/")
	user, err = strconv.ParseInt(number, 36, 64)
	if err != nil {
		return "", 0, fmt.Errorf("nobody is forgotten under %q: %w", item.Key, err)
	}
	return origin, user, nil
}

// indexedOrigin is originOf, for what looks through the tables of people. The error says that they can't be found yet.
func (b *Accounts) indexedOrigin(ctx context.Context, r chat.Request) (string, error) {
	origin, err := b.originOf(ctx, r)
	if err == nil {
		err = b.Index.Ready()
	}
	return origin, err
}

// gameNames are the names of the games, in order.
func gameNames(games []engine.Rules) []string {
	var names []string
	for _, rules := range games {
		names = append(names, rules.Info().Name)
	}
	return names
}

// tallyKeys are the keys of a person's tallies, one for each of the games.
func tallyKeys(games []engine.Rules, origin string, user int64) []scores.Key {
	var keys []scores.Key
	for _, game := range gameNames(games) {
		keys = append(keys, scores.Key{Community: origin, Game: game, User: user})
	}
	return keys
}

// kept are a person's purse and their tallies, one for each of the games. What there is none of is zero.
func kept(from storage.Getter, games []engine.Rules, origin string, user int64) (purse.Purse, []scores.Tally, error) {
	tallies, err := scores.Read(from, tallyKeys(games, origin, user)...)
	if err != nil {
		return purse.Purse{}, nil, err
	}
	purses, err := purse.Purses(from, origin, user)
	if err != nil {
		return purse.Purse{}, tallies, err
	}
	return purses[0], tallies, nil
}

// Forgotten is what was taken out of one community when a person was forgotten there.
type Forgotten struct {
	// Community is its origin.
	Community string
	// Stopped are the tables that were closed for it, Tables those that had the name, and Scores the games with scores.
	Stopped, Tables, Scores int
	// Days says that there were results of patiences of a day.
	Days bool
	// Purse says that the purse had a name, Settings that the private chat had a language, looks or an hour of its post, Offers how many
	// questions where to play a patience were the person's.
	Purse, Settings bool
	Offers          int
}

// ErrStillPlays is the refusal to forget somebody who has a part in a game that isn't over.
var ErrStillPlays = errors.New("has a part in games that aren't over")

// forgetEverywhere is Accounts.ForgetEverywhere.
func (e *eraser) forgetEverywhere(ctx context.Context, on chat.Platform, user int64, stop bool, tell func(Forgotten)) error {
	for more := !e.Index.Done(); more; {
		var err error
		if more, err = e.Index.Step(ctx, e.Store); err != nil {
			return err
		}
	}
	origins, damaged := e.origins(ctx, on)
	if damaged != nil && !storage.IsDamaged(damaged) {
		return damaged
	}
	playing := 0
	open := map[string][]table.ID{}
	for _, origin := range origins {
		var err error
		if open[origin], err = e.openParts(ctx, origin, user); err != nil {
			return err
		}
		playing += len(open[origin])
	}
	if playing > 0 && !stop {
		return fmt.Errorf("%w: %d", ErrStillPlays, playing)
	}
	for _, origin := range origins {
		done := Forgotten{Community: origin}
		if err := e.forgetIn(ctx, origin, user, open[origin], &done); err != nil {
			err = fmt.Errorf("forget a person in %s: %w", origin, err)
			if !storage.IsDamaged(err) {
				return err
			}
			damaged = errors.Join(err, damaged)
		}
		if done != (Forgotten{Community: origin}) {
			tell(done)
		}
	}
	return damaged
}

// forgetIn forgets a person in one community, where these tables that have them are open, and counts what there is to forget.
func (e *eraser) forgetIn(ctx context.Context, origin string, user int64, open []table.ID, done *Forgotten) error {
	for _, id := range open {
		closed, err := e.Tables.CloseTable(ctx, id)
		switch {
		case errors.Is(err, table.ErrGone): // It has ended meanwhile.
		case err != nil:
			return fmt.Errorf("close table %s: %w", id, err)
		case closed:
			done.Stopped++
		}
	}
	damaged := e.countKept(ctx, origin, user, done)
	if damaged != nil && !storage.IsDamaged(damaged) {
		return damaged
	}
	if damaged != nil || done.Stopped+done.Tables+done.Scores > 0 || done.Purse || done.Days {
		damaged = e.forget(ctx, origin, user, chat.Place{}, false)
		if damaged != nil && !storage.IsDamaged(damaged) {
			return damaged
		}
	}
	if damaged != nil { // What is left isn't told.
		var left Forgotten
		if err := e.countKept(ctx, origin, user, &left); err != nil && !storage.IsDamaged(err) {
			return err
		}
		done.Tables, done.Scores = max(done.Tables-left.Tables, 0), max(done.Scores-left.Scores, 0)
		done.Days, done.Purse = done.Days && !left.Days, done.Purse && !left.Purse
	}
	err := storage.Update(ctx, e.Store, func(tx storage.Tx) error {
		table.ForgetChoices(tx, origin, user)
		if err := table.ForgetWishes(tx, origin, user); err != nil {
			return err
		}
		return purse.ForgetNames(tx, origin, user)
	})
	if err != nil {
		return err
	}
	if done.Offers, err = e.forgetOffers(ctx, origin, user); err != nil {
		return err
	}
	done.Settings, err = e.forgetSettings(ctx, origin, user)
	return errors.Join(err, damaged)
}

// origins are those of all communities of a platform that anything is stored of, and their names, in order. An error that names what is damaged
// comes with them: whose it is its key says.
func (e *eraser) origins(ctx context.Context, on chat.Platform) ([]string, error) {
	var failed error
	origins := map[string]string{}
	for items, err := range storage.Pages(ctx, e.Store, keyspace.Origins) {
		if storage.IsDamaged(err) {
			failed = errors.Join(failed, err)
		} else if err != nil {
			return nil, fmt.Errorf("read the names of communities: %w", err)
		}
		for _, item := range items {
			origins[strings.TrimPrefix(item.Key, keyspace.Origins)] = string(item.Value)
		}
	}
	all := map[string]bool{}
	for _, family := range keyspace.All() {
		if !family.Found {
			continue
		}
		prefix := family.Prefix
		within := prefix + string(rune(on))
		for items, err := range storage.Pages(ctx, e.Store, within) {
			var damaged storage.Damaged
			if errors.As(err, &damaged) {
				failed = errors.Join(failed, err)
				items = []storage.Item{{Key: damaged.Key}}
			} else if err != nil {
				return nil, fmt.Errorf("look for communities: %w", err)
			}
			for _, item := range items {
				name, _, _ := strings.Cut(strings.TrimPrefix(item.Key, prefix), "/")
				all[name] = true // What was done under it before it was told lies there.
				if origin, ok := origins[name]; ok {
					all[origin] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(all)), failed
}

// openParts are the tables of a community that aren't over and have the person.
func (e *eraser) openParts(ctx context.Context, origin string, user int64) (open []table.ID, err error) {
	e.Index.PartsIn(ctx, keyspace.OpenParts, origin, user, "", func(tables []table.Stored, failed error) bool {
		err = failed
		for _, t := range tables {
			if t.Phase != table.Ended {
				open = append(open, t.ID)
			}
		}
		return err == nil
	})
	return open, err
}

// countKept counts what there is to forget.
func (e *eraser) countKept(ctx context.Context, origin string, user int64, done *Forgotten) error {
	for tables, err := range e.Index.PartsOf(ctx, origin, user, "") {
		if err != nil {
			return err
		}
		for _, t := range tables {
			if t.Knows(user, e.Words.Lang(t.Lang).Say("guest")) {
				done.Tables++
			}
		}
	}
	return e.Store.View(ctx, func(from storage.Reader) error {
		done.Scores = 0
		p, tallies, err := kept(from, e.Order, origin, user)
		for _, t := range tallies {
			if t.Games > 0 {
				done.Scores++
			}
		}
		done.Purse = p.Name != ""
		if err != nil {
			return err
		}
		days, err := day.PersonOf(from, origin, user)
		done.Days = days.Played > 0
		return err
	})
}

// forgetOffers takes back what the person was asked where to play it.
func (e *eraser) forgetOffers(ctx context.Context, origin string, user int64) (n int, err error) {
	for _, name := range e.Index.NamesOf(origin) {
		c, err := chat.ParseCommunity(name)
		if err != nil {
			continue // Nobody was asked anything in what is no community.
		}
		own := 0
		err = storage.Update(ctx, e.Store, func(tx storage.Tx) error {
			all, err := table.GetOffers(tx, c)
			left := slices.DeleteFunc(slices.Clone(all), func(o table.Offered) bool { return o.Asked == user })
			if own = len(all) - len(left); err != nil || own == 0 {
				return err
			}
			return table.PutOffers(tx, c, left)
		})
		if err != nil {
			return n, err
		}
		n += own
	}
	return n, nil
}

// forgetSettings takes away the language, the looks and the hour of the post of a chat that is the person's own, as far as its name
// says so: a private chat on Telegram has the number of its person.
func (e *eraser) forgetSettings(ctx context.Context, origin string, user int64) (had bool, err error) {
	if (chat.Community{Platform: chat.Telegram, ID: user}).String() != origin {
		return false, nil
	}
	p := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: user}, Channel: user}
	err = storage.Update(ctx, e.Store, func(tx storage.Tx) error {
		posted, err := day.ForgetHour(tx, p)
		if err != nil {
			return err
		}
		record, err := table.GetPlace(tx, p)
		chosen := record.Lang != "" || record.Looks != table.Looks{}
		if had = posted || chosen; err != nil || !chosen {
			return err
		}
		return table.PutPlace(tx, p, table.PlaceRecord{Tables: record.Tables})
	})
	return had, err
}
