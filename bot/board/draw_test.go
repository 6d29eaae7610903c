package board_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"zevaka/bot"
	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
	"zevaka/bot/words"
	"zevaka/engine"
	"zevaka/engine/games"
	"zevaka/storage/mem"
)

// checked is the pack of 52 that the script in docs/proof.md prints for a seed and no cut.
func checked(t *testing.T, seed string) []string {
	t.Helper()
	raw, err := hex.DecodeString(seed)
	if err != nil {
		t.Fatal(err)
	}
	digest := func(key []byte, text string) []byte {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(text))
		return h.Sum(nil)
	}
	key, block, stream := digest(raw, ""), 0, []byte(nil)
	word := func() uint64 {
		if len(stream) == 0 {
			stream = digest(key, fmt.Sprintf("shuffle:0:%d", block))
			block++
		}
		n := binary.BigEndian.Uint32(stream)
		stream = stream[4:]
		return uint64(n)
	}
	var pack []string
	for _, suit := range "♠♣♦♥" {
		for _, rank := range []string{"2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"} {
			pack = append(pack, rank+string(suit))
		}
	}
	for n := uint64(52); n > 1; n-- {
		w := word()
		for w >= 1<<32/n*n {
			w = word()
		}
		pack[n-1], pack[w%n] = pack[w%n], pack[n-1]
	}
	return pack
}

// international is a card as it is written in English.
func international(card, lang string) string {
	own := map[string][]string{"ru": {"В", "J", "Д", "Q", "К", "K", "Т", "A"}, "pl": {"W", "J", "D", "Q"}, "en": nil}[lang]
	return strings.NewReplacer(own...).Replace(card)
}

// TestDrawIsAsChecked: all cards that Check tells of the draw are those of that script, ties, too, and
// whoever drew the lowest deals.
func TestDrawIsAsChecked(t *testing.T) {
	drew := regexp.MustCompile(`P(\d+) ([^,(]*[♠♣♦♥])`)
	ties, each := 0, 3**rounds
	for number, lang := range words.Tags() {
		h := newDraws(t, lang, uint64(number))
		for seats := 2; seats <= 12; seats++ {
			for range each {
				text := h.draw(seats)
				_, drawn, _ := strings.Cut(text, "\n\n")
				first, rest, _ := strings.Cut(drawn, ":")
				seed := regexp.MustCompile(`[0-9a-f]{64}$`).FindString(rest)
				shown := make([][]string, seats)
				for i, one := range drew.FindAllStringSubmatch(strings.Split(rest, seed)[0], -1) {
					if i >= seats || one[1] != fmt.Sprint(i+1) {
						t.Fatalf("%s", text)
					}
					shown[i] = strings.Split(international(one[2], lang), " → ")
				}
				pack, tied := checked(t, seed), []int(nil)
				for seat := range seats {
					tied = append(tied, seat)
				}
				for round := 0; len(tied) > 1; round++ {
					ties += min(round, 1)
					tied = lowest(t, text, pack, shown, tied, round)
					pack = pack[len(shownIn(shown, round)):]
				}
				if dealer := fmt.Sprintf("P%d", tied[0]+1); !slices.Contains(regexp.MustCompile(`P\d+`).FindAllString(first, -1), dealer) {
					t.Errorf("%s drew the lowest card:\n%s", dealer, text)
				}
			}
		}
	}
	if ties < 5*each {
		t.Errorf("only %d ties", ties)
	}
}

// shownIn are the cards that were drawn in a round, in order of joining.
func shownIn(shown [][]string, round int) []string {
	var cards []string
	for _, own := range shown {
		if round < len(own) {
			cards = append(cards, own[round])
		}
	}
	return cards
}

// lowest are those of the tied who drew the lowest card in the round, as shown and as checked.
func lowest(t *testing.T, text string, pack []string, shown [][]string, tied []int, round int) []int {
	t.Helper()
	if got := shownIn(shown, round); !slices.Equal(got, pack[:len(tied)]) {
		t.Fatalf("in round %d it shows %v, and the check %v:\n%s", round+1, got, pack[:len(tied)], text)
	}
	best, low := 99, []int(nil)
	for i, seat := range tied {
		rank := slices.Index(strings.Split("2 3 4 5 6 7 8 9 10 J Q K A", " "), strings.TrimRight(pack[i], "♠♣♦♥"))
		switch {
		case rank < best:
			best, low = rank, []int{seat}
		case rank == best:
			low = append(low, seat)
		}
	}
	return low
}

// draws is a bot that deals in one language.
type draws struct {
	t     *testing.T
	bot   *bot.Bot
	lang  string
	asked int
}

func newDraws(t *testing.T, lang string, salt uint64) *draws {
	t.Helper()
	n := salt << 32
	b, err := bot.New(context.Background(), bot.Options{Store: mem.New(), Games: games.All(), Seed: func() (seed engine.Seed) {
		n++
		binary.BigEndian.PutUint64(seed[:], n)
		return seed
	}})
	if err != nil {
		t.Fatal(err)
	}
	return &draws{t: t, bot: b, lang: lang}
}

// draw seats so many people in a community of its own, in order of their names, and is what they are told who check the draw.
func (d *draws) draw(seats int) string {
	d.t.Helper()
	channel := int64(d.asked + 1)
	var found string
	press := map[string]string{}
	ask := func(user int, kind chat.Kind, data string) {
		d.t.Helper()
		d.asked++
		response := d.bot.Handle(context.Background(), chat.Request{
			ID: fmt.Sprint(d.lang, d.asked), Kind: kind, Data: data, Who: chat.User{ID: int64(user), Name: fmt.Sprint("P", user), Lang: d.lang},
			In: chat.Place{Community: chat.Community{Platform: chat.Web, ID: channel}, Channel: channel, Lang: d.lang},
		})
		for _, p := range chattest.Drawn(response).Posts {
			if p.Table == "" {
				found = words.Flat(p.Text)
			}
			for _, row := range p.Buttons {
				for _, b := range row {
					do := b.Token[strings.LastIndexByte(b.Token, '.')+1:]
					verb, _, _ := strings.Cut(do, " ")
					press[do], press[verb] = b.Token, b.Token
				}
			}
		}
	}
	game := "/zevaka"
	if seats > 6 || d.asked%2 == 0 {
		game = "/banchok"
	}
	ask(1, chat.Command, game)
	for user := 2; user <= seats; user++ {
		ask(user, chat.Press, press["!join"])
	}
	ask(1, chat.Press, press["!deal"])
	ask(seats, chat.Press, press["!check"])
	for user := 1; user <= seats; user++ {
		ask(user, chat.Press, press["!cut 7"])
	}
	return found
}
