package telegram

import (
	"strings"
	"testing"
)

// TestAbreast: labels that a phone would cut off get rows with fewer buttons, in the same order.
func TestAbreast(t *testing.T) {
	for _, test := range []struct{ labels, want string }{
		{"", ""},
		{"Открыть", "Открыть"},
		{"7,13,99,365,777", "7,13,99,365,777"},
		{"5 к.,25 к.,50 к.,Банк 100", "5 к.,25 к.,50 к.,Банк 100"},
		{"5 к.,375 к.,750 к.,Банк: 1500 к.", "5 к.,375 к.,750 к.|Банк: 1500 к."},
		{"Банк: 100,Примазка: нет,Карты открывает: банкомёт", "Банк: 100,Примазка: нет|Карты открывает: банкомёт"},
		{"⏱ 60 с,Банк у каждого: 1 раз,Сесть,Готово", "⏱ 60 с|Банк у каждого: 1 раз|Сесть,Готово"},
		{"Пропустить первых,Уйти", "Пропустить первых,Уйти"},
		{strings.Repeat("x", 48) + ",y", strings.Repeat("x", 48) + "|y"},
		{"1,2,3,4,5,6", "1,2,3,4,5|6"},
	} {
		var buttons []inlineButton
		if test.labels != "" {
			for label := range strings.SplitSeq(test.labels, ",") {
				buttons = append(buttons, inlineButton{Text: label})
			}
		}
		var rows []string
		for _, row := range abreast(buttons) {
			var labels []string
			for _, b := range row {
				labels = append(labels, b.Text)
			}
			rows = append(rows, strings.Join(labels, ","))
		}
		if got := strings.Join(rows, "|"); got != test.want {
			t.Errorf("%s stand as %s, want %s", test.labels, got, test.want)
		}
	}
}
