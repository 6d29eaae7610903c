package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"zevaka/engine"
	"zevaka/engine/games"
)

// match is a number of games of one kind, played by computer players.
type match struct {
	rules   engine.Rules
	info    engine.Info
	options map[string]string
	seats   int
	seed    string
	mover   mover
	// states says that the positions are wanted.
	states bool
}

// mover finds the next step in a position, with the chance of the players.
type mover func(st engine.State, r *rand.Rand) (engine.Step, error)

// game is a game played: its record, its positions if they were wanted, how many moves it took and how it ended.
type game struct {
	record, states []byte
	moves          int
	// patience is how a patience ended; nil for other games.
	patience *engine.Patience
	err      error
}

// play plays the i-th game of the match.
func (m *match) play(i int) game {
	record := engine.Record{
		Game: m.info.Name, Options: m.options, Seats: m.seats, Seed: gameSeed(m.seed, i), Cut: strconv.Itoa(i),
	}
	setup := engine.Setup{Seats: record.Seats, Options: record.Options}
	st, err := m.rules.Deal(setup, engine.NewShuffler(record.Seed, record.Cut))
	if err != nil {
		return game{err: err}
	}
	var g game
	g.addState(m, 0, "", st)
	chance := rand.New(rand.NewChaCha8(sha256.Sum256([]byte("players:" + m.seed + ":" + strconv.Itoa(i)))))
	for len(st.Turn()) > 0 {
		text, err := m.move(st, chance)
		if err != nil {
			return game{err: fmt.Errorf("move %d: %w", len(record.Moves)+1, err)}
		}
		record.Moves = append(record.Moves, text)
		g.addState(m, len(record.Moves), text, st)
	}
	result, over := st.Result()
	if !over {
		return game{err: errors.New("nobody is to move, and the game is not over")}
	}
	record.Outcome = &result
	g.moves, g.patience = len(record.Moves), result.Patience
	g.record, g.err = record.Marshal(m.info)
	return g
}

// move makes one move and returns it as records keep it.
func (m *match) move(st engine.State, chance *rand.Rand) (string, error) {
	step, err := m.mover(st, chance)
	if err != nil {
		return "", err
	}
	outcome, err := st.Apply(step)
	if err != nil {
		return "", fmt.Errorf("%q: %w", engine.StepText(m.rules, step), err)
	}
	step.Move = outcome.Move
	return engine.StepText(m.rules, step), nil
}

func (g *game) addState(m *match, n int, text string, st engine.State) {
	if m.states {
		g.states = append(engine.AppendState(g.states, n, text, st), '\n')
	}
}

// attentive moves as the game's computer players do: first those are asked who may move but need not, then the one
// who must.
func attentive(skill float64) mover {
	return func(st engine.State, r *rand.Rand) (engine.Step, error) {
		turn := st.Turn()
		for _, seat := range turn[1:] {
			if move := st.Auto(seat, skill, r); move != (engine.Move{}) {
				return engine.Step{Seat: seat, Move: move}, nil
			}
		}
		move := st.Auto(turn[0], skill, r)
		if move == (engine.Move{}) {
			return engine.Step{}, fmt.Errorf("seat %d must move, and its computer player doesn't", turn[0])
		}
		return engine.Step{Seat: turn[0], Move: move}, nil
	}
}

// anyMove is any legal move of any seat that may move.
func anyMove(st engine.State, r *rand.Rand) (engine.Step, error) {
	turn := st.Turn()
	seat := turn[r.IntN(len(turn))]
	moves := st.Moves(seat, nil)
	if len(moves) == 0 {
		return engine.Step{}, fmt.Errorf("seat %d may move, and has no legal move", seat)
	}
	return engine.Step{Seat: seat, Move: moves[r.IntN(len(moves))]}, nil
}

// findGame is the game of that name, or an error that names those there are.
func findGame(name string) (engine.Rules, error) {
	if rules, ok := games.ByName(name); ok {
		return rules, nil
	}
	var names []string
	for _, rules := range games.All() {
		names = append(names, rules.Info().Name)
	}
	return nil, fmt.Errorf("there is no game %.40q here, only %s", name, strings.Join(names, ", "))
}

// completeOptions adds the defaults to the options asked for. Its error says which one is wrong and what it may be.
func completeOptions(info engine.Info, asked map[string]string) (map[string]string, error) {
	full, err := info.Choose(asked, nil)
	if err == nil {
		return full, nil
	}
	if vain := new(engine.Vain); errors.As(err, &vain) {
		return nil, fmt.Errorf("-o %w", vain)
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		one := map[string]string{name: asked[name]}
		if _, err := info.Complete(one); err != nil {
			return nil, fmt.Errorf("-o %s=%s: %s", name, asked[name], mayBe(info, name))
		}
	}
	return nil, err
}

// mayBe says what values an option of the game has, or which options there are.
func mayBe(info engine.Info, name string) string {
	var names []string
	for _, option := range info.Options {
		names = append(names, option.Name)
		if option.Name == name && option.Max > 0 {
			return fmt.Sprintf("%s may be %s, or a number from %d to %d", name, strings.Join(option.Values, ", "), option.Min, option.Max)
		}
		if option.Name == name {
			return fmt.Sprintf("%s may be %s", name, strings.Join(option.Values, ", "))
		}
	}
	return fmt.Sprintf("the options of %s are %s", info.Name, strings.Join(names, ", "))
}
