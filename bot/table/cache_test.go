package table

import (
	"slices"
	"testing"
)

// TestCache: the tables put in last are there, each until it is taken out.
func TestCache(t *testing.T) {
	for _, test := range []struct {
		do, want string
	}{
		{"+a +b -a -b", "ab"},
		{"-a +a -a -a", " a "},
		{"+a +b +c -a -b -c", " bc"},
		{"+a +b -a +a +c -a -b -c", "aa c"},
		{"+a +a +b -a -b", "ab"},
		{"+a -a +b +c -a -b -c", "a bc"},
		{"+a -a +b +c +a -a -b -c", "aa c"},
	} {
		c, got := NewCache(2), ""
		for do := range slices.Chunk([]byte(test.do+" "), 3) {
			id := ID{Name: string(do[1])}
			if do[0] == '+' {
				c.Put(&Cached{Table: &Table{ID: id}})
				continue
			}
			if taken := c.Take(id); taken == nil {
				got += " "
			} else {
				got += taken.Table.ID.Name
			}
		}
		if got != test.want || c.order.Len() > 2 || len(c.slots) != c.order.Len() {
			t.Errorf("%s: taken %q, want %q; %d are in %d slots", test.do, got, test.want, c.order.Len(), len(c.slots))
		}
	}
}
