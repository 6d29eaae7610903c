package telegram

// What Telegram carries.
const (
	maxText     = 4096
	maxCaption  = 1024
	maxToast    = 200
	maxToken    = 64
	maxLabel    = 48 // Longer ones don't fit a phone.
	maxRow      = 5
	rowLetters  = 34 // What a phone shows side by side.
	maxButtons  = 100
	blankText   = "…"
	digestBytes = 16
)
