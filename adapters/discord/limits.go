package discord

// What Discord carries.
const (
	// maxContent is how long a message may be, maxLabel a button's label, in units of UTF-16, which are never fewer than
	// what Discord counts.
	maxContent = 2000
	maxLabel   = 80
	// maxPages is how many messages a long text may become.
	maxPages = 5
)
