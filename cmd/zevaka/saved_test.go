package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"zevaka/bot/upkeep"
)

// TestSaved: records go to the month in which their deals ended, behind those that stand there; what a killed process
// has left of a line goes.
func TestSaved(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 10_000)
	at := func(month time.Month) time.Time { return time.Date(2026, month, 30, 23, 59, 59, 0, time.UTC) }
	for _, test := range []struct {
		name, before, want string
	}{
		{"no file", "", "one\ntwo\n"},
		{"an empty file", "-", "one\ntwo\n"},
		{"whole lines", "a\nb\n", "a\nb\none\ntwo\n"},
		{"a line cut short", "a\nb", "a\none\ntwo\n"},
		{"nothing but a line cut short", "b", "one\ntwo\n"},
		{"a long line cut short", "a\n" + long, "a\none\ntwo\n"},
		{"a long line alone", long, "one\ntwo\n"},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			folder := savedIn(filepath.Join(t.TempDir(), "new", "archive"))
			if err := folder.check(); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(string(folder), "2026-06.jsonl")
			if test.before != "" {
				if err := os.WriteFile(file, []byte(strings.TrimPrefix(test.before, "-")), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err := folder.saver()(t.Context(), []upkeep.Saved{
				{Ended: at(time.June), Line: []byte("one")}, {Ended: at(time.October), Line: []byte("three")}, {Ended: at(time.June), Line: []byte("two")},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(file); err != nil || string(got) != test.want {
				t.Errorf("June has %.100q, %v; want %q", got, err, test.want)
			}
			if names := names(t, string(folder)); names != "2026-06.jsonl 2026-10.jsonl" {
				t.Errorf("the folder has %s", names)
			}
		})
	}
}

// TestUnsaved: a folder that can't be is said at the start, one that is gone later with the records.
func TestUnsaved(t *testing.T) {
	t.Parallel()
	file := fileOf(t, "")
	end := zevaka(t, "", "serve", "--listen=off", "--archive", filepath.Join(file, "archive"))
	if end.code != 1 || !strings.Contains(end.err, "make the archive") || strings.Count(end.err, "\n") != 1 {
		t.Errorf("exit %d, %s", end.code, end.err)
	}
	gone := savedIn(filepath.Join(t.TempDir(), "gone"))
	if err := gone.save(t.Context(), []upkeep.Saved{{Ended: time.Unix(0, 0), Line: []byte("one")}}); err == nil {
		t.Error("a record is saved in a folder that isn't there")
	}
	if err := savedIn("").check(); err != nil || savedIn("").saver() != nil {
		t.Errorf("without a folder: %v", err)
	}
}

// TestSavedTogether: what several bots save in one folder at a time is all there.
func TestSavedTogether(t *testing.T) {
	folder := savedIn(t.TempDir())
	const bots, each = 4, 100
	var all sync.WaitGroup
	for who := range bots {
		all.Go(func() {
			for n := range each {
				record := upkeep.Saved{Ended: time.Unix(1_780_000_000, 0), Line: fmt.Appendf(nil, "%d of %d", n, who)}
				if err := folder.save(t.Context(), []upkeep.Saved{record}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(filepath.Join(string(folder), "2026-05.jsonl"))
	if lines := slices.Compact(slices.Sorted(strings.Lines(string(text)))); err != nil || len(lines) != bots*each {
		t.Errorf("%d of %d records are there (%v)", len(lines), bots*each, err)
	}
}
