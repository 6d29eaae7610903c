package bot

import (
	"math"
	"strings"
	"testing"
)

func TestToken(t *testing.T) {
	for _, test := range []struct {
		token token
		want  string
	}{
		{token{tableID{Community{Web, 1}, "abc"}, 2, "flip"}, "1.w1.abc.2.flip"},
		{token{tableID{Community{Telegram, -1001234567890}, "0z"}, 36, "put 3"}, "1.t-cryl7kya.0z.10.put 3"},
		{token{tableID{Community{Discord, math.MaxInt64}, "zzzzzzzzzz"}, 1 << 20, "!cut 777"}, "1.d1y2p0ij32e8e7.zzzzzzzzzz.mh34.!cut 777"},
	} {
		if got := test.token.String(); got != test.want || len(got) > MaxToken {
			t.Errorf("%+v is written %q, want %q", test.token, got, test.want)
		}
		if got, err := parseToken(test.want); err != nil || got != test.token {
			t.Errorf("%q is read as %+v, %v", test.want, got, err)
		}
	}
}

func TestForgedToken(t *testing.T) {
	for _, text := range []string{
		"", "1", "1....", "1.w1.abc.2.", "2.w1.abc.2.flip", "1.x1.abc.2.flip", "1.w.abc.2.flip", "1.w01.abc.2.flip",
		"1.w+1.abc.2.flip", "1.w1.ABC.2.flip", "1.w1.a/b.2.flip", "1.w1..2.flip", "1.w1.abcdefghijklmn.2.flip",
		"1.w1.abc.-1.flip", "1.w1.abc.zzzzzzzz.flip", "1.w1.abc.2.\xff", "1.w99999999999999999999.abc.2.flip",
		"1.w1.abc.2." + strings.Repeat("x", 60), strings.Repeat("1.", 5000),
	} {
		if got, err := parseToken(text); err != errToken {
			t.Errorf("%.80q is read as %+v, %v", text, got, err)
		}
	}
}

func FuzzToken(f *testing.F) {
	f.Add("1.w1.abc.2.flip")
	f.Add("1.t-cryl7kya.0z.10.!cut 777")
	f.Add("1.d1y2p0ij32e8e7.zzzzzzzzzz.mh34.put 3")
	f.Fuzz(func(t *testing.T, text string) {
		tok, err := parseToken(text)
		if err != nil {
			return
		}
		again, err := parseToken(tok.String())
		if err != nil || again != tok {
			t.Errorf("%q is read as %+v, written and read again as %+v, %v", text, tok, again, err)
		}
	})
}
