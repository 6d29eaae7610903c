package account

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/day"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/bot/table"
	"zevaka/bot/words"
	"zevaka/storage"
)

const (
	// fileLines and fileTables are how many entries of the ledger and how many tables one file has at most. What is left
	// comes in further ones.
	fileLines, fileTables = 300, 50
	// dataFormat names what a file of somebody's data has in it.
	dataFormat = "zevaka-mydata/1"
)

// dataFile is what is kept about a person in a community, for programs to read: all of it, or a part. Chips are in
// kopecks, times in UTC, and numbers of accounts are texts, since not every program can count so far.
type dataFile struct {
	Format    string       `json:"format"`
	Made      string       `json:"made"`
	Community string       `json:"community"`
	Person    string       `json:"person"`
	Chat      *dataChat    `json:"private_chat,omitempty"`
	Own       *dataOwn     `json:"own_settings,omitempty"`
	Purse     *dataPurse   `json:"purse,omitempty"`
	Scores    []dataScore  `json:"scores,omitempty"`
	Days      *dataDays    `json:"patiences_of_the_day,omitempty"`
	Offers    []dataOffer  `json:"offers,omitempty"`
	Ledger    []dataLine   `json:"ledger,omitempty"`
	Carried   *dataCarried `json:"ledger_older,omitempty"`
	Tables    []dataTable  `json:"tables,omitempty"`
	// More says that there is another file.
	More bool `json:"more"`
}

type dataChat struct {
	Lang    string `json:"language,omitempty"`
	Text    bool   `json:"text"`
	Drawn   bool   `json:"pictures"`
	Colours int    `json:"colours"`
	Cloth   string `json:"table,omitempty"`
	Day     string `json:"patience_of_the_day_at,omitempty"`
}

// dataOwn is what somebody has chosen for themselves.
type dataOwn struct {
	Lang   string `json:"language,omitempty"`
	Notice string `json:"turn,omitempty"`
	Quiet  bool   `json:"no_sound,omitempty"`
	AtOnce bool   `json:"turn_at_once,omitempty"`
	Suits  string `json:"suits,omitempty"`
	// Called is in which channels, and which threads of them, they are called when a table opens.
	Called []dataPlace `json:"called_to_tables_in,omitempty"`
}

// dataPlace is a place of the community: without a channel the one that bears its ID. Its numbers are text: as many programs read JSON they
// would be rounded.
type dataPlace struct {
	Channel int64 `json:"channel,omitempty,string"`
	Thread  int64 `json:"thread,omitempty,string"`
}

type dataPurse struct {
	Name    string `json:"name"`
	Balance int64  `json:"balance"`
	Entries int64  `json:"entries"`
	Daily   string `json:"daily_last,omitempty"`
	Streak  int    `json:"daily_in_a_row,omitempty"`
}

type dataScore struct {
	Game string `json:"game"`
	dataTally
	// Firsts are what was done for the first time, and when.
	Firsts map[string]string `json:"firsts,omitempty"`
	// Way are the last ratings and when they came about.
	Way []scores.Step `json:"ratings,omitempty"`
}

// dataTally is a scores.Tally with names for programs.
type dataTally struct {
	Name      string                  `json:"name"`
	Games     int64                   `json:"games"`
	Wins      int64                   `json:"wins"`
	Places    [scores.MaxPlaces]int64 `json:"places"`
	Last      int64                   `json:"last"`
	Streak    int64                   `json:"streak"`
	Longest   int64                   `json:"longest_streak"`
	Chips     int64                   `json:"chips"`
	BestChips int64                   `json:"best_chips"`
	Bank      int64                   `json:"largest_bank"`
	Solved    int64                   `json:"solved"`
	Fastest   int64                   `json:"fastest_seconds"`
	Fewest    int64                   `json:"fewest_moves"`
	Score     int64                   `json:"best_score"`
	Seconds   int64                   `json:"seconds"`
	Undos     int64                   `json:"undos"`
	Hints     int64                   `json:"hints"`
	// Rating is its mean and its spread in millionths, and after how many games.
	Rating scores.KeptRating `json:"rating"`
	Month  scores.Monthly    `json:"month"`
	// Levels are the easy, medium and hard deals that are known to come out.
	Levels [scores.MaxLevel]scores.Graded `json:"levels"`
	// Firsts are told by their names.
	Firsts [scores.MaxFeats]int64 `json:"-"`
}

// dataDays is a day.Person with names for programs.
type dataDays struct {
	Played  int       `json:"played"`
	Solved  int       `json:"solved"`
	Longest int       `json:"longest_streak"`
	Results []dataDay `json:"newest,omitempty"`
}

type dataDay struct {
	Day     int    `json:"day"`
	Game    string `json:"game"`
	Solved  bool   `json:"solved"`
	Moves   int    `json:"moves"`
	Undos   int    `json:"undos"`
	Hints   int    `json:"hints"`
	Seconds int64  `json:"seconds"`
	Told    bool   `json:"told_others"`
}

// daysOf is what is kept of somebody's patiences of a day; nil if nothing is.
func daysOf(p day.Person) *dataDays {
	if p.Played == 0 {
		return nil
	}
	d := &dataDays{Played: p.Played, Solved: p.Solved, Longest: p.Longest}
	for _, r := range p.Results {
		d.Results = append(d.Results, dataDay{r.Day, r.Game, r.Solved, r.Moves, r.Undos, r.Hints, r.Seconds, r.Shared != 0})
	}
	return d
}

type dataOffer struct {
	Game    string            `json:"game"`
	Options map[string]string `json:"options,omitempty"`
	Deal    *int64            `json:"deal,omitempty"`
}

type dataLine struct {
	At      string `json:"at"`
	Kind    string `json:"kind"`
	Amount  int64  `json:"amount"`
	Balance int64  `json:"balance"`
	Table   string `json:"table,omitempty"`
	Deal    int    `json:"deal,omitempty"`
	Move    int    `json:"move,omitempty"`
	With    string `json:"with,omitempty"`
}

type dataCarried struct {
	Entries int64 `json:"entries"`
	Amount  int64 `json:"amount"`
}

type dataTable struct {
	Table  string `json:"table"`
	Game   string `json:"game"`
	Opened string `json:"opened"`
	Ended  string `json:"ended,omitempty"`
	Name   string `json:"name,omitempty"`
	Lang   string `json:"language,omitempty"`
	// Seat is from 1; 0 is none.
	Seat    int    `json:"seat,omitempty"`
	Seats   int    `json:"seats"`
	Host    bool   `json:"host,omitempty"`
	Waiting bool   `json:"waiting,omitempty"`
	Left    bool   `json:"left,omitempty"`
	Cut     string `json:"cut,omitempty"`
	Moves   int    `json:"moves"`
	// Deal is the number of the deal, if it has one.
	Deal *int64 `json:"deal,omitempty"`
	// Rated is what the rating was before; nil where none was.
	Rated *scores.KeptRating `json:"rating_before,omitempty"`
	// Net is what the session has brought so far; nil where there is none.
	Net *int64 `json:"session_net,omitempty"`
}

// MyFile gives the one who asks a file of what is kept about them: the first one, or the one that goes on after what
// From names, the number of an entry of the ledger or the cursor of a table.
func (b *Accounts) MyFile(ctx context.Context, r chat.Request, from string) (chat.Response, error) {
	origin, err := b.indexedOrigin(ctx, r)
	if err != nil {
		return chat.Response{}, err
	}
	end, err := b.Budget.Begin(ctx, r.Who.ID)
	if err != nil {
		return chat.Response{}, err
	}
	defer end()
	f := dataFile{Format: dataFormat, Made: utc(b.Now().Unix()), Community: origin, Person: accountText(r.Who.ID)}
	next, err := b.fillFile(ctx, r, origin, from, &f)
	if err != nil {
		return chat.Response{}, err
	}
	f.More = next != ""
	data, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return chat.Response{}, fmt.Errorf("encode what is kept about a person: %w", err)
	}
	w := words.Writer{Lang: b.Words.Lang(r.Who.Lang)}
	w.Say(chat.Plain, "mydata-file")
	message := chat.Message{Text: w.Spans, File: &chat.File{Name: "mydata.json", Data: append(data, '\n')}}
	if next != "" {
		message.Buttons = [][]chat.Button{{{Label: w.Lang.Say("button.my-file-more"), Token: table.PlaceToken(r, "!file "+next)}}}
	}
	return chat.Response{Posts: []chat.Post{{In: r.In, To: &r.Who, Message: message}}}, nil
}

// fillFile fills a file from there on, and returns where the next one begins; empty if there is none.
func (b *Accounts) fillFile(ctx context.Context, r chat.Request, origin, from string, f *dataFile) (next string, err error) {
	after := ""
	before, failed := strconv.ParseInt(from, 10, 64)
	switch {
	case from == "":
		err = b.headOfFile(ctx, r, origin, f)
	case failed != nil:
		after = from
	case before < 1:
		return "", chat.ErrToken
	}
	if err != nil {
		return "", err
	}
	if after == "" {
		if next, err = b.ledgerInFile(ctx, origin, r.Who.ID, before, f); err != nil || next != "" {
			return next, err
		}
	}
	return b.tablesInFile(ctx, origin, r.Who.ID, after, f)
}

// headOfFile fills in what there is but once.
func (b *Accounts) headOfFile(ctx context.Context, r chat.Request, origin string, f *dataFile) error {
	return b.Store.View(ctx, func(from storage.Reader) error {
		f.Chat, f.Purse, f.Scores, f.Offers = nil, nil, nil, nil
		record, err := table.GetPlace(from, r.In)
		if err != nil {
			return err
		}
		hour, err := day.HourIn(from, r.In)
		if err != nil {
			return err
		}
		if r.In.Private && (record.Lang != "" || record.Looks != table.Looks{} || hour != nil) {
			f.Chat = &dataChat{Lang: record.Lang, Text: record.Plain, Drawn: record.Pictures, Colours: 2, Cloth: record.Cloth}
			if record.Four {
				f.Chat.Colours = 4
			}
			if hour != nil {
				f.Chat.Day = hour.Text()
			}
		}
		own, err := table.GetChoices(from, origin, r.Who.ID)
		if err != nil {
			return err
		}
		wishes, err := table.WishesOf(from, origin, r.Who.ID)
		if err != nil {
			return err
		}
		if f.Own = nil; own != (table.Choices{}) || len(wishes) > 0 {
			f.Own = &dataOwn{own.Lang, string(own.Notice), own.Quiet, own.AtOnce, string(own.Suits), nil}
		}
		for _, w := range wishes {
			f.Own.Called = append(f.Own.Called, dataPlace{w.Channel, w.Thread})
		}
		p, tallies, err := kept(from, b.Order, origin, r.Who.ID)
		if err != nil {
			return err
		}
		if p.Entries > 0 {
			f.Purse = &dataPurse{Name: p.Name, Balance: p.Balance, Entries: p.Entries, Streak: p.Streak}
			if p.Day > 0 {
				f.Purse.Daily = time.Unix(p.Day*24*60*60, 0).UTC().Format(time.DateOnly)
			}
		}
		for i, t := range tallies {
			if t.Games == 0 {
				continue
			}
			game := b.Order[i].Info().Name
			way, err := scores.Way(from, scores.Key{Community: origin, Game: game, User: r.Who.ID})
			if err != nil {
				return err
			}
			f.Scores = append(f.Scores, dataScore{game, dataTally(t), firstsOf(t), way})
		}
		days, err := day.PersonOf(from, origin, r.Who.ID)
		if err != nil {
			return err
		}
		f.Days = daysOf(days)
		offers, err := table.GetOffers(from, r.In.Community)
		for _, o := range offers {
			if o.Asked == r.Who.ID {
				f.Offers = append(f.Offers, dataOffer{o.Game, o.Options, o.Deal})
			}
		}
		return err
	})
}

// firstsOf are what a tally says was done for the first time, and when; nil if nothing was.
func firstsOf(t scores.Tally) map[string]string {
	var firsts map[string]string
	for _, feat := range scores.FeatNames() {
		if at := t.First(feat); at > 0 {
			if firsts == nil {
				firsts = map[string]string{}
			}
			firsts[feat] = utc(at)
		}
	}
	return firsts
}

// ledgerInFile fills in the entries of the ledger before the one with that number, the newest first.
func (b *Accounts) ledgerInFile(ctx context.Context, origin string, user, before int64, f *dataFile) (next string, err error) {
	book := purse.Book{Store: b.Store, Community: origin}
	lines, err := book.History(ctx, user, before, fileLines+1)
	if err != nil {
		return "", err
	}
	for _, l := range lines[:min(len(lines), fileLines)] {
		line := dataLine{At: utc(l.Time), Kind: l.Kind, Amount: l.Amount, Balance: l.Balance, Table: l.Table, Deal: l.Deal, Move: l.Move}
		if l.With != 0 {
			line.With = accountText(l.With)
		}
		f.Ledger = append(f.Ledger, line)
	}
	if len(lines) > fileLines {
		return strconv.FormatInt(lines[fileLines-1].N, 10), nil
	}
	carried, err := book.Carried(ctx, user)
	if carried.Entries > 0 {
		f.Carried = &dataCarried{carried.Entries, carried.Amount}
	}
	return "", err
}

// tablesInFile fills in the tables after that cursor.
func (b *Accounts) tablesInFile(ctx context.Context, origin string, user int64, after string, f *dataFile) (next string, err error) {
	for tables, err := range b.Index.PartsOf(ctx, origin, user, after) {
		if err != nil {
			return "", err
		}
		for _, t := range tables {
			if len(f.Tables) == fileTables {
				return after, nil
			}
			after = t.Cursor()
			f.Tables = append(f.Tables, dataOf(t.Table, user))
		}
	}
	return "", nil
}

// dataOf is what the table keeps of a person.
func dataOf(t *table.Table, user int64) dataTable {
	d := dataTable{Table: t.ID.Name, Game: t.Game, Opened: utc(t.Opened), Seats: len(t.Chairs), Host: t.Host == user, Moves: t.Moves, Deal: t.Numbered}
	if t.Ended != 0 {
		d.Ended = utc(t.Ended)
	}
	if seat, ok := t.SeatOf(user); ok {
		c := t.Chairs[seat]
		if c.Was.IsRated() {
			d.Rated = &c.Was
		}
		d.Name, d.Lang, d.Seat, d.Left = c.Name, c.Lang, int(seat)+1, c.Away || c.Left
		d.Cut = table.CutOf(t, seat)
	}
	for _, c := range slices.Concat(t.Waiting, t.Kept) {
		if c.User == user {
			d.Name, d.Lang, d.Waiting = c.Name, c.Lang, true
		}
	}
	if t.Session != nil {
		if p := t.Session.Person(user); p.User == user {
			d.Net = &p.Net
			if d.Name == "" {
				d.Name = p.Name
			}
		}
	}
	return d
}

// accountText is the number of an account as a text.
func accountText(user int64) string { return strconv.FormatInt(user, 10) }

// utc is a time in seconds since 1970 as programs read it.
func utc(seconds int64) string { return time.Unix(seconds, 0).UTC().Format(time.RFC3339) }
