package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// Where the pages of bbolt have what is needed here. Numbers are in the machine's byte order. Pages 0 and 1 are metas;
// all others that count hang in a tree under a root, and each says where it is, what it is, and where its elements lie.
const (
	metaAt      = 16 // after the header of the page
	metaSize    = 64
	magicAt     = 0
	pageSizeAt  = 8
	rootAt      = 16
	endAt       = 40 // the first page that was never used
	txidAt      = 48
	sumAt       = 56
	magic       = 0xED0CDAED
	minPageSize = 1 << 10
	maxPageSize = 16 << 20
	maxSize     = 1 << 48

	pageHead    = 16 // number, kind, how many elements, how many more pages belong to this one
	branchPage  = 0x01
	leafPage    = 0x02
	elementSize = 16
	bucketHead  = 16   // the root of a bucket, 0 when a page of its own follows; and its sequence
	bucketFlag  = 0x01 // of an element that is a bucket
)

// A meta is what a meta page says.
type meta struct {
	pageSize, root, end int64
	txid                uint64
}

// checkSize refuses a file that ends before its last page. Reading beyond the end would kill the process. A file
// whose meta pages can't be read is left to bbolt.
func checkSize(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return explain(err)
	}
	defer f.Close()
	m, ok := newestMeta(f)
	info, err := f.Stat() // after the pages were read: another process may be making the file longer
	if err != nil {
		return err
	}
	if need := m.end * m.pageSize; ok && info.Size() < need {
		return fmt.Errorf("the file was cut off: it has %d bytes and needs %d: restore a backup, or copy it again",
			info.Size(), need)
	}
	return nil
}

// newestMeta reads the meta page that counts, if there is a good one. Where the first can't be read nobody knows how large a page is:
// the second says so where it is found.
func newestMeta(f io.ReaderAt) (meta, bool) {
	m, ok := readMeta(f, 0)
	for pageSize := int64(minPageSize); pageSize <= maxPageSize; pageSize *= 2 {
		if m1, ok1 := readMeta(f, pageSize); ok1 && m1.pageSize == pageSize && (!ok || m.pageSize == pageSize && m1.txid > m.txid) {
			return m1, true
		}
	}
	return m, ok
}

// readMeta reads the meta page at an offset, if there is a good one.
func readMeta(f io.ReaderAt, offset int64) (meta, bool) {
	var b [metaSize]byte
	if _, err := f.ReadAt(b[:], offset+metaAt); err != nil {
		return meta{}, false
	}
	u32, u64 := binary.NativeEndian.Uint32, binary.NativeEndian.Uint64
	sum := fnv.New64a()
	sum.Write(b[:sumAt])
	if u32(b[magicAt:]) != magic || u64(b[sumAt:]) != sum.Sum64() {
		return meta{}, false
	}
	m := meta{int64(u32(b[pageSizeAt:])), int64(u64(b[rootAt:])), int64(u64(b[endAt:])), u64(b[txidAt:])}
	return m, m.pageSize > 0 && m.pageSize <= maxPageSize && m.end >= 0 && m.end <= maxSize/m.pageSize
}

// checkPages reads all pages that count, and refuses a file in which one isn't where and what it should be, points
// outside, or has keys that are out of order. On such a file bbolt would crash the process or go round for ever. The
// values are not looked at.
func checkPages(f io.ReaderAt) error {
	m, ok := newestMeta(f)
	if !ok {
		return errors.New("its first pages can't be read")
	}
	t := &tree{file: f, meta: m, seen: make([]bool, m.end)}
	t.todo = append(t.todo, branch{id: m.root})
	for len(t.todo) > 0 {
		b := t.todo[len(t.todo)-1]
		t.todo = t.todo[:len(t.todo)-1]
		if err := t.page(b); err != nil {
			return fmt.Errorf("page %d: %w", b.id, err)
		}
	}
	return nil
}

// A tree is the pages of a file, those that were seen and those that are to be.
type tree struct {
	meta
	file io.ReaderAt
	seen []bool
	todo []branch
	buf  []byte
}

// A branch is a page to be looked at, whose keys are not before min, and are before max if that isn't nil.
type branch struct {
	id       int64
	min, max []byte
}

var (
	errPointer = errors.New("it is pointed at, and lies outside or is pointed at twice")
	errPage    = errors.New("it isn't what it should be")
	errElement = errors.New("an element lies outside")
	errOrder   = errors.New("its keys are out of order")
	errCount   = errors.New("it has more or fewer elements than it says")
)

// page checks one page, with those that belong to it, and notes to which others it points.
func (t *tree) page(b branch) error {
	if b.id < 2 || b.id >= t.end {
		return errPointer
	}
	head, err := t.read(b.id, pageHead)
	if err != nil {
		return err
	}
	more := int64(binary.NativeEndian.Uint32(head[12:]))
	if binary.NativeEndian.Uint64(head) != uint64(b.id) {
		return errPage
	}
	for i := b.id; i <= b.id+more; i++ {
		if i >= t.end || t.seen[i] {
			return errPointer
		}
		t.seen[i] = true
	}
	page, err := t.read(b.id, int((more+1)*t.pageSize))
	if err != nil {
		return err
	}
	return t.elements(page, b)
}

// read reads a page from its beginning. What it returns is good until the next call.
func (t *tree) read(id int64, size int) ([]byte, error) {
	if cap(t.buf) < size {
		t.buf = make([]byte, size)
	}
	if _, err := t.file.ReadAt(t.buf[:size], id*t.pageSize); err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	return t.buf[:size], nil
}

// elements checks the elements of a page.
func (t *tree) elements(page []byte, b branch) error {
	kind, count := binary.NativeEndian.Uint16(page[8:]), int(binary.NativeEndian.Uint16(page[10:]))
	// Only the root of a bucket may be empty: no branch leads to it.
	if kind != leafPage && kind != branchPage || count == 0 && (kind == branchPage || b.min != nil) {
		return errPage
	}
	if pageHead+count*elementSize > len(page) {
		return errElement
	}
	if count > 0 && firstData(page[pageHead:], kind) != count*elementSize {
		return errCount
	}
	below := b.max
	for i := count - 1; i >= 0; i-- { // From the end, so that the first page is on top of those to do.
		e, ok := parseElement(page[pageHead+i*elementSize:], kind)
		if !ok {
			return errElement
		}
		if below != nil && bytes.Compare(e.key, below) >= 0 || i == 0 && bytes.Compare(e.key, b.min) < 0 {
			return errOrder
		}
		if kind == branchPage {
			e.key = bytes.Clone(e.key)
			t.todo = append(t.todo, branch{e.child, e.key, below})
		}
		if e.bucket {
			if err := t.bucket(e.value); err != nil {
				return fmt.Errorf("bucket %q: %w", e.key, err)
			}
		}
		below = e.key
	}
	return nil
}

// bucket checks where the items of a bucket are: in a tree of pages, or in a page that lies inside the element.
func (t *tree) bucket(value []byte) error {
	if len(value) < bucketHead {
		return errElement
	}
	if root := int64(binary.NativeEndian.Uint64(value)); root != 0 {
		t.todo = append(t.todo, branch{id: root})
		return nil
	}
	inside := value[bucketHead:]
	if len(inside) < pageHead {
		return errElement
	}
	if binary.NativeEndian.Uint16(inside[8:]) != leafPage {
		return errPage
	}
	return t.elements(inside, branch{})
}

// An element of a page: a key with the page where keys from it on lie, or with its value, which may be a bucket.
type element struct {
	key, value []byte
	child      int64
	bucket     bool
}

// firstData is where the data of the first element begins, counted from that element: behind the last element, so that it tells
// how many there are.
func firstData(b []byte, kind uint16) int {
	if kind == branchPage {
		return int(binary.NativeEndian.Uint32(b))
	}
	return int(binary.NativeEndian.Uint32(b[4:]))
}

// parseElement reads the element with which a part of a page begins, if it lies inside.
func parseElement(b []byte, kind uint16) (e element, ok bool) {
	u32 := binary.NativeEndian.Uint32
	if kind == branchPage {
		at, size := int64(u32(b)), int64(u32(b[4:]))
		if at+size > int64(len(b)) {
			return e, false
		}
		return element{key: b[at : at+size], child: int64(binary.NativeEndian.Uint64(b[8:]))}, true
	}
	at, size := int64(u32(b[4:])), int64(u32(b[8:]))
	end := at + size + int64(u32(b[12:]))
	if end > int64(len(b)) {
		return e, false
	}
	return element{key: b[at : at+size], value: b[at+size : end], bucket: u32(b)&bucketFlag != 0}, true
}
