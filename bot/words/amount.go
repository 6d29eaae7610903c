package words

import (
	"strconv"

	"zevaka/bot/chat"
	"zevaka/engine"
)

// ErrBetAmount refuses what is no amount of chips.
const ErrBetAmount engine.Refusal = "bet-amount"

// ParseAmount reads a whole number of kopecks, more than none.
func ParseAmount(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || text[0] == '+' {
		return 0, Refuse(string(ErrBetAmount), Blanks{"what": chat.Shorten(text, 20)})
	}
	return n, nil
}
