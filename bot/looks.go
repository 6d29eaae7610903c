package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"zevaka/bot/picture"
	"zevaka/storage"
)

// looks are how tables are shown: those of a place, or a table.
type looks struct {
	// Plain says that it is shown as text where there could be a picture.
	Plain bool `json:"plain,omitempty"`
	// Four draws the four suits in four colours.
	Four bool `json:"four,omitempty"`
	// Cloth is the colour of the table in a picture, one of picture.Tables; the first of them if empty.
	Cloth string `json:"cloth,omitempty"`
}

// allLooks are the words that change looks.
func allLooks() []string {
	return append([]string{"pictures", "text", "four-colours", "two-colours"}, picture.Tables()...)
}

// wear changes the looks as the word says.
func (l *looks) wear(word string) {
	switch word {
	case "pictures", "text":
		l.Plain = word == "text"
	case "four-colours", "two-colours":
		l.Four = word == "four-colours"
	default:
		l.Cloth = word
	}
}

// commandSettings chooses the looks of a place and of its tables.
func (b *Bot) commandSettings(ctx context.Context, r Request, word string) (Response, error) {
	if !slices.Contains(allLooks(), word) {
		return Response{}, refuse("no-setting", blanks{"words": phrase{key: strings.Join(allLooks(), ", ")}})
	}
	if !r.Who.Admin && !r.In.Private {
		return Response{}, errNotAdmin
	}
	err := storage.Update(ctx, b.store, func(tx storage.Tx) error {
		record, err := getPlace(tx, r.In)
		if err != nil {
			return err
		}
		record.wear(word)
		return putPlace(tx, r.In, record)
	})
	if err != nil {
		return Response{}, err
	}
	posts, err := b.announce(ctx, r, phrase{key: "settings-" + word})
	if err != nil {
		return Response{}, err
	}
	response := Response{Posts: posts}
	ids, err := b.tableIDs(ctx, r.In)
	for _, id := range ids {
		one, failed := b.at(ctx, r, id, func(v *visit) error {
			v.table.wear(word)
			v.changed, v.shown, v.anew = true, true, true
			return nil
		})
		if failed != nil {
			return response, fmt.Errorf("draw the tables of a place in another way: %w", failed)
		}
		response.Posts = append(response.Posts, one.Posts...)
	}
	return response, err
}
