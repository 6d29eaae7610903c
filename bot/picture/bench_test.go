package picture_test

import (
	"slices"
	"strconv"
	"testing"
	"time"
)

// BenchmarkDraw draws boards of 104 cards, and those of the most people, at both widths and prints the median, the size and what is allocated.
func BenchmarkDraw(b *testing.B) {
	p := newPainter(b)
	for _, name := range []string{"polusharia", "paganini", "tecza", "grobnitsa", "sklep", "zevaka6", "banchok12"} {
		for _, width := range []int{800, 1200} {
			board := readBoard(b, name)
			board.Look.Width = width
			b.Run(name+"/"+strconv.Itoa(width), func(b *testing.B) {
				out := p.Draw(nil, board)
				var times []time.Duration
				b.ReportAllocs()
				for b.Loop() {
					start := time.Now()
					out = p.Draw(out[:0], board)
					times = append(times, time.Since(start))
				}
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
				b.ReportMetric(float64(len(out)), "bytes")
			})
		}
	}
}

// BenchmarkFirst is a Painter's first picture, with all its sprites.
func BenchmarkFirst(b *testing.B) {
	board := readBoard(b, "polusharia")
	for b.Loop() {
		newPainter(b).Draw(nil, board)
	}
}
