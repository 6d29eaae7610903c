package table

import (
	"reflect"
	"testing"

	"zevaka/engine"
)

// counted is all that DecodeEnded has to know of a table.
type counted struct {
	Origin, Game       string
	Phase              Phase
	Finishes, Counting []Finished
}

func countedOf(t *Table) counted {
	return counted{t.Origin(), t.Game, t.Phase, t.Finishes(6), t.Counting(6)}
}

// sameCounted compares what both ways of reading a table say of it.
func sameCounted(t *testing.T, what string, id ID, value []byte) {
	t.Helper()
	full, err := Decode(id, value)
	lean, leanErr := DecodeEnded(id, value)
	if err != nil || leanErr != nil {
		t.Fatalf("%s: %v, %v", what, err, leanErr)
	}
	if got, want := countedOf(lean), countedOf(full); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: read in a hurry it is\n%+v, want\n%+v", what, got, want)
	}
}

// TestDecodeEnded: whatever is changed in a table that is full of everything, what counts of it is read as Decode reads it; so it
// is of tables as they are.
func TestDecodeEnded(t *testing.T) {
	for _, session := range []bool{false, true} {
		full := &Table{}
		n := 0
		filled(reflect.ValueOf(full).Elem(), &n)
		full.Phase, full.Practice, full.Lesson = Ended, false, false
		*full.Result = engine.Result{Places: []engine.Seat{1, 0}, Ties: [][]engine.Seat{{0, 1}}, Patience: full.Result.Patience}
		leaves(reflect.ValueOf(full).Elem(), "", func(path string) {
			one := *full
			one.Format, one.Chips, one.written = Format, nil, nil
			if !session {
				one.Session = nil
			}
			if one.valid() != nil || one.Result.Places[0]+one.Result.Places[1] > 2 {
				return
			}
			value, err := one.Encode()
			if err != nil {
				t.Fatal(path, err)
			}
			sameCounted(t, path, one.ID, value)
		})
	}
	lean, err := DecodeEnded(ID{}, []byte(`{"v":`))
	if err == nil {
		t.Errorf("half a table is read as %+v", lean)
	}
}

// FuzzDecodeEnded: whatever is stored, reading it in a hurry breaks nothing, and what Encode writes of it is read as Decode reads it.
func FuzzDecodeEnded(f *testing.F) {
	for _, text := range []string{
		`{"v":2,"phase":4,"place":{"Community":{"Platform":116,"ID":-77},"Channel":1},"game":"zevaka","chairs":[{"user":1,"name":"A","n":3,"was":[25000000,8333333,0]},{"user":2,"name":"Б\n","n":1,"was":[1,2,3],"left":true}],"dealt":1,"ended":9,"result":{"Places":[1,0]}}` + "\n\x00",
		`{"phase":4,"chairs":[[]]}`, `{"a":"\"`, `[`, `{}`, `{"session":{}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		_, _ = DecodeEnded(ID{}, value)
		one, err := Decode(ID{}, value)
		if err != nil || one.Result != nil && (len(one.Result.Places) > len(one.Chairs) || len(one.Result.Chips) > len(one.Chairs)) {
			return
		}
		if again, err := one.Encode(); err == nil {
			sameCounted(t, string(value), ID{}, again)
		}
	})
}
