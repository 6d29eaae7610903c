package picture_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"zevaka/bot/picture"
)

// climbing are so many points that go up and down, and up.
func climbing(n int) (points []int64) {
	for i := range int64(n) {
		points = append(points, 120+i*14-(i*i*7)%53)
	}
	return points
}

// charts are charts of all kinds.
func charts() map[string]picture.Chart {
	return map[string]picture.Chart{
		"one":     {Title: "Your rating: Zevaka", Name: "Ann", Points: []int64{412}, To: "12.11", Along: "1 game"},
		"ten":     {Title: "Twój ranking: Gapa", Name: "Świętosława Żółć", Points: climbing(10), From: "01.11", To: "24.11", Along: "10 gier", Look: picture.Look{Table: "slate"}},
		"sixty":   {Title: "Ваш рейтинг: Зевака", Name: "Аня", Points: climbing(60), From: "01.09", To: "24.11", Along: "60 игр", Look: picture.Look{Table: "wine"}},
		"purse":   {Title: "Ваш кошелёк", Name: "Ёж", Points: []int64{3000, 2980, 3075, 2400, 2400, 1900, 2650, 3200, 5100, 4800}, From: "01.09.25", To: "24.11.26", Along: "10 записей", Look: picture.Look{Table: "blue"}},
		"flat":    {Title: "Your purse", Points: []int64{3000, 3000, 3000}, From: "01.09", To: "24.11", Along: "3 changes"},
		"nothing": {Title: "Your purse", Name: "عمر 👩‍🚀", Points: []int64{0, 0}, From: "01.09", To: "24.11", Along: "2 changes"},
		"extreme": {
			Title: "W" + string(bytes.Repeat([]byte("wide "), 40)), Name: string(bytes.Repeat([]byte("W"), 90)), Points: []int64{-1 << 60, 1 << 60, 7},
			From: "01.09.2025 01.09.2025", To: "24.11", Along: "3 changes, 3 changes, 3 changes, 3 changes, 3 changes, 3 changes, 3 changes",
		},
	}
}

// TestChart: every chart gives the same PNG each time, as wide as asked for, of at most sixteen colours and so many bytes. They
// are kept to be looked at.
func TestChart(t *testing.T) {
	p := newPainter(t)
	for name, chart := range charts() {
		for _, width := range []int{0, 400, 1200, 1600} {
			one := picture.Picture{Painter: p, Chart: &chart}
			shot := &one
			if width != 0 {
				shot = one.Wide(width)
			}
			data := shot.PNG(nil)
			if again := shot.PNG([]byte("abc")); !bytes.Equal(append([]byte("abc"), data...), again) {
				t.Errorf("%s, %d wide: two pictures differ", name, width)
			}
			m := decode(t, data)
			if w, h := shot.Size(); m.Rect.Dx() != w || m.Rect.Dy() != h || len(m.Palette) != 16 || len(data) > 60_000 {
				t.Errorf("%s, %d wide: %v, %d colours, %d bytes; want %d × %d", name, width, m.Rect, len(m.Palette), len(data), w, h)
			}
			if shot.Gestures() != nil {
				t.Errorf("%s: there are moves on it", name)
			}
			if width == 0 {
				_ = os.WriteFile(filepath.Join(t.ArtifactDir(), fmt.Sprint("chart-", name, ".png")), data, 0o644)
			}
		}
	}
}
