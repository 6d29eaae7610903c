package table

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"

	"zevaka/bot/keyspace"
	"zevaka/engine"
	"zevaka/storage"
)

// settled is what seldom changes while a table is played at.
type settled struct {
	Agreed
	Options map[string]string `json:"options"`
	Looks
	Cards
	Names
	Host int64 `json:"host"`
}

func (s settled) equal(other settled) bool {
	return s.Agreed == other.Agreed && s.Looks == other.Looks && s.Cards == other.Cards && s.Names == other.Names &&
		s.Host == other.Host && (s.Options == nil) == (other.Options == nil) && maps.Equal(s.Options, other.Options)
}

// written is what seldom changes as it was written last: copies of it, and its JSON.
type written struct {
	settled settled
	text    []byte
	chairs  []Chair
	seats   []byte
}

// Encode writes the table: one line of JSON, the number of requests remembered, their hashes, and the moves. JSON is made
// of what seldom changes only when it has changed. The rest is written field by field.
func (t *Table) Encode() ([]byte, error) {
	if err := t.write(); err != nil {
		return nil, fmt.Errorf("encode table %s: %w", t.ID, err)
	}
	const rest = 512
	value := make([]byte, 0, len(t.written.text)+len(t.written.seats)+rest+len(t.Seen)+len(t.Tail))
	value = strconv.AppendInt(append(value, `{"v":`...), int64(t.Format), 10)
	value = append(append(value, ','), t.written.text[1:len(t.written.text)-1]...)
	l := line{text: append(append(value, `,"chairs":`...), t.written.seats...)}
	t.state(&l)
	if l.err != nil {
		return nil, fmt.Errorf("encode table %s: %w", t.ID, l.err)
	}
	value = append(l.text, '}', '\n', byte(len(t.Seen)/8))
	value = append(value, t.Seen...)
	return append(value, t.Tail...), nil
}

// write brings what is written up to date.
func (t *Table) write() error {
	w := t.written
	if w == nil {
		w = &written{}
	}
	now := settled{t.Agreed, t.Options, t.Looks, t.Cards, t.Names, t.Host}
	sameText := w.text != nil && w.settled.equal(now)
	sameSeats := w.seats != nil && slices.Equal(w.chairs, t.Chairs)
	if sameText && sameSeats {
		return nil
	}
	next := *w
	var err error
	if !sameText {
		now.Options = maps.Clone(now.Options)
		if next.text, err = json.Marshal(now); err != nil {
			return err
		}
		next.settled = now
	}
	if !sameSeats {
		if next.seats, err = json.Marshal(t.Chairs); err != nil {
			return err
		}
		next.chairs = slices.Clone(t.Chairs)
	}
	t.written = &next
	return nil
}

// state writes what changes with every move. What is zero is left out.
func (t *Table) state(l *line) {
	l.number("phase", int64(t.Phase))
	l.count("level", t.Level)
	if len(t.Kept) > 0 {
		l.value("reserved", t.Kept)
	}
	l.flag("rematch", t.Rematch)
	l.log(t.LogState)
	l.solo(t.Solo)
	l.banked(t.Banked)
	l.string("board", string(t.Board))
	l.count("boarded", t.Boarded)
	l.string("former", string(t.Former))
	l.flag("pledged", t.Pledged)
	l.deadlines(t.Deadlines)
	l.tap(t.Tap)
	l.events(t.Last)
	l.end(t.End)
}

// line is a JSON object that has begun. It takes the first error.
type line struct {
	text []byte
	err  error
}

func (l *line) name(name string) {
	l.text = append(l.text, ',', '"')
	l.text = append(l.text, name...)
	l.text = append(l.text, '"', ':')
}

func (l *line) number(name string, n int64) {
	if n != 0 {
		l.name(name)
		l.text = strconv.AppendInt(l.text, n, 10)
	}
}

func (l *line) count(name string, n uint64) {
	if n != 0 {
		l.name(name)
		l.text = strconv.AppendUint(l.text, n, 10)
	}
}

func (l *line) flag(name string, set bool) {
	if set {
		l.name(name)
		l.text = append(l.text, "true"...)
	}
}

func (l *line) string(name, text string) {
	if text != "" {
		l.name(name)
		l.quote(text)
	}
}

// quote writes a string. Most have nothing in them that JSON writes otherwise.
func (l *line) quote(text string) {
	for _, b := range []byte(text) {
		if b < ' ' || b > '~' || b == '"' || b == '\\' {
			l.marshal(text)
			return
		}
	}
	l.text = append(l.text, '"')
	l.text = append(l.text, text...)
	l.text = append(l.text, '"')
}

// value writes what few tables have.
func (l *line) value(name string, v any) {
	l.name(name)
	l.marshal(v)
}

func (l *line) marshal(v any) {
	text, err := json.Marshal(v)
	if l.err == nil {
		l.err = err
	}
	l.text = append(l.text, text...)
}

func (l *line) log(s LogState) {
	l.number("moves", int64(s.Moves))
	l.number("chunks", int64(s.Chunks))
	l.number("quiet", int64(s.Quiet))
	l.flag("asleep", s.Asleep)
}

func (l *line) solo(s Solo) {
	l.number("line", int64(s.Line))
	l.number("undone", int64(s.Undone))
	l.number("undos", int64(s.Undos))
	l.number("hints", int64(s.Hints))
	l.number("page", int64(s.Page))
	if s.Numbered != nil {
		l.name("deal")
		l.text = strconv.AppendInt(l.text, *s.Numbered, 10)
	}
	l.number("grade", int64(s.Grade))
	l.number("day", int64(s.Day))
	l.flag("known", s.Known)
	l.flag("once", s.Once)
	if s.ReportTo != nil {
		l.value("aside", s.ReportTo)
	}
}

func (l *line) banked(b Banked) {
	l.number("window", int64(b.Window))
	if b.Chips != nil {
		l.value("chips", b.Chips)
	}
	if b.Session != nil {
		l.value("session", b.Session)
	}
	if len(b.Waiting) > 0 {
		l.value("waiting", b.Waiting)
	}
	if b.Closing != nil {
		l.value("closing", b.Closing)
	}
}

func (l *line) deadlines(d Deadlines) {
	l.number("ends", int64(d.Ends))
	l.number("warn", int64(d.Warn))
	l.number("chance", int64(d.Chance))
	l.number("mover", int64(d.Mover))
	l.flag("told", d.Told)
	l.number("skip", int64(d.Skip))
	l.flag("skippable", d.Skippable)
	l.number("skipper", d.Skipper)
	l.flag("hurry", d.Hurry)
}

func (l *line) tap(t Tap) {
	if t == (Tap{}) {
		return
	}
	l.name("tap")
	l.text = append(l.text, `{"at":`...)
	l.text = strconv.AppendInt(l.text, int64(t.At), 10)
	l.number("u", t.User)
	l.count("k", t.Token)
	l.count("do", t.Do)
	l.text = append(l.text, '}')
}

func (l *line) events(all []engine.Event) {
	if len(all) == 0 {
		return
	}
	l.name("last")
	for i, e := range all {
		separator := byte(',')
		if i == 0 {
			separator = '['
		}
		l.text = append(l.text, separator)
		l.text = append(l.text, `{"What":`...)
		l.quote(e.What)
		l.number("Seat", int64(e.Seat))
		l.number("To", int64(e.To))
		l.number("Card", int64(e.Card))
		l.number("On", int64(e.On))
		l.number("N", int64(e.N))
		l.text = append(l.text, '}')
	}
	l.text = append(l.text, ']')
}

func (l *line) end(e End) {
	l.number("opened", e.Opened)
	l.number("sealed", e.Sealed)
	l.number("dealt", e.Dealt)
	l.number("ended", e.Ended)
	if e.Result != nil {
		l.value("result", e.Result)
	}
	l.string("why", e.Why)
	l.count("endedat", e.EndedAt)
}

// valid is ErrUnreadable for a stored table whose parts don't fit each other. Such a table is set aside rather than played
// on.
func (t *Table) valid() error {
	seats := len(t.Chairs)
	wrong := ""
	switch c := t.Chips; {
	case t.Phase < Lobby || t.Phase > Ended:
		wrong = "its phase"
	case t.Phase == Cutting && (t.Cutter < 0 || t.Cutter >= seats):
		wrong = "who cuts"
	case t.Phase == Playing && seats == 0:
		wrong = "its seats"
	case min(t.Moves, t.Chunks, t.Line, t.Undone, t.Undos, t.Hints, t.Page, t.Limit, t.Rounds, t.Grade) < 0:
		wrong = "a number"
	case c != nil && (len(c.Seats) != seats || len(c.Stakes) != seats || t.Session == nil):
		wrong = "its chips"
	}
	if wrong == "" {
		return nil
	}
	return fmt.Errorf("table %s: %w: %s", t.ID, ErrUnreadable, wrong)
}

// Fits is ErrUnreadable for a stored table that can't be one of a game with these rules.
func (t *Table) Fits(info engine.Info) error {
	seats := len(t.Chairs)
	switch {
	case (t.Phase == Cutting || t.Phase == Playing) && (seats < info.MinSeats || seats > info.MaxSeats):
	case info.Banker && (t.Phase == Cutting || t.Phase == Playing) && t.Chips == nil:
	default:
		return nil
	}
	return fmt.Errorf("table %s: %w: no game of %s is like that", t.ID, ErrUnreadable, info.Name)
}

// Readable reads all items with a prefix but those that are damaged: these are logged.
func Readable(ctx context.Context, s storage.Store, log *slog.Logger, prefix string) ([]storage.Item, error) {
	var all []storage.Item
	for items, err := range storage.Pages(ctx, s, prefix) {
		if storage.IsDamaged(err) {
			log.Error("an item can't be read", "error", err)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read what is under %s: %w", prefix, err)
		}
		all = append(all, items...)
	}
	return all, nil
}

// Decisions is what a community's admins have decided for all its places.
type Decisions struct {
	// NoGifts says that nobody may give chips away.
	NoGifts bool `json:"nogifts,omitempty"`
	// NoDaily says that the house gives nobody the free chips of the day.
	NoDaily bool `json:"nodaily,omitempty"`
	// NoSeasons says that nobody is told who was best in a month.
	NoSeasons bool `json:"noseasons,omitempty"`
}

// KeyDecisions is where the decisions of a community lie, by its origin.
func KeyDecisions(origin string) string { return keyspace.Decisions + origin }

// GetDecisions reads what was decided in the community with that origin; the zero Decisions if nothing was. The error is
// one of the store, or of a value that can't be decoded.
func GetDecisions(from storage.Getter, origin string) (Decisions, error) {
	rules, err := storage.GetJSON[Decisions](from, KeyDecisions(origin))
	if err != nil {
		return rules, fmt.Errorf("read what community %s has decided: %w", origin, err)
	}
	return rules, nil
}
