package main

import (
	"encoding/json"
	"errors"
	"syscall/js"

	"zevaka/engine"
	"zevaka/engine/games"
)

// answer is what the page is told of a record.
type answer struct {
	Game       string     `json:"game,omitempty"`
	Seats      int        `json:"seats,omitempty"`
	Commitment string     `json:"commitment,omitempty"`
	Cuts       []string   `json:"cuts,omitempty"`
	Packs      [][]string `json:"packs,omitempty"`
	// Moves is how many moves could be made of All.
	Moves int  `json:"moves"`
	All   int  `json:"all"`
	Over  bool `json:"over"`
	// Field says where the record breaks, empty if it doesn't; Move, if not 0, is the number of the move and Step its text. Why is
	// the reason in English, and Refusal the name of a player's sentence for it, if there is one.
	Field   string `json:"field,omitempty"`
	Move    int    `json:"move,omitempty"`
	Step    string `json:"step,omitempty"`
	Why     string `json:"why,omitempty"`
	Refusal string `json:"refusal,omitempty"`
}

func main() {
	js.Global().Set("prove", js.FuncOf(func(_ js.Value, args []js.Value) any {
		text, _ := json.Marshal(prove(args[0].String())) // Of strings and numbers, so it never fails.
		return string(text)
	}))
	js.Global().Call("ready")
	select {}
}

// prove works a record out again.
func prove(text string) answer {
	r, err := engine.ParseRecord([]byte(text))
	if err != nil {
		return answer{Field: "record", Why: err.Error()}
	}
	rules, known := games.ByName(r.Game)
	if !known {
		return answer{Game: r.Game, Field: "game", Why: "unknown"}
	}
	proof, err := engine.Prove(rules, r)
	a := answer{
		Game: r.Game, Seats: r.Seats, Commitment: proof.Commitment, Cuts: r.Cuts, Moves: proof.Moves, All: len(r.Moves), Over: r.Outcome != nil,
	}
	if r.Cuts == nil {
		a.Cuts = []string{r.Cut}
	}
	for _, pack := range proof.Packs {
		cards := make([]string, len(pack))
		for i, card := range pack {
			cards[i] = card.String()
		}
		a.Packs = append(a.Packs, cards)
	}
	a.breaks(err)
	return a
}

// breaks notes where the record breaks.
func (a *answer) breaks(err error) {
	if err == nil {
		return
	}
	a.Field, a.Why = "record", err.Error()
	var broken *engine.Broken
	if errors.As(err, &broken) {
		a.Field, a.Move, a.Step, a.Why = broken.Field, broken.Move, broken.Step, broken.Why.Error()
	}
	var refusal engine.Refusal
	if errors.As(err, &refusal) {
		a.Refusal = string(refusal)
	}
}
