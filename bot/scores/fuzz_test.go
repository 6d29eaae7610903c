package scores

import (
	"testing"

	"zevaka/storage"
)

// FuzzStored decodes anything under any key: what can be decoded can be written and decoded again, and takes one
// finish more.
func FuzzStored(f *testing.F) {
	f.Add("s/t1/zevaka/1", []byte("3 1 2 0 1 0 0 0 0 0 0 0 510 0 0/1 0 2/Аня"))
	f.Add("s/t-1x9/tecza/-zz", []byte("1 1 0 1 1 0 0 0 1 280 200 104 280 1 2//a/b"))
	f.Add("s/t1/banchok/1/2", []byte("2147483647 0 0 0 0 -9223372036854775808 -1 900//"))
	f.Add("s//zevaka/01", []byte("1/1 1 1 1 1 1 1 1 1 1 1 1 1/"))
	f.Fuzz(func(t *testing.T, key string, value []byte) {
		if k, err := parseKey(key); err == nil && (k.text() != key || k.check() != nil) {
			t.Errorf("%q is %+v, whose key is %q", key, k, k.text())
		}
		tally, err := decode(storage.Item{Key: key, Value: value})
		if err != nil {
			return
		}
		again, err := decode(storage.Item{Key: key, Value: tally.encode()})
		if err != nil || tally != again {
			t.Errorf("%+v, then %+v, %v", tally, again, err)
		}
		if more := tally.add(Finish{Won: true, Place: 2}); more.Games != tally.Games+1 {
			t.Errorf("%+v, then %+v", tally, more)
		}
	})
}
