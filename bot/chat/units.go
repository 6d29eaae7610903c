package chat

// Units is how long a platform finds a text that counts in UTF-16, as Discord and Telegram do.
func Units(text string) int {
	n := 0
	for _, r := range text {
		n += UnitsOf(r)
	}
	return n
}

// UnitsOf is how long it finds one character.
func UnitsOf(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}
