package replay_test

import (
	"bytes"
	"context"
	"fmt"
	"image/gif"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/bot"
	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/bot/keyspace"
	"zevaka/bot/replay"
	"zevaka/bot/table"
	"zevaka/engine"
	"zevaka/engine/games"
)

// buttonsOf are the buttons of an answer by what stands on them.
func buttonsOf(r chat.Response) map[string]string {
	all := map[string]string{}
	for _, p := range r.Posts {
		for _, row := range p.Buttons {
			for _, b := range row {
				all[b.Label] = b.Token
			}
		}
	}
	return all
}

// shows are the tables that a page of the list of games leads to, in its order.
func shows(r chat.Response) (names []string) {
	for _, p := range r.Posts {
		for _, row := range p.Buttons {
			for _, b := range row {
				if tok, err := table.ParseToken(b.Token); err == nil && tok.Do == replay.Do {
					names = append(names, tok.Table.Name)
				}
			}
		}
	}
	return names
}

// lineUp has some games end in two channels, a minute apart, and returns those of the first one, the newest first.
func lineUp(h *bottest.Hall, n int) (all []string) {
	for i := range n {
		h.Wall += time.Minute
		game := []string{"tecza", "zaba"}[i%2]
		id := h.PlayOne(1, int64(1+i%3), chat.Command, fmt.Sprint("/", game, " deal=", i))
		all = slices.Insert(all, 0, id.Name)
	}
	h.PlayOne(2, 1, chat.Command, "/tecza deal=7")
	return all
}

// TestHistory: the list has all games that have ended in a place, each once and the newest first, page by page; also those of one
// game, of one player and of both; nothing of another place; and the same after the community has got another ID.
func TestHistory(t *testing.T) {
	const n = 30
	h := bottest.NewHall(t)
	all := lineUp(h, n)
	every := func(step, from int) (some []string) {
		for i := from; i < n; i += step {
			some = append(some, all[n-1-i])
		}
		slices.Reverse(some)
		return some
	}
	pages := func(line string) (names []string) {
		r := h.Must(1, 2, chat.Command, line)
		for range n {
			page := shows(r)
			names = append(names, page...)
			older := buttonsOf(r)["Older"]
			if older == "" {
				break
			}
			if len(page) != 8 {
				t.Errorf("%s: a page that isn't the last has %d games", line, len(page))
			}
			if r = h.Must(1, 2, chat.Press, older); r.Posts[0].To == nil || r.Posts[0].To.ID != 2 {
				t.Errorf("%s: a page is for %+v", line, r.Posts[0].To)
			}
		}
		return names
	}
	check := func() {
		t.Helper()
		for line, want := range map[string][]string{
			"/history": all, "/history tecza": every(2, 0), "/history rainbow": every(2, 0), "/history P1": every(3, 0),
			"/history <@3>": every(3, 2), "/history me": every(3, 1), "/history zaba P1": every(6, 3), "/history pauk": nil,
		} {
			if got := pages(line); !slices.Equal(got, want) {
				t.Errorf("%s has\n%v, not\n%v", line, got, want)
			}
		}
	}
	check()
	h.Audit()
	to := chat.Community{Platform: chat.Telegram, ID: -1077}
	h.Moved(h.Place(1).Community, to)
	h.At = to
	check()
	if r := h.Must(1, 1, chat.Press, buttonsOf(h.Must(1, 1, chat.Command, "/history"))["▶ 1"]); len(r.Posts) != 1 {
		t.Errorf("after the move a game is shown in %d posts", len(r.Posts))
	}
	for _, line := range []string{"/history Nobody", "/history nogame", "/replay 9", "/replay -1", "/replay " + all[0] + "x"} {
		if r := h.Ask(1, 1, chat.Command, line); !r.Alert || r.Toast == "" {
			t.Errorf("%s is answered %+v", line, r)
		}
	}
	for _, arg := range []string{"tecza", "tecza 1", "tecza 1 .", "x - abcdefghi", "- 0 abcdefghi", "- x! abcdefghi", "- - abc def"} {
		if r := h.Ask(1, 1, chat.Press, table.PlaceToken(chat.Request{In: h.Place(1)}, "!games "+arg)); !r.Alert {
			t.Errorf("a button with %q is answered %+v", arg, r)
		}
	}
}

// TestHistoryAtOnce: who played it finds a game before its last picture was shown, which a platform may keep waiting; everybody does
// from then on, once.
func TestHistoryAtOnce(t *testing.T) {
	h := bottest.NewHall(t)
	before := h.PlayOne(1, 1, chat.Command, "/tecza deal=7")
	h.Wall += time.Minute
	last := h.PlayZevaka(1, 1, 2)
	want := func(user int64, line string, names ...string) {
		t.Helper()
		if got := shows(h.Must(1, user, chat.Command, line)); !slices.Equal(got, names) {
			t.Errorf("P%d reads of %v by %s, want %v", user, got, line, names)
		}
	}
	want(1, "/history", last.Name, before.Name)
	want(2, "/history zevaka", last.Name)
	want(2, "/history zaba")
	want(2, "/history me", last.Name)
	want(3, "/history", before.Name)
	if r := h.Must(1, 1, chat.Command, "/replay"); !strings.Contains(bottest.FlatOf(r), "Zevaka") {
		t.Errorf("/replay shows %q", bottest.FlatOf(r))
	}
	h.Must(2, 1, chat.Command, "/zevaka")
	want(1, "/history", last.Name, before.Name)
	h.LookedAt()
	for user := int64(1); user <= 3; user++ {
		want(user, "/history", last.Name, before.Name)
	}
}

// TestHistoryForgets: whoever is forgotten is a guest in the list and in what is shown again, and isn't found by name.
func TestHistoryForgets(t *testing.T) {
	h := bottest.NewHall(t)
	h.PlayOne(1, 1, chat.Command, "/tecza deal=7")
	h.Sure(1, 1, chat.Command, "/forgetme")
	r := h.Must(1, 2, chat.Command, "/history")
	again := h.Must(1, 2, chat.Press, buttonsOf(r)["▶ 1"])
	if said := bottest.FlatOf(r) + bottest.FlatOf(again); strings.Contains(said, "P1") || !strings.Contains(said, "Guest") {
		t.Errorf("the list and the game are\n%s", said)
	}
	if r := h.Ask(1, 2, chat.Command, "/history P1"); !r.Alert {
		t.Errorf("they are found: %+v", r)
	}
}

// TestHistoryLeaves: what has left the store isn't listed any more.
func TestHistoryLeaves(t *testing.T) {
	h := bottest.NewHall(t)
	h.Keep = 48 * time.Hour
	h.Restart()
	lineUp(h, 3)
	h.Wall += 49 * time.Hour
	if _, err := h.Keeper(h.Store, 0).Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	for key := range h.Everything() {
		if strings.HasPrefix(key, keyspace.Played) || strings.HasPrefix(key, keyspace.EndedParts) {
			t.Errorf("%s has stayed", key)
		}
	}
	if r := h.Must(1, 1, chat.Command, "/history"); len(buttonsOf(r)) != 0 {
		t.Errorf("the list is %s", bottest.FlatOf(r))
	}
}

// TestReplayOnlyOfEnded: nothing is shown of a game that goes on, whoever asks and however; and of one that has ended nothing to
// whoever isn't where it was played.
func TestReplayOnlyOfEnded(t *testing.T) {
	h := bottest.Street(t)
	asks := []string{replay.Do, replay.Do + " 0", replay.Do + " 1 all", replay.DoFilm, replay.DoRecord}
	for channel := int64(1); channel <= 5; channel++ {
		for _, do := range asks {
			token := table.Token{Table: h.Table(channel).ID, Do: do}.String()
			for _, user := range []int64{1, 9, bottest.Warden} {
				if r := h.Ask(channel, user, chat.Press, token); !r.Alert || len(r.Posts) > 0 {
					t.Errorf("P%d is answered %q in channel %d: %+v", user, do, channel, r)
				}
			}
		}
	}
	id := h.PlayOne(6, 1, chat.Command, "/tecza deal=7")
	elsewhere := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: -99}, Channel: -99}
	own := chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: 9}, Channel: 9, Private: true}
	for _, do := range asks {
		token := table.Token{Table: id, Do: do}.String()
		for _, in := range []chat.Place{h.Place(1), elsewhere, own} {
			h.Asked++
			r := h.Bot.Handle(t.Context(), chat.Request{ID: fmt.Sprint("ask ", h.Asked), Kind: chat.Press, Who: bottest.User(9), Data: token, In: in})
			if !r.Alert || len(r.Posts) > 0 {
				t.Errorf("%q from %+v is answered %+v", do, in, r)
			}
		}
	}
	for _, bad := range []string{" x", " -1", " 99999999999", " 1.5"} {
		if r := h.Ask(6, 1, chat.Press, table.Token{Table: id, Do: replay.Do + bad}.String()); !r.Alert {
			t.Errorf("%q is answered %+v", bad, r)
		}
	}
	h.ChangeEnded(id, func(t *table.Table) { t.Rev++ })
	if r := h.Ask(6, 1, chat.Press, table.Token{Table: id, Do: replay.Do}.String()); !r.Alert {
		t.Errorf("a game by other rules is shown: %+v", r)
	}
}

// TestReplaySteps: the buttons go through a game move by move, the first press shows it anew and each further one in its place, and
// every button of a message is another one.
func TestReplaySteps(t *testing.T) {
	h := bottest.NewHall(t)
	h.Must(1, 1, chat.Command, "/zevaka computers=1 now")
	for range 40 {
		h.Bot.Ring(t.Context(), func(context.Context, chat.Response) {})
		now := h.Table(1)
		state := h.State(now)
		if turn := state.Turn(); len(turn) > 0 && now.Chairs[turn[0]].User == 1 {
			moves := state.Moves(turn[0], nil)
			h.Ask(1, 1, chat.Press, h.Button(1, h.Games[now.Game].Text(moves[0])))
		} else {
			h.Running += 10 * time.Second
		}
	}
	id := h.Table(1).ID
	h.Sure(1, 1, chat.Command, "/stop")
	h.ShowLast(id)
	moves := h.Look(id).Moves
	if moves < 20 {
		t.Fatalf("only %d moves were made", moves)
	}
	r := h.Must(1, 5, chat.Press, table.Token{Table: id, Do: replay.Do}.String())
	seen := map[string]bool{}
	for n := range moves + 3 {
		tokens := map[string]bool{}
		for _, token := range buttonsOf(r) {
			if tokens[token] {
				t.Errorf("move %d: two buttons are %s", n, token)
			}
			tokens[token] = true
		}
		if seen[bottest.FlatOf(r)] && n <= moves {
			t.Errorf("move %d looks like another one:\n%s", n, bottest.FlatOf(r))
		}
		seen[bottest.FlatOf(r)] = true
		h.Asked++
		r = h.Bot.Handle(t.Context(), chat.Request{ID: fmt.Sprint("ask ", h.Asked), Kind: chat.Press, Who: bottest.User(5), Data: buttonsOf(r)["▶"], In: h.Place(1), On: "that"})
		if r.Alert || r.Posts[0].Edit != "that" || r.Posts[0].To == nil {
			t.Fatalf("move %d: %+v", n, r)
		}
	}
	last := h.Must(1, 5, chat.Press, buttonsOf(r)["⏭"])
	if bottest.FlatOf(last) != bottest.FlatOf(r) {
		t.Errorf("the end is\n%s\nand\n%s", bottest.FlatOf(last), bottest.FlatOf(r))
	}
	if first := h.Must(1, 5, chat.Press, buttonsOf(r)["⏮"]); bottest.FlatOf(first) == bottest.FlatOf(last) || len(seen) != moves+1 {
		t.Errorf("%d positions of %d moves were seen", len(seen), moves)
	}
}

// TestRecordGiven: the record that is given away is one that is read and found to be right; with a move changed it says at which
// move it breaks.
func TestRecordGiven(t *testing.T) {
	h := bottest.NewHall(t)
	for _, rules := range games.All() {
		info := rules.Info()
		if !info.ForOne() {
			continue
		}
		h.Must(1, 1, chat.Command, "/patience "+info.Name+" deal=5")
		now := h.Table(1)
		first := h.State(now).Moves(0, nil)[0]
		h.Must(1, 1, chat.Press, h.Button(1, rules.Text(first)))
		h.Sure(1, 1, chat.Command, "/giveup")
		id := now.ID
		h.ShowLast(id)
		r := h.Must(1, 2, chat.Press, table.Token{Table: id, Do: replay.DoRecord}.String())
		file := r.Posts[0].File
		record, err := engine.ParseRecord(bytes.TrimSpace(file.Data))
		if err == nil {
			err = engine.Replay(rules, record, nil)
		}
		if err != nil || !strings.HasSuffix(file.Name, ".json") || len(record.Moves) == 0 {
			t.Errorf("%s: %s is %s: %v", info.Name, file.Name, file.Data, err)
		}
		record.Moves[len(record.Moves)-1] = "0 put f9 f9"
		want := fmt.Sprint("move ", len(record.Moves))
		if err := engine.Replay(rules, record, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: changed it is told %v", info.Name, err)
		}
	}
}

// TestFilm: the animated picture of a game is one that is read, and shows each move.
func TestFilm(t *testing.T) {
	h := bottest.NewHall(t)
	id := h.PlayOne(1, 1, chat.Command, "/tecza deal=7")
	painting, err := bot.New(t.Context(), bot.Options{Store: h.Store, Games: games.All(), Pictures: true})
	if err != nil {
		t.Fatal(err)
	}
	r := painting.Handle(t.Context(), chat.Request{
		ID: "film", Kind: chat.Press, Who: bottest.User(2), In: h.Place(1), Data: table.Token{Table: id, Do: replay.DoFilm}.String(),
	})
	if r.Alert {
		t.Fatal(r.Toast)
	}
	file := r.Posts[0].File
	film, err := gif.DecodeAll(bytes.NewReader(file.Data))
	if err != nil || !file.Moves() || len(film.Image) != h.Look(id).Moves+1 {
		t.Fatalf("%s has %d bytes: %v", file.Name, len(file.Data), err)
	}
}
