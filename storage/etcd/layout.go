package etcd

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"slices"

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

// spare is how many more items of each place are asked for than would do if they lay in all places alike.
const spare = 16

// scan is Scan as of a revision, the newest if that is 0, and returns it.
func (s *Store) scan(ctx context.Context, prefix, after string, limit int, rev int64) (found []storage.Item, at int64, err error) {
	places := s.placesOf(prefix)
	for at = rev; len(found) < limit; {
		each := limit - len(found)
		if len(places) > 1 {
			each = min(each, each/len(places)+spare)
		}
		next, sure, read, err := s.merge(ctx, places, prefix, after, each, at)
		if err != nil {
			return nil, 0, err
		}
		if at == 0 {
			at = read
		}
		found = append(found, next[:min(len(next), limit-len(found))]...)
		if sure == "" {
			break
		}
		after = sure
	}
	return found, at, nil
}

// merge reads up to so many items of each place. It returns those before which none is missing, in order, the key up to which
// that is so, none if it is so of all that there are, and the revision that etcd has now.
func (s *Store) merge(ctx context.Context, places []string, prefix, after string, each int, rev int64) (
	items []storage.Item, sure string, at int64, err error,
) {
	var ops []clientv3.Op
	for _, place := range places {
		from, end := place+max(prefix, after+"\x00"), clientv3.GetPrefixRangeEnd(place+prefix)
		if from >= end {
			return nil, "", rev, nil
		}
		ops = append(ops, clientv3.OpGet(from, clientv3.WithRange(end), clientv3.WithLimit(int64(each)), clientv3.WithRev(rev)))
	}
	answer, err := s.read(ctx, transaction{ops: ops})
	if err != nil {
		return nil, "", 0, notRead(err)
	}
	for i, one := range answer.Responses {
		kvs := one.GetResponseRange().Kvs
		for _, kv := range kvs {
			if it := item(places[i], kv); s.seen(places[i], it.Key) {
				items = append(items, it)
			}
		}
		if one.GetResponseRange().More {
			last := item(places[i], kvs[len(kvs)-1]).Key
			if sure == "" || last < sure {
				sure = last
			}
		}
	}
	if len(places) > 1 {
		slices.SortFunc(items, func(a, b storage.Item) int { return cmp.Compare(a.Key, b.Key) })
	}
	if sure != "" {
		items = slices.DeleteFunc(items, func(it storage.Item) bool { return it.Key > sure })
	}
	return items, sure, answer.Header.Revision, nil
}

// seen reports whether the store has a key that lies in a place: not what is another part's own.
func (s *Store) seen(place, key string) bool {
	if place == s.data+s.own || s.layout == nil {
		return true
	}
	community, _ := s.community(key)
	return community != ""
}
