package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/pace"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// RecordResults adds what has ended at the table, if anything has, to the scores, and notes at the table what was added. The table is
// of a game with this info, and is about to be stored in the same transaction.
func RecordResults(tx storage.Tx, t *table.Table, info engine.Info) error {
	if t.Numbered != nil && t.Result != nil {
		first, err := count(tx, t)
		if err != nil || !first {
			return err
		}
	}
	counting := t.Counting(info.MaxSeats)
	if len(counting) == 0 {
		return nil
	}
	if counting[0].Before != nil {
		rated := counting
		if len(rated) == 1 { // All others were removed, and have come before or behind them.
			rated = t.Finishes(info.MaxSeats)
		}
		if err := rate(tx, t, rated); err != nil {
			return fmt.Errorf("rate the people at table %s: %w", t.ID, err)
		}
		counting = t.Counting(info.MaxSeats)
	}
	for _, f := range counting {
		n, err := scores.Record(tx, keyOf(t, f), f.Name, f.Finish)
		if err != nil {
			return fmt.Errorf("record the result of table %s: %w", t.ID, err)
		}
		*f.N = n
	}
	return nil
}

// keyOf is the key of the tally that a finish counts in.
func keyOf(t *table.Table, f table.Finished) scores.Key {
	return scores.Key{Community: t.Origin(), Game: t.Game, User: f.User}
}

// rate notes at the table what the people's ratings are before what ended there is counted.
func rate(tx storage.Tx, t *table.Table, rated []table.Finished) error {
	keys := make([]scores.Key, len(rated))
	for i, f := range rated {
		keys[i] = keyOf(t, f)
	}
	if err := scores.Ahead(tx, keys...); err != nil {
		return err
	}
	tallies, err := scores.Read(tx, keys...)
	if err != nil {
		return err
	}
	for i, f := range rated {
		*f.Before = tallies[i].Rating
		if !f.Before.IsRated() {
			*f.Before = scores.StartRating()
		}
	}
	return note(tx, t)
}

// keyNumber is where it stands that a person has finished the deal of a number.
func keyNumber(t *table.Table) string {
	parts := t.Origin() + "/" + t.Game + "/" + strconv.FormatInt(t.Chairs[0].User, 36) + "/" + strconv.FormatInt(*t.Numbered, 36)
	return keyspace.Numbers + parts
}

// count notes that the one at the table has finished the deal of its number, and reports whether that is the first time, as far as
// tables tell that are kept. Then it counts once.
func count(tx storage.Tx, t *table.Table) (first bool, err error) {
	items, err := tx.Get(keyNumber(t))
	if err != nil {
		return false, fmt.Errorf("look whether deal %d was played before: %w", *t.Numbered, err)
	}
	if items[0].Rev != 0 {
		return false, nil
	}
	tx.Put(keyNumber(t), nil)
	t.Once = true
	return true, nil
}

// LeaveResults takes away what is stored beside a table of the number of its deal: when the table leaves, or its player is forgotten.
func LeaveResults(tx storage.Tx, t *table.Table) {
	if t.Once {
		tx.Delete(keyNumber(t))
		t.Once = false
	}
}

// ExamineNumber returns an error if an item isn't what says that a deal was played.
func ExamineNumber(item storage.Item) error {
	if len(item.Value) != 0 {
		return fmt.Errorf("%s: there is nothing to say of a number", item.Key)
	}
	return nil
}

// tellings are what there is to tell in a community once a month, game by game.
type tellings map[string]telling

// telling is what there is to tell of a game.
type telling struct {
	// Place is where the game was rated most often of late, and Lead how many rated elsewhere it takes until it is another, at most maxLead.
	Place chat.Place `json:"place"`
	Lead  int        `json:"lead,omitempty"`
	// Told is the newest month that was told, or passed over.
	Told int64 `json:"told,omitempty"`
	// Unseen says that what was told last stands nowhere, as far as it is known.
	Unseen bool `json:"unseen,omitempty"`
	// Due is a season that is over and wasn't told before another one began; nil if there is none.
	Due *scores.Season `json:"due,omitempty"`
}

// maxLead has what is told follow people to another place by the first twenty games there at the latest.
const maxLead = 20

func keyTellings(origin string) string { return keyspace.Tellings + origin }

func getTellings(from storage.Getter, origin string) (tellings, error) {
	all, err := storage.GetJSON[tellings](from, keyTellings(origin))
	if err != nil {
		return nil, fmt.Errorf("read what is told once a month: %w", err)
	}
	if all == nil {
		all = tellings{}
	}
	return all, nil
}

// note notes where people play who are about to be rated. Where their deal begins a month, what was told of none before it is put
// by. Nobody is told anything in a place that the bot isn't a member of, or where one is alone with it.
func note(tx storage.Tx, t *table.Table) error {
	if t.Place.Guest || t.Place.Private {
		return nil
	}
	all, err := getTellings(tx, t.Origin())
	if err != nil {
		return err
	}
	seasons, err := scores.Seasons(tx, t.Origin(), t.Game)
	if err != nil {
		return err
	}
	one, before := all[t.Game], seasons[0]
	ends := before.Month > one.Told && before.Month < scores.MonthOf(t.Ended) && (one.Due == nil || one.Due.Month < before.Month)
	if ends {
		one.Due = &before
	}
	switch {
	case one.Place.Same(t.Place):
		one.Lead = min(one.Lead+1, maxLead)
	case one.Lead > 0:
		one.Lead--
	default:
		one.Place, one.Lead = t.Place, 1
		one.Place.Lang = t.Lang
	}
	if one == all[t.Game] {
		return nil
	}
	all[t.Game] = one
	return storage.PutJSON(tx, keyTellings(t.Origin()), all)
}

// ForgetResults takes a person out of what is put by to be told in a community.
func ForgetResults(tx storage.Tx, origin string, user int64) error {
	all, err := getTellings(tx, origin)
	if err != nil {
		return err
	}
	changed := false
	for game, one := range all {
		if one.Due == nil || !one.Due.Has(user) {
			continue
		}
		left := one.Due.Without(user)
		one.Due, changed = &left, true
		all[game] = one
	}
	if !changed {
		return nil
	}
	return storage.PutJSON(tx, keyTellings(origin), all)
}

// MoveTellings has a community's seasons told under its new ID.
func MoveTellings(tx storage.Tx, origin string, to chat.Community) error {
	return place(tx, origin, func(p chat.Place) (chat.Place, bool) { return p.MigratedTo(to), true })
}

// GoneFromResults has nothing told any more in a place, or without a channel in none of a community, until people play there again. What
// would be told in a topic is told in the channel beside its topics.
func GoneFromResults(tx storage.Tx, in chat.Place) error {
	origin, err := table.Origin(tx, in.Community)
	if err != nil {
		return err
	}
	return place(tx, origin, func(p chat.Place) (chat.Place, bool) {
		if in.Channel == 0 || !p.Same(in) {
			return p, in.Channel != 0
		}
		p.Thread = 0
		return p, in.Thread != 0
	})
}

// place changes the places in which a community's seasons are told; false takes them away.
func place(tx storage.Tx, origin string, fn func(chat.Place) (chat.Place, bool)) error {
	all, err := getTellings(tx, origin)
	if err != nil || len(all) == 0 {
		return err
	}
	for game, one := range all {
		if there, ok := fn(one.Place); ok {
			if !there.Same(one.Place) {
				one.Lead = 0
			}
			one.Place = there
			all[game] = one
		} else {
			delete(all, game)
		}
	}
	return storage.PutJSON(tx, keyTellings(origin), all)
}

// shownMonth begins the Receipt of what is told of a month, before the name of the game.
const shownMonth = "month "

// TellingShown notes that what was told of a month stands; false if the receipt is another's.
func TellingShown(ctx context.Context, s storage.Store, r chat.Request) (mine bool, err error) {
	game, mine := strings.CutPrefix(r.Data, shownMonth)
	if !mine {
		return false, nil
	}
	err = storage.Update(ctx, s, func(tx storage.Tx) error {
		origin, err := table.Origin(tx, r.In.Community)
		if err != nil {
			return err
		}
		all, err := getTellings(tx, origin)
		one := all[game]
		if err != nil || !one.Unseen || !one.Place.Same(r.In) {
			return err
		}
		one.Unseen = false
		all[game] = one
		return storage.PutJSON(tx, keyTellings(origin), all)
	})
	return true, err
}

// Unheard reports whether what was told of a month in a place stands nowhere, as far as it is known.
func Unheard(from storage.Getter, origin string, in chat.Place) (bool, error) {
	all, err := getTellings(from, origin)
	for _, one := range all {
		if one.Unseen && one.Place.Same(in) {
			return true, err
		}
	}
	return false, err
}

// ExamineTellings returns an error if an item isn't what a community is told once a month.
func ExamineTellings(item storage.Item) error {
	var all tellings
	if err := json.Unmarshal(item.Value, &all); err != nil {
		return fmt.Errorf("decode %s: %w", item.Key, err)
	}
	return nil
}

// lookEvery is how often it is looked whether a month is over, and lookAgain after how long where something went wrong.
const lookEvery, lookAgain = time.Minute, 10 * time.Minute

// TellSeasons tells communities once a month who was best in it, until ctx ends; what there is to say goes to show, which must not wait for a platform. It looks through all
// communities with rated games when it begins, and then once for each month, a tenth of the time. Whoever calls it waits for it.
func TellSeasons(ctx context.Context, h table.House, show func(context.Context, chat.Response)) {
	looked, wait := int64(0), lookEvery
	for pace.Sleep(ctx, wait) == nil {
		wait = lookEvery
		month := scores.MonthOf(h.Now().Unix())
		if month == looked {
			continue
		}
		if err := tellAll(ctx, h, month, show); err == nil {
			looked = month
		} else if ctx.Err() == nil {
			h.Log.Warn("some are not told yet who was the best of the month", "error", err)
			wait = lookAgain
		}
	}
}

// tellAll tells all communities what they haven't been told before this month. What is damaged keeps nobody else waiting.
func tellAll(ctx context.Context, h table.House, month int64, show func(context.Context, chat.Response)) error {
	var failed error
	for items, err := range storage.Pages(ctx, pace.Slow(h.Store), keyspace.Tellings) {
		if storage.IsDamaged(err) {
			failed = errors.Join(failed, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("look for communities to tell: %w", err)
		}
		for _, item := range items {
			posts, err := tell(ctx, h, strings.TrimPrefix(item.Key, keyspace.Tellings), month)
			if len(posts) > 0 {
				show(ctx, chat.Response{Posts: posts})
			}
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// tell notes that a community is told what it hasn't been told before this month, and makes what it is told. So it is told
// at most once, whatever happens afterwards.
func tell(ctx context.Context, h table.House, origin string, month int64) (posts []chat.Post, err error) {
	err = storage.Update(ctx, h.Store, func(tx storage.Tx) error {
		posts = nil
		all, err := getTellings(tx, origin)
		if err != nil {
			return err
		}
		decided, err := table.GetDecisions(tx, origin)
		if err != nil {
			return err
		}
		changed := false
		for _, game := range all.games() {
			one := all[game]
			season, err := one.season(tx, origin, game, month)
			if err != nil {
				return err
			}
			if season.Month <= one.Told {
				continue
			}
			tells := !decided.NoSeasons && worthTelling(season, month)
			one.Told, one.Due, one.Unseen, changed = season.Month, nil, tells, true
			all[game] = one
			if !tells {
				continue
			}
			record, err := table.GetPlace(tx, one.Place)
			if err != nil {
				return err
			}
			lang := h.Words.Lang(record.Spoken(h.Words, chat.Request{In: one.Place}))
			post := h.Words.ForAll(one.Place, lang, func(lang *words.Lang) chat.Message { return chat.Message{Text: text(lang, game, season)} })
			post.Receipt = shownMonth + game
			posts = append(posts, post)
		}
		if !changed {
			return nil
		}
		return storage.PutJSON(tx, keyTellings(origin), all)
	})
	if err != nil {
		return nil, fmt.Errorf("tell community %s of its month: %w", origin, err)
	}
	return posts, nil
}

// games are the names of the games, in order.
func (t tellings) games() (names []string) {
	for name := range t {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// season is the newest one that is over before this month; zero if there is none.
func (t telling) season(from storage.Getter, origin, game string, month int64) (scores.Season, error) {
	seasons, err := scores.Seasons(from, origin, game)
	switch {
	case err != nil:
		return scores.Season{}, err
	case seasons[0].Month < month:
		return seasons[0], nil
	case t.Due != nil && t.Due.Month < month:
		return *t.Due, nil
	}
	return scores.Season{}, nil
}

const (
	// fewest is how often the best of a month must have won so that it is told.
	fewest = 3
	// told is how many people are told of.
	told = 3
)

// worthTelling reports whether a month was played enough in, and is the one just before.
func worthTelling(s scores.Season, month int64) bool {
	return s.Month == month-1 && len(s.Wins) > 1 && s.Wins[0].Wins >= fewest
}

// MonthName is the name of a month, as scores.MonthOf has it, in a language.
func MonthName(lang *words.Lang, month int64) string {
	return lang.Say("month." + strconv.FormatInt(month%12+1, 10))
}

// text tells who was best, and who was last most often where the game has a name for that.
func text(lang *words.Lang, game string, s scores.Season) []chat.Span {
	w := words.Writer{Lang: lang}
	w.Phrase(chat.Strong, words.Phrase{Key: "season", Blanks: words.Blanks{
		"month": words.Text(MonthName(lang, s.Month)), "game": words.Text(lang.Say("game." + game)),
	}})
	SeasonRows(&w, s, told)
	if yawns := "season.last." + game; len(s.Last) > 0 && lang.Knows(yawns) {
		last := s.Last[0]
		w.Text("\n🥱 ")
		w.Phrase(chat.Plain, words.Phrase{
			Key: yawns, N: int(last.Last), Blanks: words.Blanks{"who": words.Person{Name: last.Name, User: last.User}, "n": int(last.Last)},
		})
	}
	w.Text("\n\n")
	w.Say(chat.Faint, "season-off-hint")
	return w.Spans
}

// SeasonRows lists the first of a season, each on a line of their own; who has won as often as the first is first, too.
func SeasonRows(w *words.Writer, s scores.Season, most int) {
	for i, row := range s.Wins[:min(len(s.Wins), most)] {
		sign := fmt.Sprintf("\n%d. ", i+1)
		if row.Wins > 0 && row.Wins == s.Wins[0].Wins {
			sign = "\n🏆 "
		}
		w.Text(sign)
		w.Name(chat.Strong, row.Name, row.User)
		w.Text(" " + w.Lang.Say("dash") + " ")
		w.Phrase(chat.Plain, words.Phrase{Key: "scores.won", Blanks: words.Blanks{"wins": int(row.Wins), "n": int(row.Games)}})
	}
}
