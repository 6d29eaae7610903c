package live_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"zevaka/bot/chat"
	"zevaka/bot/play"
)

// TestSigns: who sits at a table says something by a code, which everybody hears who looks, once; nobody else does, nothing else, from
// nowhere else, nor all the time.
func TestSigns(t *testing.T) {
	t.Parallel()
	c := newClub(t, 3)
	ann, olya, bob := c.people[0], c.people[1], c.people[3]
	c.open("/zevaka")
	if s := c.see(ann); s.Says != "" {
		t.Errorf("who sits there alone says something by %q", s.Says)
	}
	c.do(olya, "join")
	says := c.see(ann).Says
	if says == "" || c.see(bob).Says != "" || c.see(olya).Says != says || c.see(bob).Seats[1].Who != "2" {
		t.Fatalf("Ann begins with %q, Olya with %q, Bob, who looks, with %q", says, c.see(olya).Says, c.see(bob).Says)
	}
	var heard []string
	for _, u := range c.people {
		c.looks[u.ID].Hear(func(s play.Sign) {
			heard = append(heard, fmt.Sprint(u.Name, " hears ", s.Name, " ", s.Seat, " ", s.Code))
		})
	}
	try := func(name string, who chat.User, token string, want bool, change func(*chat.Request)) {
		t.Helper()
		r := chat.Request{ID: "sign " + name, Who: who, In: c.place, Kind: chat.Press, Data: token, Live: true}
		if change != nil {
			change(&r)
		}
		heard = nil
		answer := c.bot.Handle(t.Context(), r)
		if said := len(heard) == len(c.people); said != want || !said && heard != nil || answer.Alert == want || len(answer.Posts) > 0 {
			t.Errorf("%s: %q, %+v", name, heard, answer)
		}
	}
	member := func(is bool, err error) func(*chat.Request) {
		return func(r *chat.Request) {
			r.FromOutside, r.Member = true, func(context.Context, chat.Community) (bool, error) { return is, err }
		}
	}
	all := func() {
		t.Helper()
		for name, one := range map[string]struct {
			who    chat.User
			token  string
			change func(*chat.Request)
			want   bool
		}{
			"who sits there":                   {who: ann, token: says + "yawn", want: true},
			"the other one":                    {who: olya, token: says + "hurry", want: true},
			"who perhaps isn't there any more": {who: olya, token: says + "wait", change: member(false, errors.New("nobody knows")), want: true},
			"who isn't there any more":         {who: olya, token: says + "wait", change: member(false, nil)},
			"who only looks":                   {who: bob, token: says + "yawn"},
			"an admin who only looks":          {who: chat.User{ID: bob.ID, Name: bob.Name, Admin: true}, token: says + "yawn"},
			"another code":                     {who: ann, token: says + "<b>"},
			"no code":                          {who: ann, token: says},
			"a text behind a code":             {who: ann, token: says + "yawn at Olya"},
			"a message's button":               {who: ann, token: says + "yawn", change: func(r *chat.Request) { r.Live = false }},
			"elsewhere":                        {who: ann, token: says + "yawn", change: func(r *chat.Request) { r.In.Channel = 2 }},
		} {
			c.running += 5 * time.Second
			try(name+fmt.Sprint(c.running), one.who, one.token, one.want, one.change)
		}
	}
	all()
	c.do(ann, "deal")
	all()
	c.running += time.Minute
	try("first", ann, says+"yawn", true, nil)
	try("second", ann, says+"laugh", true, nil)
	try("third", ann, says+"wink", false, nil)
	try("another's", olya, says+"yawn", true, nil)
	c.running += 5 * time.Second
	heard = nil
	again := chat.Request{ID: "sign second", Who: ann, In: c.place, Kind: chat.Press, Data: says + "laugh", Live: true}
	if answer := c.bot.Handle(t.Context(), again); answer.Alert || heard != nil {
		t.Errorf("what is delivered again is heard as %q, and answered %+v", heard, answer)
	}
}

// TestLastWords: something can still be said for a while when a game is over.
func TestLastWords(t *testing.T) {
	t.Parallel()
	c := newClub(t, 4)
	c.open("/zevaka")
	c.do(c.people[1], "join")
	says := c.see(c.people[0]).Says
	for c.see(c.people[0]).Phase != "ended" {
		c.do(c.people[0], "stop") // And now and then says yes.
	}
	for _, test := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {9 * time.Minute, true}, {time.Minute, false}} {
		c.running += test.after
		s := c.see(c.people[0])
		answer := c.bot.Handle(t.Context(), chat.Request{ID: fmt.Sprint(c.running), Who: c.people[0], In: c.place, Kind: chat.Press, Data: says + "well", Live: true})
		if s.Phase != "ended" || (s.Says != "") != test.want || answer.Alert == test.want {
			t.Errorf("%v later in phase %s: %q, %+v", test.after, s.Phase, s.Says, answer)
		}
	}
}
