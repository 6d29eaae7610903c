package play

import (
	"zevaka/engine"
)

// errOfferOver refuses an offer that isn't remembered.
const errOfferOver engine.Refusal = "offer-over"

// ErrNothingHere refuses what needs a table where there is none.
const ErrNothingHere engine.Refusal = "no-table-here"

// errNoPatience refuses a patience that there isn't.
const errNoPatience engine.Refusal = "no-patience"
