package outbox

import (
	"fmt"
	"testing"
)

func TestMemory(t *testing.T) {
	m := NewMemory[int, string](3)
	for n := range 3 {
		m.Add(n, fmt.Sprint(n))
	}
	if _, ok := m.Get(0); !ok || m.Add(0, "again") {
		t.Error("0 is remembered")
	}
	m.Add(3, "3")
	if _, ok := m.Get(1); ok {
		t.Error("1 was not asked for longest")
	}
	always, never := func(string) bool { return true }, func(string) bool { return false }
	if before, known := m.Swap(2, "two", never); before != "2" || !known {
		t.Errorf("2 was remembered as %q", before)
	}
	if out, known := m.Swap(2, "2", always); out != "2" || !known {
		t.Errorf("%q is not remembered", out)
	}
	m.Drop(0)
	if before, known := m.Swap(5, "5", never); before != "" || known {
		t.Errorf("5 was remembered as %q", before)
	}
	m.Drop(5)
	m.Drop(7)
	if all := m.All(); len(all) != 2 || all[0] != "two" || all[1] != "3" {
		t.Errorf("remembered are %v", all)
	}
}
