package account

import (
	"context"

	"zevaka/bot/chat"
	"zevaka/bot/purse"
	"zevaka/bot/scores"
	"zevaka/engine"
	"zevaka/storage"
)

// indexedOrigin is originOf, for what looks through the tables of people. The error says that they can't be found yet.
func (b *Accounts) indexedOrigin(ctx context.Context, r chat.Request) (string, error) {
	origin, err := b.originOf(ctx, r)
	if err == nil {
		err = b.index.Ready()
	}
	return origin, err
}

// gameNames are the names of the games, in order.
func gameNames(games []engine.Rules) []string {
	var names []string
	for _, rules := range games {
		names = append(names, rules.Info().Name)
	}
	return names
}

// tallyKeys are the keys of a person's tallies, one for each of the games.
func tallyKeys(games []engine.Rules, origin string, user int64) []scores.Key {
	var keys []scores.Key
	for _, game := range gameNames(games) {
		keys = append(keys, scores.Key{Community: origin, Game: game, User: user})
	}
	return keys
}

// kept are a person's purse and their tallies, one for each of the games. What there is none of is zero.
func kept(from storage.Getter, games []engine.Rules, origin string, user int64) (purse.Purse, []scores.Tally, error) {
	purses, err := purse.Purses(from, origin, user)
	if err != nil {
		return purse.Purse{}, nil, err
	}
	tallies, err := scores.Read(from, tallyKeys(games, origin, user)...)
	return purses[0], tallies, err
}
