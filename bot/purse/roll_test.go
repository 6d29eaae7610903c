package purse

import (
	"fmt"
	"slices"
	"testing"

	"zevaka/bot/keyspace"
	"zevaka/storage"
	"zevaka/storage/mem"
	"zevaka/storage/storagetest/stores"
)

// see notes what somebody is called.
func see(t *testing.T, s storage.Store, community string, user int64, name string) {
	t.Helper()
	if err := storage.Update(t.Context(), s, func(tx storage.Tx) error { return SeenName(tx, community, user, name) }); err != nil {
		t.Fatal(err)
	}
}

// cleanNames wants an audit to find nothing, and everything to be what its key says.
func cleanNames(t *testing.T, s storage.Store) {
	t.Helper()
	if err := AuditNames(t.Context(), s, func(key, what string) { t.Errorf("%s: %s", key, what) }); err != nil {
		t.Fatal(err)
	}
	for _, item := range stores.Items(t, s, "") {
		if err := ExamineName(item); err != nil || !HoldsName(item.Key) {
			t.Errorf("%s: %v", item.Key, err)
		}
	}
}

func named(t *testing.T, s storage.Store, community, name string) ([]int64, error) {
	t.Helper()
	return storage.Read(t.Context(), s, func(from storage.Reader) ([]int64, error) { return Named(from, community, name) })
}

// TestNamed: everybody is found by the name under which they were seen last, whatever the case of the letters, and by no
// other, until they are forgotten; and by their first name, where nobody is called just so.
func TestNamed(t *testing.T) {
	s := mem.New()
	for user := range int64(3 * MaxNamed) {
		see(t, s, "t1", 100+user, "Bob")
	}
	for _, seen := range []struct {
		community string
		user      int64
		name      string
	}{
		{"t1", 1, "Аня"}, {"t1", 2, "аня"}, {"t1", 3, "Боря"}, {"t1", 3, "Борис"}, {"t1", 3, ""}, {"t2", 4, "Аня"},
		{"t1", 5, "a/b"}, {"t1", 6, "ẞ ſ K"}, {"t1", 7, "Вика К"}, {"t1", 8, "\xff"},
		{"t1", 9, "Галина Петрова"}, {"t1", 10, "Мария Ивановна"}, {"t1", 11, "Мария Петрова"}, {"t2", 12, "Галина Иванова"}, {"t1", 13, "Ян Б"}, {"t1", 13, "Яна В"},
	} {
		see(t, s, seen.community, seen.user, seen.name)
	}
	err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
		if err := AddName(tx, "t1", 3, "Боря"); err != nil {
			return err
		}
		return ForgetNames(tx, "t1", 7)
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]int64{
		"АНЯ": {1, 2}, "Боря": nil, "борис": {3}, "A/B": {5}, "a": nil, "ß S k": {6}, "Вика": nil, "": nil, "�": {8},
		"галина": {9}, "Мария": {10, 11}, "мария петрова": {11}, "Мария П": nil, "Петрова": nil, "Ян": nil, "яна": {13},
	} {
		got, err := named(t, s, "t1", name)
		if slices.Sort(got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is the name of %v, want %v (%v)", name, got, want, err)
		}
	}
	if many, err := named(t, s, "t1", "bob"); err != nil || len(many) != MaxNamed {
		t.Errorf("%d are called Bob, %v", len(many), err)
	}
	cleanNames(t, s)
}

// TestRepair: what can't be read of the roll is made anew, so that nobody is found under a name that isn't theirs.
func TestRepair(t *testing.T) {
	for _, key := range []string{keyName("t1", 1), keyCalls("t1", "Ann", 1)[0]} {
		s := mem.New()
		see(t, s, "t1", 1, "Ann")
		if err := RepairNames(t.Context(), s, key); err != nil {
			t.Fatal(err)
		}
		see(t, s, "t1", 1, "Eve")
		for name, want := range map[string]int{"Ann": 0, "Eve": 1} {
			if got, err := named(t, s, "t1", name); err != nil || len(got) != want {
				t.Errorf("%s: %v are called %s, want %d; %v", key, got, name, want, err)
			}
		}
	}
}

// TestAuditNames: names that nobody could be found by, and lists that nobody belongs on, are told.
func TestAuditNames(t *testing.T) {
	for what, write := range map[string]storage.Write{
		"a list is missing":     {Key: keyCalls("t1", "Ann Lee", 1)[0]},
		"a first name's is":     {Key: keyCalls("t1", "Ann Lee", 1)[1]},
		"a name is missing":     {Key: keyName("t1", 1)},
		"another name":          {Key: keyName("t1", 1), Value: []byte("Eve")},
		"a key of nobody":       {Key: keyspace.Names + "t1/-"},
		"a list with no letter": {Key: keyspace.CalledSo + "t1/x", Value: []byte{}},
	} {
		s := mem.New()
		see(t, s, "t1", 1, "Ann Lee")
		if what == "a key of nobody" {
			write.Value = []byte("Ann")
		}
		err := storage.Update(t.Context(), s, func(tx storage.Tx) error {
			if tx.Put(write.Key, write.Value); write.Value == nil {
				tx.Delete(write.Key)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		err = AuditNames(t.Context(), s, func(key, what string) { found = append(found, fmt.Sprint(key, ": ", what)) })
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %v, %v", what, found, err)
		}
	}
}
