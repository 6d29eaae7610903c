package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// plays are the kinds of games that the tests play: the seats, then the options.
var plays = []string{
	"4",
	"4 penalty=auto",
	"2 pack=52",
	"3 pack=52 penalty=call",
	"5 deal=stock",
	"6 deal=stock pack=52 others=off penalty=auto end=first",
	"2 deal=stock penalty=call open=off",
	"5 centre=rank open=off end=first",
	"6 centre=rank pack=52 penalty=call end=first",
}

// simulated is the output of a simulation of one of the plays.
func simulated(t *testing.T, play string, args ...string) string {
	t.Helper()
	fields := strings.Fields(play)
	call := append([]string{"simulate", "zevaka", "--seats", fields[0]}, args...)
	for _, option := range fields[1:] {
		call = append(call, "-o", option)
	}
	return good(t, "", call...)
}

// paper is a record or a position as anybody can read it.
type paper struct {
	V       int
	Game    string
	Options map[string]string
	Seats   int
	Seed    string
	Cut     string
	Moves   []string
	Outcome *struct {
		Places []int
		Ties   [][]int
	}

	N     int
	Move  string
	Turn  int
	Piles map[string][]string
	Over  bool
}

// papers reads lines of JSON.
func papers(t *testing.T, text string) []paper {
	t.Helper()
	var all []paper
	for line := range strings.Lines(text) {
		var p paper
		dec := json.NewDecoder(strings.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&p); err != nil {
			t.Fatalf("%v in %.200s", err, line)
		}
		all = append(all, p)
	}
	return all
}

// shuffled is the order of the pack, written from RECORDS.md, "Cards, packs, shuffles", and not by the engine.
func shuffled(pack []string, seed, cut string) []string {
	secret, _ := hex.DecodeString(seed)
	mac := func(key []byte, text string) []byte {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(text))
		return h.Sum(nil)
	}
	key := mac(secret, cut)
	var stream []byte
	for i, block := len(pack)-1, 0; i > 0; {
		if len(stream) == 0 {
			stream = mac(key, "shuffle:0:"+strconv.Itoa(block))
			block++
		}
		word, n := uint64(binary.BigEndian.Uint32(stream)), uint64(i+1)
		stream = stream[4:]
		if word < (1<<32)/n*n {
			pack[i], pack[word%n] = pack[word%n], pack[i]
			i--
		}
	}
	return pack
}

// dealt is the position after the deal, written from RULES.md 1.1 and 1.3 alone.
func dealt(r paper) map[string][]string {
	ranks := "6789TJQKA"
	if r.Options["pack"] == "52" {
		ranks = "2345" + ranks
	}
	var pack []string
	for _, suit := range "SCDH" {
		for _, rank := range ranks {
			pack = append(pack, string(rank)+string(suit))
		}
	}
	pack = shuffled(pack, r.Seed, r.Cut)
	piles := map[string][]string{"centre": {}, "flipped": {}, "stock": {}}
	for seat := range r.Seats {
		piles[fmt.Sprint("closed", seat)], piles[fmt.Sprint("open", seat)] = []string{}, []string{}
	}
	if r.Options["deal"] == "stock" {
		piles["centre"], piles["stock"] = pack[:1:1], pack[1:]
		slices.Reverse(piles["stock"])
		return piles
	}
	for i, card := range pack {
		pile := fmt.Sprint("closed", i%r.Seats)
		piles[pile] = append(piles[pile], card)
	}
	return piles
}

// TestRoundTrip: what is simulated is what is replayed, by skilled players and by random ones, and the deals are those
// that anybody can work out.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for i, play := range plays {
		skills := []string{"0.8", "random"}
		if i < 2 {
			skills = append(skills, "0", "1")
		}
		for _, skill := range skills {
			t.Run(play+" skill "+skill, func(t *testing.T) {
				t.Parallel()
				file := filepath.Join(t.TempDir(), "states")
				records := simulated(t, play, "--games", "4", "--seed", "a b", "--skill", skill, "--states", file)
				states := good(t, records, "replay", "--states")
				written, err := os.ReadFile(file)
				if err != nil || string(written) != states {
					t.Errorf("the positions of simulate and replay differ (%v)", err)
				}
				if again := good(t, records, "replay", "-"); again != "" {
					t.Errorf("replay without --states prints %.100q", again)
				}
				checkRecords(t, papers(t, records), papers(t, states))
			})
		}
	}
}

// checkRecords compares simulated records with RECORDS.md, "A record", and with their positions.
func checkRecords(t *testing.T, records, states []paper) {
	t.Helper()
	if len(records) != 4 {
		t.Fatalf("%d records", len(records))
	}
	for i, r := range records {
		seed := sha256.Sum256([]byte("simulate:a b:" + strconv.Itoa(i)))
		if r.V != 1 || r.Game != "zevaka" || len(r.Options) != 7 || r.Seed != hex.EncodeToString(seed[:]) || r.Cut != strconv.Itoa(i) {
			t.Errorf("record %d has another head: %+v", i, r)
		}
		if len(states) <= len(r.Moves) {
			t.Fatalf("record %d: %d moves, %d positions left", i, len(r.Moves), len(states))
		}
		if want := dealt(r); !reflect.DeepEqual(states[0].Piles, want) {
			t.Errorf("record %d: dealt %v, want %v", i, states[0].Piles, want)
		}
		for n, st := range states[:len(r.Moves)+1] {
			cards := 0
			for _, pile := range st.Piles {
				cards += len(pile)
			}
			last := n == len(r.Moves)
			if st.N != n || n > 0 && st.Move != r.Moves[n-1] || st.Over != last || (st.Turn == -1) != last || strconv.Itoa(cards) != r.Options["pack"] {
				t.Fatalf("record %d: position %d is wrong: %+v", i, n, st)
			}
		}
		states = states[len(r.Moves)+1:]
		if r.Outcome == nil || len(r.Outcome.Places) != r.Seats {
			t.Errorf("record %d: outcome %+v", i, r.Outcome)
		}
	}
	if len(states) != 0 {
		t.Errorf("%d positions too many", len(states))
	}
}

// TestSameSeedSameGames: a simulation is the same at every call, and its first games are those of a shorter one.
func TestSameSeedSameGames(t *testing.T) {
	t.Parallel()
	for _, skill := range []string{"0.8", "random"} {
		first := simulated(t, "4 penalty=call", "--games", "10", "--seed", "ё", "--skill", skill)
		if again := simulated(t, "4 penalty=call", "--games", "10", "--seed", "ё", "--skill", skill); again != first {
			t.Errorf("skill %s: the same call made other games", skill)
		}
		if short := simulated(t, "4 penalty=call", "--games", "3", "--seed", "ё", "--skill", skill); !strings.HasPrefix(first, short) || strings.Count(short, "\n") != 3 {
			t.Errorf("skill %s: 3 games are not the first of 10", skill)
		}
		if other := simulated(t, "4 penalty=call", "--games", "10", "--seed", "е", "--skill", skill); other == first {
			t.Errorf("skill %s: another seed made the same games", skill)
		}
	}
}

// TestDefaults: without flags one game for four is played; none is played if none is asked for.
func TestDefaults(t *testing.T) {
	t.Parallel()
	records := papers(t, good(t, "", "simulate", "zevaka"))
	if len(records) != 1 || records[0].Seats != 4 || records[0].Options["pack"] != "36" {
		t.Errorf("got %+v", records)
	}
	if out := good(t, "", "simulate", "zevaka", "--games", "0"); out != "" {
		t.Errorf("no games print %q", out)
	}
}

// TestSpeedIsSaidAside: standard output has nothing but records, standard error the speed and no bar.
func TestSpeedIsSaidAside(t *testing.T) {
	t.Parallel()
	end := zevaka(t, "", "simulate", "zevaka", "--games", "5")
	if end.code != 0 || strings.Count(end.out, "\n") != 5 || !strings.HasPrefix(end.err, "5 games, ") ||
		!strings.Contains(end.err, "moves a second") || strings.Contains(end.err, "\r") {
		t.Errorf("exit %d, %q", end.code, end.err)
	}
}

// TestReaderLeaves: whoever reads only the first record hears no complaint.
func TestReaderLeaves(t *testing.T) {
	t.Parallel()
	var errs strings.Builder
	cmd := command(t, "simulate", "zevaka", "--games", "10000000")
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	out.Close()
	if err := cmd.Wait(); err == nil || errs.Len() > 0 {
		t.Errorf("ended with %v, said %q", err, errs.String())
	}
}
