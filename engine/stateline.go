package engine

// AppendState writes the position after the n-th move as one line of JSON, without the newline (RECORDS.md, "States"):
// what the Referee sees. Step is the text of that move, "" for n = 0.
func AppendState(dst []byte, n int, step string, st State) []byte {
	view := st.View(Referee)
	dst = appendInt(append(dst, `{"n":`...), n)
	if step != "" {
		dst = appendString(append(dst, `,"move":`...), step)
	}
	turn := Nobody
	if len(view.Turn) > 0 {
		turn = view.Turn[0]
	}
	dst = appendInt(append(dst, `,"turn":`...), turn)
	dst = append(dst, `,"piles":{`...)
	for i, pile := range view.Piles {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, pile.Name), ':')
		dst = appendList(dst, pile.Cards, func(dst []byte, c Card) []byte { return appendString(dst, c.String()) })
	}
	dst = append(dst, '}')
	if view.Chips != nil {
		dst = appendInt(append(dst, `,"chips":{"bank":`...), view.Chips.Bank)
		dst = appendList(append(dst, `,"seats":`...), view.Chips.Seats, appendInt)
		dst = append(dst, '}')
	}
	if view.Over {
		return append(dst, `,"over":true}`...)
	}
	return append(dst, `,"over":false}`...)
}
