package main

import (
	"zevaka/bot/day"
	"zevaka/engine/patience/deals"
)

// calendar has the bank's deals for the patiences of a day.
type calendar struct{}

// OfDay implements day.Deals.
func (calendar) OfDay(game string, n int) (deals.Deal, bool) {
	return deals.OfDay(game, day.Since1970(n))
}

// Featured implements day.Deals.
func (calendar) Featured(n int) string { return deals.Featured(day.Since1970(n)) }
