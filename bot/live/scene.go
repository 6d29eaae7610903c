package live

// Scene is a table as one viewer sees it. It is made to become JSON. Texts are in the viewer's language and are plain; cards
// are two letters each, rank then suit as "TH", and "--" where the viewer sees a back.
type Scene struct {
	// Table is the text form of the table's ID, and Version rises with whatever changes at it.
	Table   string `json:"table"`
	Version uint64 `json:"version"`
	// Game is the game's name in records; Solo says that it is for one, Banked that chips are at stake.
	Game   string `json:"game"`
	Solo   bool   `json:"solo,omitempty"`
	Banked bool   `json:"banked,omitempty"`
	// Lesson says that the table teaches the game: About is what it says.
	Lesson bool `json:"lesson,omitempty"`
	// Practice says that the chips are only for this table: Purse is what the viewer has of them.
	Practice bool `json:"practice,omitempty"`
	// Title is what the game is called, and Rules how it is played here, in short.
	Title string `json:"title"`
	Rules string `json:"rules,omitempty"`
	// Phase is "lobby", "cutting", "playing" or "ended".
	Phase string `json:"phase"`
	// Lang is the viewer's language, and Ranks what its players write for ranks, as "J=В Q=Д".
	Lang  string `json:"lang"`
	Ranks string `json:"ranks,omitempty"`
	// Four and Cloth are the looks that the viewer or the place has chosen: four colours, and the colour of the table.
	Four  bool   `json:"four,omitempty"`
	Cloth string `json:"cloth,omitempty"`

	Turning

	Seats []Seat `json:"seats"`
	// Most is how many can sit there.
	Most int `json:"most"`
	// Kept are the names of those for whom a lobby keeps a seat, Waiting of those who sit down with the next deal.
	Kept    []string `json:"kept,omitempty"`
	Waiting []string `json:"waiting,omitempty"`
	Piles   []Pile   `json:"piles,omitempty"`
	Acts    []Act    `json:"acts,omitempty"`
	// Last are the newest events in words, the oldest first.
	Last []string `json:"last,omitempty"`
	// Steps are the moves since the viewer saw the table last, the oldest first; none where that isn't known, or is too long
	// ago. The Piles are those after the last of them.
	Steps []Step `json:"steps,omitempty"`
	// Bank is nil in a game without chips. Purse is what the viewer has in theirs, nil where that doesn't matter.
	Bank  *Bank  `json:"bank,omitempty"`
	Purse *int64 `json:"purse,omitempty"`
	// Solitaire is nil but in a game for one.
	Solitaire *Solitaire `json:"solitaire,omitempty"`
	// Result is nil before the end.
	Result *Result `json:"result,omitempty"`
	// Says begins the token by which the viewer says something to the others at the table, which one of play.Signs completes; empty where
	// they can't, or there is nobody.
	Says string `json:"says,omitempty"`
	// Next is the table that the session goes on at; empty if there is none.
	Next string `json:"next,omitempty"`
	// Checksum are the board.Digits of the seed; empty before the bot has committed to one.
	Checksum string `json:"checksum,omitempty"`
}

// Turning is whose turn it is, and what there is to do.
type Turning struct {
	// Seat is where the viewer sits, and Turn who must move now; -1 is nobody. Yours says that the viewer has to do something
	// now, May that they need not but can.
	Seat  int  `json:"seat"`
	Turn  int  `json:"turn"`
	Yours bool `json:"yours,omitempty"`
	May   bool `json:"may,omitempty"`
	// Left is how much of the turn's time is left, and Limit all of it, in milliseconds; 0 where nobody has to hurry.
	Left  int64 `json:"left,omitempty"`
	Limit int64 `json:"limit,omitempty"`
	// Task is what there is to do now and by whom, About says more of it, Note what is special about the position; each may
	// be empty.
	Task  string `json:"task,omitempty"`
	About string `json:"about,omitempty"`
	Note  string `json:"note,omitempty"`
	// Asleep says that nobody has played for so long that the table waits.
	Asleep bool `json:"asleep,omitempty"`
}

// Seat is who sits where. Before the deal seats are in order of joining.
type Seat struct {
	Name string `json:"name"`
	// Who is as Who has it.
	Who string `json:"who,omitempty"`
	You bool   `json:"you,omitempty"`
	// Computer says that a computer player sits there, Away that the computer moves for a person; Back that the viewer may
	// come back to the seat.
	Computer bool `json:"computer,omitempty"`
	Away     bool `json:"away,omitempty"`
	Back     bool `json:"back,omitempty"`
	Host     bool `json:"host,omitempty"`
	Banker   bool `json:"banker,omitempty"`
	// Out says that the seat has nothing more to do in the deal, Goes when its person leaves, in words.
	Out  bool   `json:"out,omitempty"`
	Goes string `json:"goes,omitempty"`
	// Net is what the seat has won so far, Stake what stands on the table for it, and On the seat on whose hand that stands,
	// in kopecks; they mean nothing in a game without chips.
	Net   int64 `json:"net,omitempty"`
	Stake int64 `json:"stake,omitempty"`
	On    int   `json:"on,omitempty"`
}

// Pile is some cards in one place. Its index in Scene.Piles is what moves and acts name it by.
type Pile struct {
	// Name and Kind are those of records, Role is one of "stock", "turned", "waste", "foundation", "tableau", "reserve", "cell",
	// "hand" and "capture".
	Name string `json:"name"`
	Kind string `json:"kind"`
	Role string `json:"role"`
	// Seat is whose it is; -1 is the table's. Row and Column are as in engine.Pile.
	Seat   int `json:"seat"`
	Row    int `json:"row,omitempty"`
	Column int `json:"column,omitempty"`
	// Down is how many backs lie at the bottom, Cards what lies on them, bottom first, with spaces between.
	Down  int    `json:"down,omitempty"`
	Cards string `json:"cards,omitempty"`
	// Next are the cards that may be laid on it next, where everybody may know.
	Next string `json:"next,omitempty"`
	// Called is what people call the pile; empty where there is no word for it.
	Called string `json:"called,omitempty"`
}

// Act is something that the viewer may try.
type Act struct {
	// Token is what a press says.
	Token string `json:"token"`
	// Label says what it does. Look is "primary", "danger" or empty.
	Label string `json:"label"`
	Look  string `json:"look,omitempty"`
	// Kind is "move" for a card from pile From to pile To; "seat" for something done to the seat To; "self", "amount" and
	// "play" for the other moves of the game, "deal" for the move that is made at the stock; "bet" for an amount that is
	// asked for; "table" for what concerns who plays, "set" for the rules in a lobby, "solo" for what a game for one has
	// beside moves, and "ask" for what is told to the viewer alone.
	Kind string `json:"kind"`
	// About says more of what a switch in a lobby is for; empty elsewhere.
	About string `json:"about,omitempty"`
	// Do is what it does, as "flip", "join" or "undo".
	Do string `json:"do"`
	// Later says that it isn't the viewer's to do now.
	Later bool `json:"later,omitempty"`
	// From and To are indices of piles in a move, To a seat in what is done to a seat. At is where in the pile the card lies
	// that moves, from 0 at the bottom.
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
	At   int `json:"at,omitempty"`
	// Amount is in kopecks. A bet has Least and Most: its Token is completed by the amount. In a lesson its Amount is what
	// the lesson advises.
	Amount int64 `json:"amount,omitempty"`
	Least  int64 `json:"least,omitempty"`
	Most   int64 `json:"most,omitempty"`
	// Ask is a question: the press is made with the answer.
	Ask string `json:"ask,omitempty"`
	// On says that a switch is on.
	On bool `json:"on,omitempty"`
	// Home says that the move is the one of a card that goes to a foundation without saying.
	Home bool `json:"home,omitempty"`
}

// Step is one move that was made.
type Step struct {
	// N numbers the moves of the table, from 1.
	N int `json:"n"`
	// Seat is who moved.
	Seat int `json:"seat"`
	// Do is the move's verb, as "flip".
	Do string `json:"do"`
	// Computer says that the computer has moved.
	Computer bool `json:"computer,omitempty"`
	// Said is what happened, in words.
	Said []string `json:"said,omitempty"`
	// Moved is what went from where to where.
	Moved []Moved `json:"moved,omitempty"`
	// Piles are those that are different after the move.
	Piles map[int]Pile `json:"piles,omitempty"`
	// Turned is the card that was turned for somebody's hand; empty where none was.
	Turned string `json:"turned,omitempty"`
	// Could are cards that could have gone elsewhere.
	Could []Could `json:"could,omitempty"`
}

// Moved is some cards that went from the top of one pile to the top of another.
type Moved struct {
	From  int    `json:"from"`
	To    int    `json:"to"`
	Cards string `json:"cards"`
}

// Could is where a card could have gone: on that card of that seat, or on a foundation if the seat is -1.
type Could struct {
	Card string `json:"card"`
	On   string `json:"on,omitempty"`
	Seat int    `json:"seat"`
}

// Bank is what a bank stands at, in kopecks. Goal is 0 where there is none.
type Bank struct {
	Chips int64 `json:"chips"`
	Goal  int64 `json:"goal,omitempty"`
	// Backed is the seat whose hand is played; -1 is nobody's. Round counts from 1. Covers says whether the viewer's hand
	// covers the card that lies open for it: that card, or empty.
	Backed int    `json:"backed"`
	Round  int    `json:"round,omitempty"`
	Covers string `json:"covers,omitempty"`
	// Brief says that others may bet on the hand now.
	Brief bool `json:"brief,omitempty"`
}

// Solitaire is what a game for one counts.
type Solitaire struct {
	// Spent is how many seconds it has taken so far, by the bot's clock, and Ended says that it takes no more. Moves are those that stand.
	Spent int64  `json:"spent"`
	Ended bool   `json:"ended,omitempty"`
	Moves int    `json:"moves"`
	Undos int    `json:"undos,omitempty"`
	Hints int    `json:"hints,omitempty"`
	Deal  *int64 `json:"deal,omitempty"`
	// Stuck says that no move is left, Finishes that the act "home" brings the game out, since nothing can go wrong any more.
	Stuck    bool `json:"stuck,omitempty"`
	Finishes bool `json:"finishes,omitempty"`
}

// Result is how it ended.
type Result struct {
	// Why says why it was stopped; empty for a game that was played to its end.
	Why string `json:"why,omitempty"`
	// Said is what became of it, in words; in a game for one.
	Said   string `json:"said,omitempty"`
	Solved bool   `json:"solved,omitempty"`
	Score  int    `json:"score,omitempty"`
	// Places are the seats from the winner to the last; nil where there are none.
	Places []Place `json:"places,omitempty"`
	// Session are the same for the session that is over with this deal.
	Session []Place `json:"session,omitempty"`
}

// Place is what somebody has come to.
type Place struct {
	// Seat is -1 for somebody who doesn't sit at the table any more.
	Seat int    `json:"seat"`
	Name string `json:"name"`
	// Place counts from 1; those who tie share one. Net is in kopecks, in a game with chips.
	Place int   `json:"place"`
	Net   int64 `json:"net,omitempty"`
	// Title is what the last one is called; empty for the others.
	Title string `json:"title,omitempty"`
}
