package banchok

import "strconv"

// options are the options as the state reads them (RECORDS.md, "Options").
type options struct {
	// size is what the bank begins with, least the least stake.
	size, least int64
	// side allows bets on other players' hands.
	side bool
	// byHand says that the banker turns the cards himself, and so can do it too early (dealer=player).
	byHand bool
}

// newOptions reads a complete, valid set of options.
func newOptions(values map[string]string) options {
	return options{
		size:   number(values["bank"]),
		least:  number(values["min"]),
		side:   values["side"] == "on",
		byHand: values["dealer"] == "player",
	}
}

// number reads an option that Info.Complete has found to be a number.
func number(value string) int64 {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		panic(err) // A valid option is a number.
	}
	return n
}
