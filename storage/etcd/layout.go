package etcd

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"sort"
	"strings"

	clientv3 "go.etcd.io/etcd/client/v3"

	"zevaka/storage"
)

// Parts is how many parts a divided store has, so that several processes can each hold some of them. It never changes, since
// keys stay where they are.
const Parts = 64

// Layout says which community a key belongs to; empty for a key that belongs to the process which writes it. Whole says that
// the key goes on after the community, so that all keys which begin like it belong to the same.
type Layout func(key string) (community string, whole bool)

// PartOf is the part of a community, by its name in keys.
func PartOf(community string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(community))
	return int(h.Sum32() % Parts)
}

// common is where the keys lie that belong to no part.
const common = "common/"

// partPrefix is what the keys of a part begin with.
func partPrefix(n int) string { return fmt.Sprintf("%02x/", n) }

// place is what stands before a key: that of the part of its community, or of the store's own.
func (s *Store) place(key string) string {
	if community, _ := s.community(key); community != "" {
		return s.data + partPrefix(PartOf(community))
	}
	return s.data + s.own
}

// community is the layout's answer; a store without a layout isn't divided.
func (s *Store) community(key string) (community string, whole bool) {
	if s.layout == nil {
		return "", false
	}
	return s.layout(key)
}

// placesOf are all the places in which a key may lie that begins with prefix. A part knows no other parts than that of a
// community that is named.
func (s *Store) placesOf(prefix string) []string {
	if community, whole := s.community(prefix); whole {
		return []string{s.data + partPrefix(PartOf(community))}
	}
	places := []string{s.data + s.own}
	if s.own == common && s.layout != nil {
		for n := range Parts {
			places = append(places, s.data+partPrefix(n))
		}
	}
	return places
}

// Own are the items under a key that belongs to no community: the store's, and that of each part which has one of its own.
func (s *Store) Own(ctx context.Context, key string) (found []storage.Item, err error) {
	places := []string{s.own}
	if s.layout != nil {
		places = append(places, common)
		for n := range Parts {
			places = append(places, partPrefix(n))
		}
		slices.Sort(places)
		places = slices.Compact(places)
	}
	ops := make([]clientv3.Op, len(places))
	for i, place := range places {
		ops[i] = clientv3.OpGet(s.data + place + key)
	}
	err = s.call(ctx, func(ctx context.Context) error {
		found = nil
		answer, err := s.read(ctx, transaction{ops: ops})
		if err != nil {
			return notRead(err)
		}
		for i, one := range answer.Responses {
			for _, kv := range one.GetResponseRange().Kvs {
				found = append(found, item(s.data+places[i], kv))
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("etcd: own %s: %w", key, err)
	}
	return found, nil
}

// spare is how many more keys of each place are asked for than would do if they lay in all places alike.
const spare = 16

// A span is up to so many items of a place, from a key on and before another, as etcd has them.
type span struct {
	place, from, end string
	limit            int
}

// scan is Scan of places, as of a revision, the newest if that is 0, and returns it. Of several it asks first for keys alone: all
// that comes next may lie in one of them, and of the others nothing is to be sent that isn't wanted yet.
func (s *Store) scan(ctx context.Context, places []string, prefix, after string, limit int, rev int64) (found []storage.Item, at int64, err error) {
	from := max(prefix, after+"\x00")
	for at = rev; len(found) < limit && strings.HasPrefix(from, prefix); {
		want, end := limit-len(found), ""
		spans := make([]span, len(places))
		for i, place := range places {
			spans[i] = span{place, place + from, clientv3.GetPrefixRangeEnd(place + prefix), min(want, want/len(places)+spare)}
		}
		if len(places) > 1 {
			keys, err := s.ranges(ctx, spans, at, clientv3.WithKeysOnly())
			if err != nil {
				return nil, 0, err
			}
			at = cmp.Or(at, keys.Header.Revision)
			if spans, end = nearest(spans, keys, want); len(spans) == 0 {
				break
			}
		}
		answer, err := s.ranges(ctx, spans, at)
		if err != nil {
			return nil, 0, err
		}
		at = cmp.Or(at, answer.Header.Revision)
		next, more := s.items(spans, answer)
		found = append(found, next...)
		switch {
		case more != "":
			from = more + "\x00"
		case end != "":
			from = end
		default:
			return found, at, nil
		}
	}
	return found, at, nil
}

// nearest are the items of spans that come next in order, as far as the first keys of each say, and no more than are wanted; and the
// first key that is known behind them, empty if none is. Of a place that has more, and whose known keys end before those of the others,
// they are as many as are still wanted.
func nearest(spans []span, keys *clientv3.TxnResponse, want int) (next []span, end string) {
	type one struct {
		key string
		in  int
	}
	var all []one
	held, sure := -1, ""
	for i, place := range keys.Responses {
		kvs := place.GetResponseRange().Kvs
		for _, kv := range kvs {
			all = append(all, one{item(spans[i].place, kv).Key, i})
		}
		if !place.GetResponseRange().More {
			continue
		}
		if last := all[len(all)-1].key; held < 0 || last < sure {
			held, sure = i, last
		}
	}
	slices.SortFunc(all, func(a, b one) int { return cmp.Compare(a.key, b.key) })
	n := len(all)
	if held >= 0 {
		n = sort.Search(n, func(i int) bool { return all[i].key > sure })
	}
	if n > want {
		n, held = want, -1
	}
	for n > 0 && n < len(all) && all[n].key == all[n-1].key { // Parts have keys of their own, and only one of those is seen.
		n++
	}
	if n < len(all) {
		end = all[n].key
	}
	counts := make([]int, len(spans))
	for _, o := range all[:n] {
		counts[o.in]++
	}
	if held >= 0 {
		counts[held] += want - n
	}
	for i, near := range spans {
		if near.limit = counts[i]; near.limit == 0 {
			continue
		}
		if end != "" {
			near.end = near.place + end
		}
		next = append(next, near)
	}
	return next, end
}

// ranges reads spans as of a revision, the newest if that is 0.
func (s *Store) ranges(ctx context.Context, spans []span, rev int64, how ...clientv3.OpOption) (*clientv3.TxnResponse, error) {
	ops := make([]clientv3.Op, len(spans))
	for i, one := range spans {
		within := []clientv3.OpOption{clientv3.WithRange(one.end), clientv3.WithLimit(int64(one.limit)), clientv3.WithRev(rev)}
		ops[i] = clientv3.OpGet(one.from, append(within, how...)...)
	}
	answer, err := s.read(ctx, transaction{ops: ops})
	if err != nil {
		return nil, notRead(err)
	}
	return answer, nil
}

// items are those that were read of spans, in order, and the last of a span that has more than were asked for.
func (s *Store) items(spans []span, answer *clientv3.TxnResponse) (items []storage.Item, more string) {
	for i, one := range answer.Responses {
		place, kvs := spans[i].place, one.GetResponseRange().Kvs
		for _, kv := range kvs {
			if it := item(place, kv); s.seen(place, it.Key) {
				items = append(items, it)
			}
		}
		if one.GetResponseRange().More {
			more = item(place, kvs[len(kvs)-1]).Key
		}
	}
	slices.SortFunc(items, func(a, b storage.Item) int { return cmp.Compare(a.Key, b.Key) })
	return items, more
}

// seen reports whether the store has a key that lies in a place: not what is another part's own.
func (s *Store) seen(place, key string) bool {
	if place == s.data+s.own || s.layout == nil {
		return true
	}
	community, _ := s.community(key)
	return community != ""
}
