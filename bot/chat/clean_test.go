package chat_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"zevaka/bot/chat"
	"zevaka/bot/chat/chattest"
)

func TestCleanName(t *testing.T) {
	for _, test := range []struct{ what, name, want string }{
		{"plain", "Аня", "Аня"},
		{"spaces and lines", "  Anna \n\t Maria ", "Anna Maria"},
		{"markup is text", "<b>*Bob*</b>", "<b>*Bob*</b>"},
		{"right-to-left override", "Bob\u202egnp.exe", "Bobgnp.exe"},
		{"isolates and joiners", "\u2067Bob\u200b\u200d\u2069", "Bob"},
		{"Hebrew is isolated", "דוד", "\u2068דוד\u2069"},
		{"a tower of marks", "Z" + strings.Repeat("\u0300", 50) + "o", "Z\u0300\u0300o"},
		{"too long", strings.Repeat("я", 500), strings.Repeat("я", 19) + "…"},
		{"nothing to see", "\u3164\u2800\u00ad", ""},
		{"broken text", "a\xff\xfeb", "ab"},
		{"emoji", "🐱 Кот", "🐱 Кот"},
		{"tags", "Bob\U000e0042\U000e007f", "Bob"},
		{"letters that choose a look", "Bob\ufe0f\U000e0101\u034f", "Bob"},
		{"Adlam and old digits are isolated", "𞤀 ٣", "\u2068𞤀 ٣\u2069"},
		{"no command", "/stop me", "∕stop me"},
		{"no command either", "and/or (/m) //", "and/or (∕m) //"},
	} {
		if got := chat.CleanName(test.name); got != test.want {
			t.Errorf("%s: %q becomes %q, want %q", test.what, test.name, got, test.want)
		}
	}
}

func FuzzCleanName(f *testing.F) {
	f.Add("Аня")
	f.Add("\u202e\u0300\xff")
	f.Add("\u2068דוד\u2069 2/a /b\u2028")
	f.Fuzz(func(t *testing.T, name string) {
		clean, text := chat.CleanName(name), chat.CleanText(name)
		if n := utf8.RuneCountInString(clean); n > chat.MaxName+2 {
			t.Errorf("%q becomes %q", name, clean)
		}
		for _, one := range []string{clean, text} {
			if err := chattest.Clean(one); err != nil || strings.Contains(one, "\n") {
				t.Errorf("%q becomes %q: %v", name, one, err)
			}
			if again := chat.CleanText(one); again != one {
				t.Errorf("%q becomes %q, and that %q", name, one, again)
			}
		}
		if again := chat.CleanName(clean); again != clean {
			t.Errorf("%q becomes %q, and that %q", name, clean, again)
		}
	})
}

// TestShortened closes what is left open where a text is cut off.
func TestShortened(t *testing.T) {
	text := "a \u2068דוד דוד\u2069 b"
	for n := 2; n < 20; n++ {
		if err := chattest.Clean(chat.Shorten(text, n)); err != nil {
			t.Error(err)
		}
	}
}
