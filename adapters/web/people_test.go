package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// peopleBy asks whom a browser with that cookie remembers, and tells it of some.
func (p *tab) peopleBy(cookie string, some []personKept, spoil ...func(*http.Request)) (*http.Response, []personKept) {
	p.t.Helper()
	b, err := json.Marshal(map[string]any{"people": some})
	if err != nil {
		p.t.Fatal(err)
	}
	req := p.request(peoplePath, note{})
	for _, change := range append([]func(*http.Request){sends(string(b)), header("Origin", p.url), header("Cookie", cookie)}, spoil...) {
		change(req)
	}
	resp, err := p.client.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	var told struct{ People []personKept }
	if err := json.NewDecoder(resp.Body).Decode(&told); err != nil {
		p.t.Fatal(err)
	}
	return resp, told.People
}

// cookieOf is the one cookie that an answer sets, as a browser sends it back.
func cookieOf(t *testing.T, resp *http.Response) (*http.Cookie, string) {
	t.Helper()
	all := resp.Cookies()
	if len(all) != 1 {
		t.Fatalf("%d cookies", len(all))
	}
	return all[0], all[0].Name + "=" + all[0].Value
}

// TestPeopleKept: a browser that has thrown away what its page kept has its people by a cookie of this room's.
func TestPeopleKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serve(t, &dealer{})
		ann := sit(t, srv, "Аня")
		who := func(n int) personKept {
			return personKept{Secret: fmt.Sprintf("%032x", n), Name: fmt.Sprint("Аня ", n), Guest: n == 2}
		}
		resp, told := ann.peopleBy("", nil)
		if len(told) != 0 || len(resp.Cookies()) != 0 {
			t.Errorf("whom nobody knows has %v, %v", told, resp.Cookies())
		}
		resp, _ = ann.peopleBy("", []personKept{who(1), who(2), {Secret: "x", Name: "x"}, {Secret: who(3).Secret}, who(1)})
		c, sent := cookieOf(t, resp)
		if !c.HttpOnly || c.Secure || c.SameSite != http.SameSiteStrictMode || c.Path != peoplePath || c.Domain != "" || c.MaxAge != 400*24*3600 {
			t.Errorf("the cookie: %s", c.Raw)
		}
		resp, told = ann.peopleBy(sent, nil)
		if again, _ := cookieOf(t, resp); !slices.Equal(told, []personKept{who(1), who(2)}) || again.Raw != c.Raw || resp.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("the page is told of %v, with %v", told, resp.Header)
		}
		_, told = ann.peopleBy(sent, []personKept{who(4), who(2), who(5), who(6)})
		if !slices.Equal(told, []personKept{who(4), who(2), who(5), who(6), who(1)}) {
			t.Errorf("the page has more, and is told of %v", told)
		}
		for _, bad := range []string{c.Name + "=%%%", c.Name + "=bnVsbA", c.Name + "1=" + c.Value} {
			if resp, told = ann.peopleBy(bad, nil); len(told) != 0 || len(resp.Cookies()) != 0 {
				t.Errorf("%s is %v", bad, told)
			}
		}
		long := who(1)
		long.Name = strings.Repeat("𝔸", 200)
		all, many := slices.Repeat([]personKept{long}, maxPeople+1), slices.Repeat([]personKept{who(1)}, maxPeople+1)
		for i := range all {
			all[i].Secret, many[i].Secret = who(i).Secret, who(i).Secret
		}
		if resp, told = ann.peopleBy(sent, all); len(told) != maxPeople || len(resp.Header.Get("Set-Cookie")) > 4000 {
			t.Errorf("%d long names make a cookie of %d bytes", len(told), len(resp.Header.Get("Set-Cookie")))
		}
		_, sent = cookieOf(t, resp)
		if _, told = ann.peopleBy(sent, nil); len(told) < 5 {
			t.Errorf("of long names it has %d", len(told))
		}
		resp, _ = ann.peopleBy("", many)
		_, sent = cookieOf(t, resp)
		if _, told = ann.peopleBy(sent, nil); len(told) != maxPeople {
			t.Errorf("of short names it has %d", len(told))
		}
		resp, _ = ann.peopleBy("", []personKept{who(1)}, func(r *http.Request) { r.Header.Set("Origin", "https://"+r.URL.Host) })
		if c, _ := cookieOf(t, resp); !c.Secure {
			t.Errorf("by https the cookie is %s", c.Raw)
		}
	})
}

// TestPeopleOfTheRoomAlone: no other page gets the secrets, or has others kept, and by the cookie nobody is anybody.
func TestPeopleOfTheRoomAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, srv := serve(t, &dealer{})
		ann := sit(t, srv, "Аня")
		known := []personKept{{Secret: ann.secret, Name: "Аня"}}
		resp, _ := ann.peopleBy("", known)
		_, sent := cookieOf(t, resp)
		for name, spoil := range map[string]func(*http.Request){
			"another site":          header("Origin", "https://example.com"),
			"another port":          header("Origin", "http://127.0.0.1:1"),
			"a file":                header("Origin", "null"),
			"no page":               header("Origin", ""),
			"another site, it says": header("Sec-Fetch-Site", "cross-site"),
			"another port, it says": header("Sec-Fetch-Site", "same-site"),
			"another name":          func(r *http.Request) { r.Host = "evil.example" },
			"no header":             header(tabHeader, ""),
			"a form":                header("Content-Type", "text/plain"),
			"no JSON":               sends("{"),
			"too much":              sends(`{"people":[]` + strings.Repeat(" ", maxBody) + "}"),
			"what only asks (GET)":  func(r *http.Request) { r.Method = http.MethodHead },
			"what asks if it may":   func(r *http.Request) { r.Method = http.MethodOptions },
			"another address":       func(r *http.Request) { r.URL.Path += "/" },
		} {
			req := ann.request(peoplePath, note{})
			for _, change := range []func(*http.Request){sends(`{"people":[]}`), header("Origin", ann.url), header("Cookie", sent), spoil} {
				change(req)
			}
			resp, err := ann.client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if resp.StatusCode/100 != 4 || len(resp.Cookies()) != 0 || resp.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s: %s, %v", name, resp.Status, resp.Header)
			}
		}
		req := ann.request("/say", note{Text: "hello"})
		req.Header.Set("Cookie", sent)
		req.Header.Del(tabHeader)
		if got := ann.do(req); got.Error != "tab" {
			t.Errorf("who has the cookie alone speaks: %+v", got)
		}
	})
}
