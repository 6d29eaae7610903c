package zevaka

import "zevaka/engine"

// penalty says how mistakes are punished.
type penalty uint8

const (
	noPenalty penalty = iota
	autoPenalty
	callPenalty
)

// options are the options as the state reads them (RECORDS.md, "Options").
type options struct {
	// low is the lowest rank of the pack, 6 or 2.
	low uint8
	// stockDeal says that the cards are not dealt out (21.б).
	stockDeal bool
	// rankCentre says that the centre takes any suit; a stock deal always does.
	rankCentre bool
	// freeStart says that any card of the lowest rank begins the centre.
	freeStart bool
	// open allows playing the top of one's own open pile, openLate only once the stock is used up.
	open, openLate bool
	// others allows laying on other players while the stock of a stock deal lasts.
	others   bool
	penalty  penalty
	endFirst bool
}

// newOptions reads a complete, valid set of options.
func newOptions(values map[string]string) options {
	opts := options{
		low:       6,
		stockDeal: values["deal"] == "stock",
		freeStart: values["centre"] == "free",
		open:      values["open"] != "off",
		openLate:  values["open"] == "later",
		others:    values["others"] == "on",
		endFirst:  values["end"] == "first",
	}
	if values["pack"] == "52" {
		opts.low = 2
	}
	opts.rankCentre = opts.stockDeal || values["centre"] != "suit"
	switch values["penalty"] {
	case "auto":
		opts.penalty = autoPenalty
	case "call":
		opts.penalty = callPenalty
	}
	return opts
}

// packSize is how many cards the pack has.
func (o options) packSize() int { return 4 * (engine.Ace - int(o.low) + 1) }

// guard is after how many turns without a card to the centre the deal is stopped (RECORDS.md, Exactly 29).
func (o options) guard() int { return 10 * o.packSize() }

// follows reports that rank is the next one after under, round from the ace to the lowest.
func (o options) follows(rank, under int) bool {
	if under == engine.Ace {
		return rank == int(o.low)
	}
	return rank == under+1
}
