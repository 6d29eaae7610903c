//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// guest is somebody in the room, as the page in a tab is: it knows no more of zevaka than the page does.
type guest struct {
	t            *testing.T
	name, secret string
	asked        int
	// admin is the secret of the room's admins; empty for who is none.
	admin string
}

// picture is a table as the room shows it.
type picture struct {
	Table string
	Ref   string
	Text  []struct {
		Text string
	}
	Buttons [][]struct {
		Label, Token string
	}
	Picture *struct{ Name string }
}

// send posts something the guest did, and reports whether it was answered.
func (g *guest) send(url, path string, what map[string]any) bool {
	g.asked++
	what["id"], what["name"], what["lang"], what["channel"] = fmt.Sprint("r", g.asked), g.name, "en", 1
	body, err := json.Marshal(what)
	if err != nil {
		g.t.Error(err)
		return false
	}
	req, err := http.NewRequest(http.MethodPost, url+path, bytes.NewReader(body))
	if err != nil {
		g.t.Error(err)
		return false
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Zevaka-Tab", g.secret)
	req.Header.Set("X-Zevaka-Admin", g.admin)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	var answer struct {
		Toast string
		Alert bool
	}
	return resp.StatusCode == http.StatusOK && json.NewDecoder(resp.Body).Decode(&answer) == nil && !answer.Alert
}

// look is the newest picture of the table, waited for if there is none yet.
func (g *guest) look(url string) picture {
	g.t.Helper()
	p, ok := g.see(url, true)
	if !ok {
		g.t.Fatal("the room shows no table")
	}
	return p
}

// glance is the newest picture of the table; false if there is none yet, or nobody answers.
func (g *guest) glance(url string) (p picture, ok bool) {
	g.t.Helper()
	return g.see(url, false)
}

// see is glance, and waits for a picture if it is to.
func (g *guest) see(url string, wait bool) (p picture, ok bool) {
	g.t.Helper()
	conn, _, err := websocket.Dial(g.t.Context(), strings.Replace(url, "http", "ws", 1)+"live", nil)
	if err != nil {
		return p, false
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(1 << 20)
	hello := fmt.Sprintf(`{"tab":%q,"name":%q,"lang":"en"}`, g.secret, g.name)
	if err := conn.Write(g.t.Context(), websocket.MessageText, []byte(hello)); err != nil {
		return p, false
	}
	for first := true; first || wait && !ok; first = false {
		_, text, err := conn.Read(g.t.Context())
		if err != nil {
			return p, false
		}
		var event struct { // The room as it is, and then each message that comes.
			Messages []picture
			Message  picture
		}
		if err := json.Unmarshal(text, &event); err != nil {
			g.t.Fatal(err)
		}
		for _, m := range append(event.Messages, event.Message) {
			if m.Table != "" {
				p, ok = m, true
			}
		}
	}
	return p, ok
}

// press presses the button with that label, and reports whether the press was answered.
func (g *guest) press(url string, p picture, label string) bool {
	for _, row := range p.Buttons {
		for _, b := range row {
			if b.Label == label {
				return g.send(url, "press", map[string]any{"token": b.Token, "on": p.Ref})
			}
		}
	}
	g.t.Errorf("no button %q in %v", label, p.Buttons)
	return false
}

// board is the picture without what was said of the last moves.
func (p picture) board() string {
	var all strings.Builder
	for _, span := range p.Text {
		all.WriteString(span.Text)
	}
	board, _, _ := strings.Cut(all.String(), "\n\n")
	return board
}
