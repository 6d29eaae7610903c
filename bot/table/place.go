package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/storage"
)

// MaxTables is how many tables may be open in one place. One list of MaxItems must be able to offer them all, and a
// community that gets another ID must be able to take them along in one transaction.
const MaxTables = 24

// ErrManyTables refuses one more table in a place.
const ErrManyTables engine.Refusal = "too-many-tables"

// PlaceRecord is what is stored of a place: the language that somebody has chosen for it, or else the one that was found
// there, the names of the tables that are open there, the oldest first, and of those that vanished last, and as
// what each game was played last.
type PlaceRecord struct {
	Lang     string            `json:"lang,omitempty"`
	Found    string            `json:"found,omitempty"`
	Tables   []string          `json:"tables,omitempty"`
	Vanished []string          `json:"vanished,omitempty"`
	Played   map[string]Played `json:"played,omitempty"`
	// Newest is the game of the table that was opened last; empty if none was since it is kept.
	Newest string `json:"newest,omitempty"`
	// Guarded says that only admins open tables here, and stop those of others and their own.
	Guarded bool `json:"guarded,omitempty"`
	// Pace is the time for a turn at tables for several where nobody chooses another, in seconds, 0 for no limit; nil for that of
	// the last table.
	Pace *int `json:"pace,omitempty"`
	// Called is when people were called last who want to be when a table opens here; 0 if none were.
	Called Running `json:"called,omitempty"`
	Looks
}

// Played is as what a game was played: by which rules, and in how much time.
type Played struct {
	Options map[string]string `json:"options"`
	Limit   int               `json:"limit"`
	Fast    bool              `json:"fast,omitempty"`
	Rounds  int               `json:"rounds,omitempty"`
}

// Spoken is the language that the bot speaks in the request's place; empty if nothing tells.
func (p PlaceRecord) Spoken(all *words.Catalogue, r chat.Request) string {
	if tag := cmp.Or(p.Lang, p.Found, r.In.Lang, r.Who.Lang); tag != "" {
		return all.Lang(tag).Tag
	}
	return ""
}

// Settle keeps in the record how a game is played that begins at the table, and reports whether that is anything new. The
// first table also finds the language of the place, where nobody has chosen one: that of most people who sit there.
func (p *PlaceRecord) Settle(t *Table, all *words.Catalogue) (changed bool) {
	if p.Lang == "" && p.Found == "" {
		p.Found = t.spokenByMost(all)
		t.Lang = cmp.Or(p.Found, t.Lang)
		changed = p.Found != ""
	}
	now, before := Played{t.Options, t.Limit, t.Fast, t.Rounds}, p.Played[t.Game]
	same := maps.Equal(now.Options, before.Options) && now.Limit == before.Limit && now.Fast == before.Fast && now.Rounds == before.Rounds
	if same {
		return changed
	}
	p.Played = maps.Clone(p.Played)
	if p.Played == nil {
		p.Played = map[string]Played{}
	}
	p.Played[t.Game] = now
	return true
}

// spokenByMost is the language in which the bot speaks to most people at the table; where several are equal, the table's own
// if it is one of them, else that of who sat down first. It is empty if nobody's is known.
func (t *Table) spokenByMost(all *words.Catalogue) string {
	most, votes := "", map[string]int{}
	for _, c := range t.Chairs {
		if c.User == 0 || c.Lang == "" {
			continue
		}
		tag := all.Lang(c.Lang).Tag
		votes[tag]++
		if votes[tag] > votes[most] || votes[tag] == votes[most] && tag == t.Lang {
			most = tag
		}
	}
	return most
}

// KeyPlace is where it is stored what is known of a place.
func KeyPlace(p chat.Place) string {
	return fmt.Sprintf("%s%d/%d", PlacePrefix(p.Community), p.Channel, p.Thread)
}

// ParsePlace is the place that a key of KeyPlace belongs to; false if the key is another one.
func ParsePlace(key string) (chat.Place, bool) {
	community, channel, _ := strings.Cut(strings.TrimPrefix(key, keyspace.Places), "/")
	c, err := chat.ParseCommunity(community)
	p := chat.Place{Community: c}
	if err == nil {
		_, err = fmt.Sscanf(channel, "%d/%d", &p.Channel, &p.Thread)
	}
	return p, err == nil && KeyPlace(p) == key
}

// GetPlace reads what is stored of the place; the zero record if nothing is.
func GetPlace(from storage.Getter, p chat.Place) (PlaceRecord, error) {
	record, err := storage.GetJSON[PlaceRecord](from, KeyPlace(p))
	if err != nil {
		return record, fmt.Errorf("read place %s: %w", KeyPlace(p), err)
	}
	return record, nil
}

// PutPlace stores what is known of a place in place of what was known before.
func PutPlace(tx storage.Tx, p chat.Place, record PlaceRecord) error {
	return storage.PutJSON(tx, KeyPlace(p), record)
}

// UnlistFromPlace takes a table off its place's list.
func UnlistFromPlace(tx storage.Tx, t *Table) error {
	record, err := GetPlace(tx, t.Place)
	if err != nil {
		return err
	}
	record.Tables = slices.DeleteFunc(record.Tables, func(name string) bool { return name == t.ID.Name })
	return PutPlace(tx, t.Place, record)
}

// Looks are how tables are shown: those of a place, or a table.
type Looks struct {
	// Plain says that it is shown as text where there could be a picture.
	Plain bool `json:"plain,omitempty"`
	// Pictures says that somebody has chosen them: then games for several are shown as pictures, too, from their deal on.
	Pictures bool `json:"pictures,omitempty"`
	// Closed says that at the live table nobody looks on of whom the platform doesn't say that they are in the place, but those
	// who sit there.
	Closed bool `json:"closed,omitempty"`
	// Four draws the four suits in four colours.
	Four bool `json:"four,omitempty"`
	// Cloth is the colour of the table in a picture, one of picture.Tables; the first of them if empty.
	Cloth string `json:"cloth,omitempty"`
	// Calls is when the one whose turn it is gets called.
	Calls Calls `json:"calls,omitempty"`
}

// Calls is when somebody whose turn it is gets called, in the way that they have chosen.
type Calls string

// The times of calls.
const (
	// CallSoon is when they haven't moved for SoonAfter.
	CallSoon Calls = ""
	// CallAtOnce is when their turn begins, and CallLate when their time runs out.
	CallAtOnce Calls = "once"
	CallLate   Calls = "late"
)

// Seen are the looks as far as a table's message shows them.
func (l Looks) Seen() Looks {
	l.Closed, l.Calls = false, CallSoon
	return l
}

// Wear changes the looks as the word says.
func (l *Looks) Wear(word string) {
	switch word {
	case "pictures", "text":
		l.Plain, l.Pictures = word == "text", word == "pictures"
	case "watchers", "no-watchers":
		l.Closed = word == "no-watchers"
	case "four-colours", "two-colours":
		l.Four = word == "four-colours"
	case "calls-soon":
		l.Calls = CallSoon
	case "calls-once", "calls-late":
		l.Calls = Calls(strings.TrimPrefix(word, "calls-"))
	default:
		l.Cloth = word
	}
}

// PlacePrefix begins the keys of a community's places.
func PlacePrefix(c chat.Community) string { return keyspace.Places + c.String() + "/" }

// KeyOrigin is where the origin of a community is stored, if the platform has given the community another ID since.
func KeyOrigin(c chat.Community) string { return keyspace.Origins + c.String() }

// Origin is the name under which the chips and scores of a community are kept: the text of its first ID, for ever.
func Origin(from storage.Getter, c chat.Community) (string, error) {
	items, err := from.Get(KeyOrigin(c))
	if err != nil {
		return "", fmt.Errorf("look for the origin of community %s: %w", c, err)
	}
	if items[0].Rev == 0 {
		return c.String(), nil
	}
	return string(items[0].Value), nil
}

// Origin is the name under which the chips and scores of the table's community are kept.
func (t *Table) Origin() string {
	if t.FormerCommunity != "" {
		return t.FormerCommunity
	}
	return t.Place.Community.String()
}

// KeyChain is where the name of the newest table lies of the chain that begins with the table.
func KeyChain(first ID) string { return keyspace.Chains + first.String() }
