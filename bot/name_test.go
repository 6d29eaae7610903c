package bot

import (
	"strings"
	"testing"
	"unicode/utf8"
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
	} {
		if got := CleanName(test.name); got != test.want {
			t.Errorf("%s: %q becomes %q, want %q", test.what, test.name, got, test.want)
		}
	}
}

func FuzzCleanName(f *testing.F) {
	f.Add("Аня")
	f.Add("\u202e\u0300\xff")
	f.Fuzz(func(t *testing.T, name string) {
		clean := CleanName(name)
		if n := utf8.RuneCountInString(clean); n > maxName+2 || !utf8.ValidString(clean) || strings.ContainsAny(clean, "\n\r\u202e") {
			t.Errorf("%q becomes %q", name, clean)
		}
		if again := CleanName(clean); again != clean {
			t.Errorf("%q becomes %q, and that %q", name, clean, again)
		}
	})
}
