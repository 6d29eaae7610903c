//go:build browser

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"zevaka/adapters/browsertest"
	"zevaka/engine"
	"zevaka/engine/zevaka"
)

// played is the record of a short game that several have cut.
func played(t *testing.T) string {
	t.Helper()
	rules := zevaka.Rules{}
	options := map[string]string{}
	for _, o := range rules.Info().Options {
		options[o.Name] = o.Values[0]
	}
	r := engine.Record{Game: rules.Info().Name, Options: options, Seats: 2, Seed: engine.NumberedSeed("page", 1), Cuts: []string{"7", "осень"}}
	st, err := rules.Deal(engine.Setup{Seats: r.Seats, Options: r.Options}, r.Shuffler())
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		seat := st.Turn()[0]
		step := engine.Step{Seat: seat, Move: st.Idle(seat)}
		if _, err := st.Apply(step); err != nil {
			t.Fatal(err)
		}
		r.Moves = append(r.Moves, engine.StepText(rules, step))
	}
	text, err := r.Marshal(rules.Info())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPage makes the page, opens it from the disk in a browser without a network, and has it check records: one that is in order, one
// with a move changed, and what is none.
func TestPage(t *testing.T) {
	browser := browsertest.Browser{Flags: map[string]any{"host-resolver-rules": "MAP * ~NOTFOUND"}}
	defer browser.Close()
	window := browser.Window(t)
	path := filepath.Join(t.TempDir(), "verify.html")
	if err := run(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 3<<20 {
		t.Errorf("the page has %d bytes: %v", info.Size(), err)
	}
	good := played(t)
	proof, err := engine.Prove(zevaka.Rules{}, parsed(t, good))
	if err != nil {
		t.Fatal(err)
	}
	first := []string{}
	for _, c := range proof.Packs[0][:3] {
		first = append(first, strings.NewReplacer("T", "10", "S", "♠", "C", "♣", "D", "♦", "H", "♥").Replace(c.String()))
	}
	if err := chromedp.Do(window, chromedp.Navigate("file://"+path)); err != nil {
		t.Fatal(err)
	}
	// Elements are found by the page itself: a search from outside goes through all of its text, which is the program.
	do := func(script string) string {
		t.Helper()
		told, err := chromedp.Run(window, chromedp.Evaluate[string](`String(`+script+`)`))
		if err != nil {
			t.Fatal(err)
		}
		return told
	}
	if _, err := chromedp.Run(window, chromedp.Poll[bool](`at("check").disabled === false`, chromedp.WithPollingTimeout(time.Minute))); err != nil {
		t.Fatalf("the program doesn't begin: %v", err)
	}
	for _, test := range []struct {
		lang, record string
		want         []string
	}{
		{"en", good, []string{"All is as recorded.", proof.Commitment, "seat 2: осень", strings.Join(first, " "), "20 / 20"}},
		{"pl", good, []string{"Wszystko się zgadza.", proof.Commitment}},
		{"ru", strings.Replace(good, `"0 flip"`, `"0 keep"`, 1), []string{"Запись не сходится: ход 1, “0 keep”: ", proof.Commitment}},
		{"en", "hello", []string{"this is no record"}},
		{"ru", good, []string{"Всё так, как записано."}},
	} {
		text, _ := json.Marshal(test.record)
		do(`document.querySelector('nav button[lang="` + test.lang + `"]').click()`)
		do(`at("record").value = ` + string(text))
		do(`at("check").click()`)
		told := do(`at("told").innerText`)
		for _, want := range test.want {
			if !strings.Contains(told, want) {
				t.Errorf("%s: it doesn't say %q:\n%s", test.lang, want, told)
			}
		}
	}
	many := `tell({ game: "zevaka", commitment: "x", cuts: [""], packs: Array(100000).fill(["9H"]) })`
	if n := do(`(` + many + `, document.querySelectorAll(".pack").length)`); n != "200" {
		t.Errorf("of 100,000 packs it shows %s", n)
	}
	const large = `(() => {
		const files = new DataTransfer();
		files.items.add(new File([new Uint8Array(9 << 20)], "large.json"));
		at("file").files = files.files;
		at("record").value = "";
		at("file").onchange();
		return at("told").innerText + at("record").value.length;
	})()`
	if told := do(large); !strings.Contains(told, "9437184 > 8388608") || !strings.HasSuffix(told, "0") {
		t.Errorf("a file of 9 MB: %.200s", told)
	}
	if asked := do(`performance.getEntriesByType("resource").length`); asked != "0" {
		t.Errorf("it has asked for %s files", asked)
	}
}

func parsed(t *testing.T, text string) engine.Record {
	t.Helper()
	r, err := engine.ParseRecord([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}
