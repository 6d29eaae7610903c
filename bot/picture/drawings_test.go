package picture_test

import (
	"regexp"
	"testing"

	"zevaka/bot/picture"
)

// TestDrawings: every outline is one that pens take.
func TestDrawings(t *testing.T) {
	const pair = `\d+(\.\d)? \d+(\.\d)?`
	outline := regexp.MustCompile(`^"(M` + pair + `(L` + pair + `|C` + pair + ` ` + pair + ` ` + pair + `)+Z)+"$`)
	all := regexp.MustCompile(`"M[\d.].*?"`).FindAll(picture.Drawings, -1)
	if len(all) < 20 {
		t.Errorf("%d outlines", len(all))
	}
	for _, one := range all {
		if !outline.Match(one) {
			t.Errorf("no outline: %.60s", one)
		}
	}
}
