package purse

// secondsPerDay are those of a UTC day.
const secondsPerDay = 24 * 60 * 60

// Gift is what the daily chips came to.
type Gift struct {
	Amount int64
	// Streak is on how many days in a row they were taken, this one too.
	Streak int
	// Next is from when on there are daily chips again.
	Next int64
}

// Daily gives the user the daily chips, once in a UTC day, and refuses them with TooEarly after that. More come on each
// day in a row. The ID follows from the request, as in Post: the same again returns the same and gives nothing.
func (l Ledger) Daily(id string, user int64) (Gift, error) {
	s := l.sheet()
	stored, err := s.read(keyPosting(l.Community, id), []Account{User(user), House})
	if err != nil {
		return Gift{}, err
	}
	if stored.Rev == 0 {
		return s.daily(id, User(user))
	}
	was, err := decodePosting(stored.Key, stored.Value)
	if p := s.purses[User(user)]; err == nil && p != nil && was.Kind == KindDaily {
		return Gift{Amount: -was.Legs[0].Amount, Streak: p.Streak, Next: (p.Day + 1) * secondsPerDay}, nil
	}
	return Gift{}, otherPosting(stored.Key, err)
}

// daily gives the daily chips on the sheet, which has read the purse and the house.
func (s *sheet) daily(id string, a Account) (Gift, error) {
	if err := s.open(); err != nil {
		return Gift{}, err
	}
	p, today := s.purses[a], s.ledger.Now/secondsPerDay
	if p.Day >= today {
		return Gift{}, TooEarly{Next: (p.Day + 1) * secondsPerDay}
	}
	if p.Day != today-1 {
		p.Streak = 0
	}
	p.Day, p.Streak = today, p.Streak+1
	amount := min(dailyFirst+int64(p.Streak-1)*dailyStep, dailyMost)
	w, err := newPosting(id, Cause{Kind: KindDaily}, []Leg{{Account: House, Amount: -amount}, {Account: a, Amount: amount}})
	if err != nil {
		return Gift{}, err
	}
	if err := s.apply(w); err != nil {
		return Gift{}, err
	}
	return Gift{Amount: amount, Streak: p.Streak, Next: (today + 1) * secondsPerDay}, s.write()
}

// Give makes a posting from one user's purse to another's. Its Refusals are ErrAmount, ErrSelf, Short and, where only won
// chips are given, Unwon. The ID and posted are those of Post.
func (l Ledger) Give(id string, from, to, amount int64) (posted bool, err error) {
	if amount <= 0 || amount > MaxAmount {
		return false, ErrAmount
	}
	if from == to {
		return false, ErrSelf
	}
	return l.Post(id, Cause{Kind: KindGift}, Leg{Account: User(from), Amount: -amount}, Leg{Account: User(to), Amount: amount})
}

// Grant makes a posting from the house to a user's purse. Its Refusal is ErrAmount, also where the house has granted so much that purses
// couldn't hold what it gives. The ID and posted are those of Post.
func (l Ledger) Grant(id string, user, amount int64) (posted bool, err error) {
	if amount <= 0 || amount > MaxAmount {
		return false, ErrAmount
	}
	return l.Post(id, Cause{Kind: KindGrant}, Leg{Account: House, Amount: -amount}, Leg{Account: User(user), Amount: amount})
}
