package table

import (
	"fmt"

	"zevaka/bot/keyspace"
	"zevaka/storage"
)

// Decisions is what a community's admins have decided for all its places.
type Decisions struct {
	// NoGifts says that nobody may give chips away.
	NoGifts bool `json:"nogifts,omitempty"`
	// NoDaily says that the house gives nobody the free chips of the day.
	NoDaily bool `json:"nodaily,omitempty"`
	// NoSeasons says that nobody is told who was best in a month.
	NoSeasons bool `json:"noseasons,omitempty"`
}

// KeyDecisions is where the decisions of a community lie, by its origin.
func KeyDecisions(origin string) string { return keyspace.Decisions + origin }

// GetDecisions reads what was decided in the community with that origin; the zero Decisions if nothing was. The error is
// one of the store, or of a value that can't be decoded.
func GetDecisions(from storage.Getter, origin string) (Decisions, error) {
	rules, err := storage.GetJSON[Decisions](from, KeyDecisions(origin))
	if err != nil {
		return rules, fmt.Errorf("read what community %s has decided: %w", origin, err)
	}
	return rules, nil
}
