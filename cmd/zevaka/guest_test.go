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

	"zevaka/bot/live"
)

// guest is somebody in the room, as the page in a tab is: it knows no more of zevaka than the page does.
type guest struct {
	t            *testing.T
	name, secret string
	asked        int
	// admin is the secret of the room's admins; empty for who is none.
	admin string
}

// note is a message as the room sends it.
type note struct {
	Table, Ref string
	Picture    *struct{ Name string }
}

// picture is a table as the room shows it: where it stands, and what is to be seen.
type picture struct {
	note
	live.Scene
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
	conn, all := g.enter(url)
	if conn == nil {
		return p, false
	}
	defer func() { _ = conn.CloseNow() }()
	for {
		for _, m := range all {
			if m.Table != "" {
				p.note = m
			}
		}
		if p.note.Table != "" || !wait {
			break
		}
		e, err := g.hear(conn)
		if err != nil {
			return p, false
		}
		all = append(e.Messages, e.Message)
	}
	if p.note.Table == "" || conn.Write(g.t.Context(), websocket.MessageText, fmt.Appendf(nil, `{"look":%q}`, p.note.Table)) != nil {
		return p, false
	}
	for {
		e, err := g.hear(conn)
		if err != nil {
			return p, false
		}
		if e.Kind == "scene" {
			p.Scene = e.Scene
			return p, true
		}
	}
}

// heard is what the room says on a live connection: the room as it is, and then each message that comes, or the table that is looked at.
type heard struct {
	Kind     string
	Messages []note
	Message  note
	Scene    live.Scene
}

// enter opens a live connection, and returns the messages that stand in the room; nil if nobody answers.
func (g *guest) enter(url string) (*websocket.Conn, []note) {
	g.t.Helper()
	conn, _, err := websocket.Dial(g.t.Context(), strings.Replace(url, "http", "ws", 1)+"live", nil)
	if err != nil {
		return nil, nil
	}
	conn.SetReadLimit(1 << 20)
	hello := fmt.Sprintf(`{"tab":%q,"name":%q,"lang":"en"}`, g.secret, g.name)
	if err = conn.Write(g.t.Context(), websocket.MessageText, []byte(hello)); err == nil {
		var first heard
		if first, err = g.hear(conn); err == nil {
			return conn, first.Messages
		}
	}
	_ = conn.CloseNow()
	return nil, nil
}

func (g *guest) hear(conn *websocket.Conn) (e heard, err error) {
	_, text, err := conn.Read(g.t.Context())
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	return e, err
}

// press presses the button with that label, and reports whether the press was answered.
func (g *guest) press(url string, p picture, label string) bool {
	for _, a := range p.Acts {
		if a.Label == label {
			return g.send(url, "press", map[string]any{"token": a.Token, "on": p.Ref})
		}
	}
	g.t.Errorf("no button %q in %+v", label, p.Acts)
	return false
}

// board is what lies there, who sits there, and how it ended.
func (p picture) board() string {
	var all strings.Builder
	fmt.Fprintln(&all, p.Title, p.Phase, p.Turn)
	for _, s := range p.Seats {
		fmt.Fprintln(&all, s.Name, s.Net, s.Stake)
	}
	fmt.Fprintf(&all, "%+v\n", p.Piles)
	if p.Result != nil {
		fmt.Fprintf(&all, "%+v\n", *p.Result)
	}
	return all.String()
}
