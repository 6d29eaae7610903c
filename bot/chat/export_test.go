package chat

// MaxName is how long a name may be.
const MaxName = maxName
