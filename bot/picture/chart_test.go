package picture_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zevaka/bot/picture"
	"zevaka/engine"
)

// climbing are so many points that go up and down, and up.
func climbing(n int) (points []int64) {
	for i := range int64(n) {
		points = append(points, 120+i*14-(i*i*7)%53)
	}
	return points
}

// sheets are charts and cards of all kinds.
func sheets() map[string]picture.Sheet {
	long := strings.Repeat("W", 90)
	return map[string]picture.Sheet{
		"one":     &picture.Chart{Title: "Your rating: Zevaka", Name: "Ann", Points: []int64{412}, To: "12.11", Along: "1 game"},
		"ten":     &picture.Chart{Title: "Twój ranking: Gapa", Name: "Świętosława Żółć", Points: climbing(10), From: "01.11", To: "24.11", Along: "10 gier", Look: picture.Look{Table: "slate"}},
		"sixty":   &picture.Chart{Title: "Ваш рейтинг: Зевака", Name: "Аня", Points: climbing(60), From: "01.09", To: "24.11", Along: "60 игр", Look: picture.Look{Table: "wine"}},
		"purse":   &picture.Chart{Title: "Ваш кошелёк", Name: "Ёж", Points: []int64{3000, 2980, 3075, 2400, 2400, 1900, 2650, 3200, 5100, 4800}, From: "01.09.25", To: "24.11.26", Along: "10 записей", Look: picture.Look{Table: "blue"}},
		"flat":    &picture.Chart{Title: "Your purse", Points: []int64{3000, 3000, 3000}, From: "01.09", To: "24.11", Along: "3 changes"},
		"nothing": &picture.Chart{Title: "Your purse", Name: "عمر 👩‍🚀", Points: []int64{0, 0}, From: "01.09", To: "24.11", Along: "2 changes"},
		"extreme": &picture.Chart{
			Title: "W" + string(bytes.Repeat([]byte("wide "), 40)), Name: string(bytes.Repeat([]byte("W"), 90)), Points: []int64{-1 << 60, 1 << 60, 7},
			From: "01.09.2025 01.09.2025", To: "24.11", Along: "3 changes, 3 changes, 3 changes, 3 changes, 3 changes, 3 changes, 3 changes",
		},
		"card": &picture.Card{
			Name: "Ёлка", Title: "Карточка игрока", Figures: []picture.Figure{
				{"Рейтинг", "1523", "+24 за 10 игр"}, {"Пасьянсы дня подряд", "5", "лучшая серия 12"}, {"Лучший банк", "+840", ""}, {"Кошелёк", "12345", ""},
			},
			Games: []picture.Line{
				{"Зевака", "побед 12 из 34"}, {"Польский банчок", "побед 3 из 9"}, {"Большой Паганини", "сошлось 1 из 8"}, {"Радуга", "сошлось 7 из 7"},
				{"Открытая лавка", "сошлось 0 из 2"}, {"Другие игры (4)", "сошлось 2 из 9"},
			},
			Marks: []picture.Mark{
				{engine.Spades, "Ни разу не зевнул", "победа, в которой ни одна карта не прошла мимо"}, {engine.Diamonds, "Сорвал банк", "последние фишки банка ушли к нему"},
				{engine.Hearts, "Неделя", "семь пасьянсов дня подряд"},
			},
		},
		"card-new":  &picture.Card{Name: "\u2068عمر بن محمد 👩‍🚀…\u2069", Title: "Player card", Games: []picture.Line{{"No games finished here yet", ""}}, Look: picture.Look{Table: "blue"}},
		"card-some": &picture.Card{Name: "Świętosława Żółć-Kot", Title: "Karta gracza", Figures: []picture.Figure{{"Ranking", "–", "za 3 gry"}}, Games: []picture.Line{{"Zewaka", "wygrane: 1 z 7"}}, Look: picture.Look{Table: "wine"}},
		"card-wide": &picture.Card{
			Name: long, Title: long, Figures: []picture.Figure{{long, long, long}, {"", "9223372036854775807", ""}, {long, "1", long}},
			Games: []picture.Line{{long, long}, {"", ""}}, Marks: []picture.Mark{{engine.Clubs, long, long}}, Look: picture.Look{Table: "slate"},
		},
	}
}

// TestSheets: every chart and card gives the same PNG each time, of at most sixteen colours and so many bytes. They
// are kept to be looked at.
func TestSheets(t *testing.T) {
	p := newPainter(t)
	for name, sheet := range sheets() {
		shot := picture.Picture{Painter: p, Sheet: sheet}
		data := shot.PNG(nil)
		if again := shot.PNG([]byte("abc")); !bytes.Equal(append([]byte("abc"), data...), again) {
			t.Errorf("%s: two pictures differ", name)
		}
		if m := decode(t, data); m.Rect.Dx() != 800 || m.Rect.Dy() == 0 || len(m.Palette) != 16 || len(data) > 60_000 {
			t.Errorf("%s: %v, %d colours, %d bytes", name, m.Rect, len(m.Palette), len(data))
		}
		_ = os.WriteFile(filepath.Join(t.ArtifactDir(), fmt.Sprint("sheet-", name, ".png")), data, 0o644)
	}
}

// TestCardUnnamed: a card is titled by what it is where no letter of its owner's name can be drawn.
func TestCardUnnamed(t *testing.T) {
	p := newPainter(t)
	drawn := func(name string) []byte {
		one := picture.Picture{Painter: p, Sheet: &picture.Card{Name: name, Title: "Player card"}}
		return one.PNG(nil)
	}
	for name, unnamed := range map[string]bool{"": true, "عمر": true, "\u2068عمر بن محمد…\u2069": true, "👩‍🚀 !": true, "Ann": false, "عمر A": false, "7": false} {
		if bytes.Equal(drawn(name), drawn("")) != unnamed {
			t.Errorf("%q: want the title %t", name, unnamed)
		}
	}
}
