package account_test

import (
	"strconv"
	"strings"
	"testing"

	"zevaka/bot/bottest"
	"zevaka/bot/chat"
	"zevaka/storage"
	"zevaka/storage/storagetest/stores"
)

// restless is a store in which something is done after each read.
type restless struct {
	stores.Reads
	do func()
}

func (s *restless) got(items []storage.Item, err error) ([]storage.Item, error) {
	if do := s.do; do != nil {
		s.do = nil
		do()
		s.do = do
	}
	return items, err
}

// TestTopIsOfOneMoment: while the list of the richest is read somebody comes and is given chips, and none of them is missing.
func TestTopIsOfOneMoment(t *testing.T) {
	h := bottest.NewHall(t)
	s := &restless{}
	s.Reads = stores.Reads{Store: h.Store, Got: s.got}
	h.Store = s
	h.Restart()
	for user := range int64(4) {
		h.Must(1, user+1, chat.Command, "/daily")
	}
	sum := func() (sum int) {
		t.Helper()
		for _, line := range strings.Split(bottest.FlatOf(h.Must(1, 1, chat.Command, "/top")), "\n")[1:] {
			words := strings.Fields(line)
			n, err := strconv.Atoi(words[len(words)-1])
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		return sum
	}
	want := sum()
	given := 0
	s.do = func() {
		given++
		h.Must(1, 10+int64(given), chat.Command, "/daily")
		h.Sure(1, 1, chat.Command, "/give P"+strconv.Itoa(10+given)+" 5")
	}
	if got := sum(); got != want || given == 0 {
		t.Errorf("all together hold %d after %d gifts, and held %d", got, given, want)
	}
}
