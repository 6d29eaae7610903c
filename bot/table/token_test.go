package table

import (
	"math"
	"strings"
	"testing"

	"zevaka/bot/chat"
)

func TestToken(t *testing.T) {
	for _, test := range []struct {
		token Token
		want  string
	}{
		{Token{ID{chat.Community{Platform: chat.Web, ID: 1}, "abc"}, 2, "flip"}, "1.w1.abc.2.flip"},
		{Token{ID{chat.Community{Platform: chat.Telegram, ID: -1001234567890}, "0z"}, 36, "put 3"}, "1.t-cryl7kya.0z.10.put 3"},
		{Token{ID{chat.Community{Platform: chat.Discord, ID: math.MaxInt64}, "zzzzzzzzzz"}, 1 << 20, "!cut 777"}, "1.d1y2p0ij32e8e7.zzzzzzzzzz.mh34.!cut 777"},
	} {
		if got := test.token.String(); got != test.want || len(got) > MaxToken {
			t.Errorf("%+v is written %q, want %q", test.token, got, test.want)
		}
		if got, err := ParseToken(test.want); err != nil || got != test.token {
			t.Errorf("%q is read as %+v, %v", test.want, got, err)
		}
	}
}

func TestForgedToken(t *testing.T) {
	for _, text := range []string{
		"", "1", "1....", "1.w1.abc.2.", "2.w1.abc.2.flip", "1.X1.abc.2.flip", "1.11.abc.2.flip", "1.w.abc.2.flip", "1.w01.abc.2.flip",
		"1.w+1.abc.2.flip", "1.w1.ABC.2.flip", "1.w1.a/b.2.flip", "1.w1..2.flip", "1.w1.abcdefghijklmn.2.flip",
		"1.w1.abc.-1.flip", "1.w1.abc.zzzzzzzz.flip", "1.w1.abc.2.\xff", "1.w99999999999999999999.abc.2.flip",
		"1.w1.abc.2." + strings.Repeat("x", 60), strings.Repeat("1.", 5000),
	} {
		if got, err := ParseToken(text); err != chat.ErrToken {
			t.Errorf("%.80q is read as %+v, %v", text, got, err)
		}
	}
}

func FuzzToken(f *testing.F) {
	f.Add("1.w1.abc.2.flip")
	f.Add("1.t-cryl7kya.0z.10.!cut 777")
	f.Add("1.d1y2p0ij32e8e7.zzzzzzzzzz.mh34.put 3")
	f.Fuzz(func(t *testing.T, text string) {
		tok, err := ParseToken(text)
		if err != nil {
			return
		}
		again, err := ParseToken(tok.String())
		if err != nil || again != tok {
			t.Errorf("%q is read as %+v, written and read again as %+v, %v", text, tok, again, err)
		}
	})
}
