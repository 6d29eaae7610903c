package account_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/table"
	"zevaka/bot/upkeep"
	"zevaka/bot/words"
	"zevaka/engine/games"
	"zevaka/storage"
	"zevaka/storage/mem"
)

// fileLines and fileTables are how many entries of the ledger and how many tables one file has at most.
const fileLines, fileTables = 300, 50

// dataFile is what programs read of what is kept about somebody.
type dataFile struct {
	Format, Community, Person string
	Purse                     *struct {
		Name    string
		Balance int64
		Daily   string `json:"daily_last"`
	}
	Scores []struct {
		Game, Name string
		Games      int64
	}
	Own *struct {
		Called []struct{ Channel string } `json:"called_to_tables_in"`
	} `json:"own_settings"`
	Ledger []struct{ Balance int64 }
	Tables []struct {
		Table, Opened, Name string
		Seat                int
		Net                 *int64 `json:"session_net"`
		Waiting             bool
	}
	More bool
}

// filesOf asks for all files of what is kept about a user.
func filesOf(h *bottest.Hall, user int64) []dataFile {
	h.T.Helper()
	var all []dataFile
	button := table.Token{Table: table.ID{Community: h.Place(1).Community, Name: table.NoTable}, Do: "!file"}.String()
	for button != "" {
		r := h.Ask(1, user, chat.Press, button)
		if len(r.Posts) != 1 || r.Posts[0].To == nil || r.Posts[0].To.ID != user || r.Posts[0].File == nil || len(button) > table.MaxToken {
			h.T.Fatalf("file %d, by %s: %+v", len(all)+1, button, r)
		}
		var f dataFile
		data := r.Posts[0].File.Data
		if err := json.Unmarshal(data, &f); err != nil || len(data) > 1<<20 {
			h.T.Fatalf("%d bytes, %v:\n%.2000s", len(data), err, data)
		}
		if f.Format != "zevaka-mydata/1" || f.Person != strconv.FormatInt(user, 10) || f.Community != h.Place(1).Community.String() {
			h.T.Errorf("it is %+v", f)
		}
		if strings.Contains(string(data), `"P1"`) || strings.Contains(string(data), `seed`) {
			h.T.Errorf("it has what isn't theirs:\n%s", data)
		}
		all, button = append(all, f), ""
		if len(r.Posts[0].Buttons) > 0 {
			button = r.Posts[0].Buttons[0][0].Token
		}
		if f.More != (button != "") {
			h.T.Errorf("more: %v, and the button is %q", f.More, button)
		}
	}
	return all
}

// TestDataFile: the file has all that is kept about whoever asks for it, and nothing of anybody else.
func TestDataFile(t *testing.T) {
	h := lived(t)
	files := filesOf(h, somebody)
	if len(files) != 1 {
		t.Fatalf("%d files", len(files))
	}
	f := files[0]
	book := purse.Book{Store: h.Store, Community: f.Community}
	lines, err := book.History(t.Context(), somebody, 0, 1000)
	if err != nil || len(f.Ledger) != len(lines) || len(lines) == 0 || f.Ledger[0].Balance != h.Purse(somebody) {
		t.Errorf("%d entries of %d, %v: %+v", len(f.Ledger), len(lines), err, f.Ledger)
	}
	if f.Purse == nil || f.Purse.Balance != h.Purse(somebody) || f.Purse.Name != "P89" || f.Purse.Daily == "" {
		t.Errorf("the purse is %+v", f.Purse)
	}
	var games []string
	for _, s := range f.Scores {
		games = append(games, fmt.Sprint(s.Game, " ", s.Games, " ", s.Name))
	}
	if !slices.Contains(games, "banchok 2 P89") {
		t.Errorf("scores of %v", games)
	}
	kept := 0
	for tables, err := range h.FindIndex().PartsOf(t.Context(), f.Community, somebody, "") {
		if err != nil {
			t.Fatal(err)
		}
		kept += len(tables)
	}
	won := false
	for _, d := range f.Tables {
		won = won || d.Net != nil && *d.Net != 0
		if d.Name != "P89" || d.Seat == 0 && d.Net == nil && !d.Waiting || d.Opened == "" {
			t.Errorf("table %+v", d)
		}
	}
	if len(f.Tables) != kept || !won {
		t.Errorf("%d tables of %d: %+v", len(f.Tables), kept, f.Tables)
	}
	if f.Own == nil || len(f.Own.Called) != 1 || f.Own.Called[0].Channel != "1" {
		t.Errorf("of their own settings there are %+v", f.Own)
	}
	if text := bottest.FlatOf(h.Must(1, somebody, chat.Command, "/mydata")); !strings.Contains(text, "Your own settings: called to new tables.") {
		t.Errorf("they are told %q", text)
	}
	forgets(h)
	for _, d := range filesOf(h, somebody)[0].Tables {
		if d.Name == "P89" {
			t.Errorf("forgotten, and called %s", d.Name)
		}
	}
	if f := filesOf(h, 12345)[0]; f.Purse != nil || f.Ledger != nil || f.Tables != nil || f.Scores != nil {
		t.Errorf("of a stranger there is %+v", f)
	}
}

// TestDataFiles: what is too much for one file comes in several, each entry and each table once.
func TestDataFiles(t *testing.T) {
	h := bottest.NewHall(t)
	const gifts = 2*fileLines + 10
	origin := h.Place(1).Community.String()
	h.Must(1, somebody, chat.Command, "/daily")
	for n := range gifts {
		post(h, origin, fmt.Sprint("gift ", n), somebody)
	}
	for n := range int64(fileTables + 3) {
		h.Must(10+n, somebody, chat.Command, "/tecza deal=7")
	}
	var balances []int64
	tables := map[string]int{}
	files := filesOf(h, somebody)
	for _, f := range files {
		for _, l := range f.Ledger {
			balances = append(balances, l.Balance)
		}
		for _, d := range f.Tables {
			tables[d.Table]++
		}
	}
	if len(files) != 4 || len(balances) < gifts || len(tables) != fileTables+3 {
		t.Errorf("%d files, %d entries, %d tables", len(files), len(balances), len(tables))
	}
	for name, n := range tables {
		if n != 1 {
			t.Errorf("table %s is there %d times", name, n)
		}
	}
	if unique := slices.Compact(slices.Clone(balances)); len(unique) != len(balances) || balances[0] != h.Purse(somebody) {
		t.Errorf("%d different of %d", len(unique), len(balances))
	}
	for _, do := range []string{"!file 0", "!file -5"} {
		press := table.Token{Table: table.ID{Community: h.Place(1).Community, Name: table.NoTable}, Do: do}.String()
		if r := h.Ask(1, somebody, chat.Press, press); !h.Is(r, chat.ErrToken) {
			t.Errorf("%s is answered %+v", do, r)
		}
	}
}

// post grants a kopeck from the house.
func post(h *bottest.Hall, origin, id string, user int64) {
	h.T.Helper()
	err := storage.Update(h.T.Context(), h.Store, func(tx storage.Tx) error {
		_, err := purse.Ledger{Tx: tx, Community: origin, Now: 1}.Grant(id, user, 1)
		return err
	})
	if err != nil {
		h.T.Fatal(err)
	}
}

// TestOwnHour: at which hour one's private chat is told of the patience of the day stands in what is kept about one, there alone.
func TestOwnHour(t *testing.T) {
	a := bottest.NewAsides(t)
	at := a.Private(1)
	a.Does(1, at, chat.Command, "/day post 9+3")
	a.Does(bottest.Warden, a.Group, chat.Command, "/day post 10")
	const says = "The patience of the day comes to this chat every day at 9:00 UTC+3."
	if r := a.Does(1, at, chat.Command, "/mydata"); !strings.Contains(bottest.FlatOf(r), says) {
		t.Errorf("in private they are told %q", bottest.FlatOf(r))
	}
	if r := a.Does(1, a.Group, chat.Command, "/mydata"); strings.Contains(bottest.FlatOf(r), "every day") {
		t.Errorf("in the group they are told %q", bottest.FlatOf(r))
	}
	r := a.Does(1, at, chat.Press, table.PlaceToken(chat.Request{In: at}, "!file"))
	if r.Posts[0].File == nil || !strings.Contains(string(r.Posts[0].File.Data), `"patience_of_the_day_at": "9:00 UTC+3"`) {
		t.Errorf("the file is %+v", r.Posts[0].File)
	}
	a.Does(1, at, chat.Command, "/day post off")
	if r := a.Does(1, at, chat.Command, "/mydata"); bottest.FlatOf(r) != "Nothing is kept about you in this chat." {
		t.Errorf("afterwards they are told %q", bottest.FlatOf(r))
	}
}

// TestPrivacy: what is said follows what the operator has set, in every language, to the one who asks alone.
func TestPrivacy(t *testing.T) {
	saves := func(context.Context, []upkeep.Saved) error { return nil }
	for _, test := range []struct {
		name, lang string
		options    bot.Options
		want, not  []string
	}{
		{"for ever, by nobody", "en", bot.Options{}, []string{"for ever", "whoever added the bot", "/mydata", "/forgetme", "logs", "Backups"}, []string{"days", "archive"}},
		{"ninety days", "en", bot.Options{Keep: 90 * 24 * time.Hour, Contact: "Ann, ann@example.org"},
			[]string{"90 days", "Questions: Ann, ann@example.org"}, []string{"for ever", "archive", "whoever added"}},
		{"with an archive", "en", bot.Options{Keep: 2 * 24 * time.Hour, SaveRecords: saves}, []string{"2 days", "archive, without names"}, nil},
		{"an archive that nothing goes to", "en", bot.Options{SaveRecords: saves}, []string{"for ever"}, []string{"archive"}},
		{"ru", "ru", bot.Options{Keep: 21 * 24 * time.Hour, Contact: "Аня"}, []string{"через 21 день", "С вопросами: Аня"}, []string{"бессрочно"}},
		{"pl", "pl", bot.Options{Keep: 22 * 24 * time.Hour}, []string{"po 22 dniach", "dodała bota"}, []string{"bezterminowo"}},
	} {
		test.options.Store, test.options.Games = mem.New(), games.All()
		b, err := bot.New(t.Context(), test.options)
		if err != nil {
			t.Fatal(err)
		}
		who := bottest.User(1)
		who.Lang = test.lang
		r := bottest.Seen(t.Context(), b, chat.Request{ID: "ask", Kind: chat.Command, Who: who, Data: "/privacy", In: bottest.PlaceOf(1)})
		if len(r.Posts) != 1 || r.Posts[0].To == nil || r.Posts[0].To.ID != who.ID {
			t.Fatalf("%s: answered %+v", test.name, r)
		}
		text := words.Flat(r.Posts[0].Text)
		for _, want := range test.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: it doesn't say %q:\n%s", test.name, want, text)
			}
		}
		for _, not := range test.not {
			if strings.Contains(text, not) {
				t.Errorf("%s: it says %q:\n%s", test.name, not, text)
			}
		}
		if strings.ContainsAny(text, "{}") || len(text) > 2000 {
			t.Errorf("%s: it says, in %d bytes:\n%s", test.name, len(text), text)
		}
	}
}

// TestPrivacyInARoom: nobody adds the bot to a room, so that isn't who is to be asked there.
func TestPrivacyInARoom(t *testing.T) {
	b, err := bot.New(t.Context(), bot.Options{Store: mem.New(), Games: games.All()})
	if err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[string]string{"en": "whoever opened this room", "ru": "кто открыл эту комнату", "pl": "która otworzyła ten pokój"} {
		who := bottest.User(1)
		who.Lang = lang
		r := bottest.Seen(t.Context(), b, chat.Request{ID: lang, Kind: chat.Command, Who: who, Data: "/privacy", In: chat.Place{Community: chat.Community{Platform: chat.Web, ID: 1}, Channel: 1}})
		if len(r.Posts) != 1 || !strings.Contains(words.Flat(r.Posts[0].Text), want) {
			t.Errorf("%s: answered %+v", lang, r)
		}
	}
}
