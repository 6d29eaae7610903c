// Package patience deals eight old patiences, each for one player with two packs of 52 (RULES.md, sections 2 to 5 and 7
// to 10). Seven are played by one small machine: a patience declares its piles, which of them take cards from which
// others and what is built on them, how the cards are dealt and drawn, and how often the stock may be gone through.
// Большой Паганини, whose cards lie in a field with gaps, has a State of its own.
//
// In all of them the ace is low, cards move one at a time, nobody has to move a card that fits, and a card on a
// foundation stays there. A card drawn for a player's choice waits in the pile "turned"; until it has been laid
// somewhere no other is drawn. Of several empty foundations only the first takes a card. A deal is over when
// all 104 cards are on the foundations, when the player gives up, or when there is nothing else left to do. Moves that
// lead nowhere count as moves.
//
// Everybody sees the same. The stock lies face down, and of the squared piles (the star of Gwiazda, the walls of
// Гробница, the packets of Паук) only the uppermost card can be seen. All other piles show all their cards: each of
// them was seen when it was laid there.
//
// How many of a thousand deals come out for the computer players, and how many cards are in place at the end on average
// (zevaka simulate tecza --games 1000):
//
//	Tęcza            8.5 %   78.0
//	Otwarty sklep   17.5 %   85.8
//	Żaba            48.7 %   95.7
//	Gwiazda          4.7 %   73.7
//	«Полушарія»      9.9 %   41.2
//	«Гробница»      15.0 %   51.4
//	Паганини         3.8 %   70.0
//	Паук            59.7 %   98.6
package patience
