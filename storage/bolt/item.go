package bolt

import (
	"encoding/binary"
	"hash/crc32"

	"zevaka/storage"
)

// What is stored under a key is a checksum, the revision, and the value, numbers big endian. The checksum (CRC-32C) is
// of the key, the revision and the value, so that neither a changed value nor a value under another key passes.
const (
	sumSize  = 4
	revSize  = 8
	headSize = sumSize + revSize
)

// sum is the checksum of what stands after it under a key.
func sum(key, rest []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Checksum(key, table), table, rest)
}

// unpack takes apart what is stored under a key. The value is part of it, not a copy. For nothing stored the revision
// is 0.
func unpack(key, stored []byte) (value []byte, rev uint64, err error) {
	switch {
	case stored == nil:
		return nil, 0, nil
	case len(stored) < headSize, binary.BigEndian.Uint32(stored) != sum(key, stored[sumSize:]):
		return nil, 0, storage.Damaged{Key: string(key)}
	}
	return stored[headSize:], binary.BigEndian.Uint64(stored[sumSize:]), nil
}

// revision is that of what is stored under a key. It trusts that whoever knows a revision to compare it with has
// checked the sum.
func revision(stored []byte) uint64 {
	if len(stored) < headSize {
		return 0
	}
	return binary.BigEndian.Uint64(stored[sumSize:])
}

// An arena holds the stored forms of the values of one group, which bbolt needs until it has written them.
type arena struct{ buf []byte }

// reset begins the next group.
func (a *arena) reset() { a.buf = a.buf[:0] }

// pack is the stored form of a value.
func (a *arena) pack(key []byte, rev uint64, value []byte) []byte {
	if n := headSize + len(value); cap(a.buf)-len(a.buf) < n {
		a.buf = make([]byte, 0, max(chunk, n))
	}
	start := len(a.buf)
	a.buf = append(a.buf, make([]byte, sumSize)...)
	a.buf = binary.BigEndian.AppendUint64(a.buf, rev)
	a.buf = append(a.buf, value...)
	packed := a.buf[start:len(a.buf):len(a.buf)]
	binary.BigEndian.PutUint32(packed, sum(key, packed[sumSize:]))
	return packed
}
