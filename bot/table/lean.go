package table

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"zevaka/engine"
)

// DecodeEnded reads of a table that has ended what Finishes, Counting and Origin look at, in a fraction of the time that Decode
// takes, and leaves the rest as it is in a Table of which nothing is known; it doesn't look whether that is whole. Of a table that
// hasn't ended, or belongs to a session, or isn't written as Encode writes, it reads everything, as Decode does.
func DecodeEnded(id ID, value []byte) (*Table, error) {
	text, _, _ := bytes.Cut(value, []byte{'\n'})
	t := &Table{ID: id}
	if !utf8.Valid(text) || !each(text, lean{t}.field) || t.Phase != Ended || t.Format != Format && t.Format != sharedFormat {
		return Decode(id, value)
	}
	return t, nil
}

// lean is a table that is read in a hurry.
type lean struct{ *Table }

// field takes a field of a table. False says that all has to be read another way.
func (t lean) field(name, value []byte) (ok bool) {
	switch string(name) {
	case "v":
		return whole(value, &t.Format)
	case "phase":
		return whole(value, &t.Phase)
	case "place":
		return each(value, t.place)
	case "game":
		return text(value, &t.Game)
	case "ledger":
		return text(value, &t.FormerCommunity)
	case "chairs":
		return each(value, t.chair)
	case "practice":
		return truth(value, &t.Practice)
	case "lesson":
		return truth(value, &t.Lesson)
	case "once":
		return truth(value, &t.Once)
	case "line":
		return whole(value, &t.Line)
	case "undos":
		return whole(value, &t.Undos)
	case "hints":
		return whole(value, &t.Hints)
	case "dealt":
		return whole(value, &t.Dealt)
	case "ended":
		return whole(value, &t.Ended)
	case "result":
		t.Result = &engine.Result{}
		return each(value, t.result)
	case "session":
		return false
	}
	return true
}

func (t lean) result(name, value []byte) (ok bool) {
	r := t.Result
	if string(value) == "null" {
		return true
	}
	switch string(name) {
	case "Places":
		r.Places = make([]engine.Seat, 0, len(value)/2)
		return each(value, func(_, value []byte) bool {
			r.Places = append(r.Places, 0)
			return whole(value, &r.Places[len(r.Places)-1])
		})
	case "Ties":
		return json.Unmarshal(value, &r.Ties) == nil
	case "Chips":
		return json.Unmarshal(value, &r.Chips) == nil
	case "Patience":
		return json.Unmarshal(value, &r.Patience) == nil
	}
	return false
}

func (t lean) place(name, value []byte) (ok bool) {
	if string(name) != "Community" {
		return true
	}
	c := &t.Place.Community
	return each(value, func(name, value []byte) bool {
		switch string(name) {
		case "Platform":
			return whole(value, &c.Platform)
		case "ID":
			return whole(value, &c.ID)
		}
		return false
	})
}

func (t lean) chair(_, value []byte) (ok bool) {
	var c Chair
	ok = each(value, func(name, value []byte) bool {
		switch string(name) {
		case "user":
			return whole(value, &c.User)
		case "name":
			return text(value, &c.Name)
		case "n":
			return whole(value, &c.N)
		case "left":
			return truth(value, &c.Left)
		case "removed":
			return truth(value, &c.Removed)
		case "out":
			return truth(value, &c.Out)
		case "helped":
			return truth(value, &c.Helped)
		case "was":
			return c.Was.UnmarshalJSON(value) == nil
		}
		return true
	})
	t.Chairs = append(t.Chairs, c)
	return ok
}

// each calls fn on the fields of an object, or on the values of an array, of JSON without spaces, as long as that is true. It
// reports whether it always was, and the text is such.
func each(text []byte, fn func(name, value []byte) bool) bool {
	if len(text) < 2 || text[0] != '{' && text[0] != '[' {
		return false
	}
	last := text[0] + 2 // The bracket that closes it.
	if len(text) == 2 {
		return text[1] == last
	}
	for i := 1; i < len(text); {
		var name []byte
		if text[0] == '{' {
			end := skip(text, i)
			if end-i < 2 || text[i] != '"' || end >= len(text) || text[end] != ':' {
				return false
			}
			name, i = text[i+1:end-1], end+1
		}
		end := skip(text, i)
		if end <= i || end >= len(text) || !fn(name, text[i:end]) {
			return false
		}
		if text[end] == last {
			return end == len(text)-1
		}
		if text[end] != ',' {
			return false
		}
		i = end + 1
	}
	return false
}

// skip is where the value ends that begins at i.
func skip(text []byte, i int) int {
	depth := 0
	for i < len(text) {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',', ':':
			if depth == 0 {
				return i
			}
			i++
			continue
		default:
			i++
			continue
		}
		if i++; depth == 0 {
			return i
		}
	}
	return i
}

// whole reads a whole number that fits.
func whole[T ~int | ~int8 | ~int64 | ~uint8](value []byte, into *T) bool {
	n, err := strconv.ParseInt(string(value), 10, 64)
	*into = T(n)
	return err == nil && int64(*into) == n
}

func truth(value []byte, into *bool) bool {
	*into = string(value) == "true"
	return *into || string(value) == "false"
}

// text reads a text.
func text(value []byte, into *string) bool {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return false
	}
	if bytes.IndexByte(value, '\\') >= 0 {
		return json.Unmarshal(value, into) == nil
	}
	*into = string(value[1 : len(value)-1])
	return true
}
