package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// Marshal writes the record as one line of JSON, without the newline, its options in the game's order. The error says
// what the game's records don't have.
func (r Record) Marshal(info Info) ([]byte, error) {
	if err := r.check(info); err != nil {
		return nil, err
	}
	line := strconv.AppendInt([]byte(`{"v":`), int64(r.version()), 10)
	line = appendString(append(line, `,"game":`...), r.Game)
	line = append(line, `,"options":{`...)
	for i, option := range info.Options {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(appendString(line, option.Name), ':')
		line = appendString(line, r.Options[option.Name])
	}
	line = strconv.AppendInt(append(line, `},"seats":`...), int64(r.Seats), 10)
	seed, _ := r.Seed.MarshalText()
	line = appendString(append(line, `,"seed":`...), string(seed))
	if r.Cuts == nil {
		line = appendString(append(line, `,"cut":`...), r.Cut)
	} else {
		line = appendList(append(line, `,"cuts":`...), r.Cuts, appendString)
	}
	line = append(line, `,"moves":`...)
	line = appendList(line, r.Moves, appendString)
	if r.Outcome != nil {
		line = appendOutcome(append(line, `,"outcome":`...), *r.Outcome)
	}
	return append(line, '}'), nil
}

func (r Record) version() int {
	if r.Cuts != nil {
		return SharedVersion
	}
	return RecordVersion
}

// appendOutcome writes only the keys that the game's result has (RECORDS.md, Exactly 6).
func appendOutcome(dst []byte, r Result) []byte {
	start := len(dst)
	if r.Places != nil {
		dst = appendList(append(dst, `,"places":`...), r.Places, appendInt)
	}
	if r.Ties != nil {
		dst = appendList(append(dst, `,"ties":`...), r.Ties, func(dst []byte, tie []Seat) []byte {
			return appendList(dst, tie, appendInt)
		})
	}
	if r.Chips != nil {
		dst = appendList(append(dst, `,"chips":`...), r.Chips, appendInt)
	}
	if r.Patience != nil {
		dst = strconv.AppendBool(append(dst, `,"solved":`...), r.Patience.Solved)
		dst = appendInt(append(dst, `,"score":`...), r.Patience.Score)
	}
	if start == len(dst) {
		return append(dst, `{}`...)
	}
	dst[start] = '{'
	return append(dst, '}')
}

func appendList[E any](dst []byte, list []E, one func([]byte, E) []byte) []byte {
	dst = append(dst, '[')
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = one(dst, e)
	}
	return append(dst, ']')
}

func appendInt[N ~int | ~int64](dst []byte, n N) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// appendString writes a string of JSON; nearly all of ours need no escapes.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := json.Marshal(s)
			if err != nil {
				panic(err) // Strings can always be marshalled.
			}
			return append(dst, quoted...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// ParseRecord reads a record, made by anybody: of any size up to MaxRecord bytes, with each key once and no others.
// It doesn't know the games: whether the options and moves are the game's is for Replay to find out.
func ParseRecord(line []byte) (Record, error) {
	switch {
	case len(line) > MaxRecord:
		return Record{}, fmt.Errorf("a record has at most %d bytes", MaxRecord)
	case !utf8.Valid(line):
		return Record{}, errors.New("a record is UTF-8, and this is not")
	}
	var r Record
	version, found := 0, map[string]bool{}
	err := eachField(line, func(key string, value []byte) error {
		found[key] = true
		if key == "v" {
			return readVersion(value, &version)
		}
		return r.set(key, value)
	})
	if err != nil {
		return Record{}, fmt.Errorf("not a record: %w", err)
	}
	cut, other := "cut", "cuts"
	if version == SharedVersion {
		cut, other = other, cut
	}
	for _, key := range []string{"v", "game", "options", "seats", "seed", cut, "moves"} {
		if !found[key] {
			return Record{}, fmt.Errorf("not a record: %s is missing", key)
		}
	}
	if found[other] {
		return Record{}, fmt.Errorf("not a record: version %d has no %s", version, other)
	}
	return r, r.checkSize()
}

// readVersion reads which format a record has.
func readVersion(value []byte, v *int) error {
	if err := read(value, v); err != nil {
		return err
	}
	if *v != RecordVersion && *v != SharedVersion {
		return fmt.Errorf("version %d is neither %d nor %d", *v, RecordVersion, SharedVersion)
	}
	return nil
}

// set reads one field of a record.
func (r *Record) set(key string, value []byte) error {
	switch key {
	case "game":
		return readString(value, &r.Game)
	case "options":
		r.Options = map[string]string{}
		return eachField(value, func(name string, value []byte) error {
			var s string
			err := readString(value, &s)
			r.Options[name] = s
			return err
		})
	case "seats":
		return read(value, &r.Seats)
	case "seed":
		return read(value, &r.Seed)
	case "cut":
		return readString(value, &r.Cut)
	case "cuts":
		r.Cuts = []string{}
		return readStrings(value, &r.Cuts)
	case "moves":
		return read(value, &r.Moves)
	case "outcome":
		r.Outcome = new(Result)
		return r.Outcome.read(value)
	}
	return errors.New("no such key")
}

// read reads the fields of an outcome.
func (r *Result) read(data []byte) error {
	patience, keys := Patience{}, 0
	err := eachField(data, func(key string, value []byte) error {
		switch key {
		case "places":
			return read(value, &r.Places)
		case "ties":
			return read(value, &r.Ties)
		case "chips":
			return read(value, &r.Chips)
		case "solved":
			keys++
			return read(value, &patience.Solved)
		case "score":
			keys++
			return read(value, &patience.Score)
		}
		return errors.New("no such key")
	})
	switch {
	case err != nil:
		return err
	case keys == 1:
		return errors.New("solved and score stand together")
	case keys == 2:
		r.Patience = &patience
	}
	return nil
}

// eachField calls do with each key of a JSON object and its value. Keys are compared exactly and may not repeat.
func eachField(data []byte, do func(key string, value []byte) error) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return errors.New("not an object of JSON")
	}
	seen := map[string]bool{}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return fmt.Errorf("not JSON: %w", err)
		}
		key := tok.(string) // Inside an object the decoder returns keys as strings only.
		if seen[key] {
			return fmt.Errorf("%.40q stands twice", key)
		}
		seen[key] = true
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return fmt.Errorf("%.40q: not JSON: %w", key, err)
		}
		if err := do(key, value); err != nil {
			return fmt.Errorf("%.40q: %w", key, err)
		}
	}
	if _, err := dec.Token(); err != nil {
		return errors.New("the object of JSON does not end")
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("something follows the object of JSON")
	}
	return nil
}

// read reads a value, which may not be null.
func read(data []byte, into any) error {
	if string(data) == "null" {
		return errors.New("null")
	}
	err := json.Unmarshal(data, into)
	if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) {
		return fmt.Errorf("a JSON %.40s doesn't belong here", kind.Value)
	}
	return err
}

// readStrings reads a list of strings, as readString does each.
func readStrings(data []byte, into *[]string) error {
	var all []json.RawMessage
	if err := read(data, &all); err != nil {
		return err
	}
	for _, one := range all {
		var s string
		if err := readString(one, &s); err != nil {
			return err
		}
		*into = append(*into, s)
	}
	return nil
}

// readString reads a string. A lone half of a surrogate pair, which JSON can write but UTF-8 can't, is an error.
func readString(data []byte, into *string) error {
	if err := read(data, into); err != nil {
		return err
	}
	if bytes.ContainsRune([]byte(*into), utf8.RuneError) && !bytes.ContainsRune(data, utf8.RuneError) &&
		!bytes.Contains(bytes.ToLower(data), []byte(`\ufffd`)) {
		return errors.New("not UTF-8")
	}
	return nil
}
