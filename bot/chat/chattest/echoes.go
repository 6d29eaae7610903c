package chattest

// Echoes are commands that say back what was typed behind them, and some that show the name of who gives them.
func Echoes(typed string) []string {
	return []string{
		"/" + typed, "/zevaka " + typed, "/zevaka others=" + typed, "/zevaka", "/pauk deal=" + typed, "/pauk " + typed, "/banchok " + typed,
		"/patience " + typed, "/rules " + typed, "/bet " + typed, "/balance " + typed, "/balance @" + typed, "/scores " + typed,
		"/give " + typed + " 5", "/give @" + typed + " 5", "/give " + typed, "/grant P " + typed, "/remove " + typed,
		"/settings " + typed, "/lang " + typed, "/m " + typed, "/m draw, " + typed, "/cut " + typed, "/table", "/top", "/mydata",
	}
}
