package table

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"zevaka/bot/chat"
	"zevaka/engine"
)

// filled gives every part of a value something that isn't zero. What a platform knows of a place beside its name is not
// stored under another name, and ID, Seen, Tail and what is written have ways of their own.
func filled(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem(), n)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				filled(v.Field(i), n)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		filled(v.Index(0), n)
		filled(v.Index(1), n)
	case reflect.Array:
		for i := range v.Len() {
			filled(v.Index(i), n)
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{fmt.Sprint("k", *n): fmt.Sprint("v", *n)}))
	case reflect.String:
		v.SetString(fmt.Sprintf("Аня \"%d\" <\\>\n", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*n%100 + 1))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		v.SetUint(uint64(*n%100 + 1))
	case reflect.Uint64:
		v.SetUint(1<<63 + uint64(*n))
	default:
		panic(fmt.Sprint("a table with a ", v.Kind()))
	}
}

// leaves changes one thing after the other in a value, in place, and calls each for every change.
func leaves(v reflect.Value, path string, each func(path string)) {
	switch v.Kind() {
	case reflect.Pointer:
		leaves(v.Elem(), path, each)
		return
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				leaves(v.Field(i), path+"."+f.Name, each)
			}
		}
		return
	case reflect.Slice:
		for i := range v.Len() {
			leaves(v.Index(i), fmt.Sprintf("%s[%d]", path, i), each)
		}
		return
	case reflect.Map:
		v.SetMapIndex(reflect.ValueOf("another"), reflect.ValueOf("option"))
		each(path)
		return
	}
	was := reflect.ValueOf(v.Interface())
	v.SetZero()
	each(path + " gone")
	n := 41
	filled(v, &n)
	each(path + " new")
	v.Set(was)
}

// stored is the table as it is read from what is stored of it.
func stored(t *testing.T, one *Table) *Table {
	t.Helper()
	value, err := one.Encode()
	if err != nil {
		t.Fatal(err)
	}
	read, err := decode(one.ID, value)
	if err != nil {
		t.Fatalf("%v: %s", err, value)
	}
	return read
}

// TestEncode writes whatever a table has, and never what it had before: one thing after the other is changed, in place.
func TestEncode(t *testing.T) {
	one := &Table{ID: ID{chat.Community{Platform: chat.Web, ID: 1}, "abc"}}
	n := 0
	filled(reflect.ValueOf(one).Elem(), &n)
	one.Format = Format
	one.Seen, one.Tail = []byte("12345678abcdefgh"), []byte("flip;put 3;")
	changes := 0
	check := func(what string) {
		changes++
		format := one.Format
		one.Format = Format
		defer func() { one.Format = format }()
		read := stored(t, one)
		read.written = one.written
		if !reflect.DeepEqual(read, one) {
			t.Errorf("%s: it is\n%+v\nand stored is\n%+v", what, one, read)
		}
	}
	check("all")
	leaves(reflect.ValueOf(one).Elem(), "", check)
	one.Chairs[0].Tap.At++
	check("a tap")
	one.Seen, one.Tail = []byte{}, []byte{}
	check("nothing seen")
	if changes < 200 {
		t.Errorf("only %d changes were tried", changes)
	}
}

// TestEncodeEmpty writes a table of which nothing is known.
func TestEncodeEmpty(t *testing.T) {
	one := &Table{Format: Format}
	read := stored(t, one)
	read.written, read.Seen, read.Tail = one.written, nil, nil
	if !reflect.DeepEqual(read, one) {
		t.Errorf("it is\n%+v\nand stored is\n%+v", one, read)
	}
	one.Last = []engine.Event{{What: "cut", Seat: engine.Nobody, To: engine.Nobody}}
	if read = stored(t, one); !reflect.DeepEqual(read.Last, one.Last) {
		t.Errorf("the last events are %+v", read.Last)
	}
}

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
