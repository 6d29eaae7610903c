package webapp

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"zevaka/adapters/door"
)

// The example of init-data-golang, which Telegram signed for a bot whose token is no more.
const (
	exampleToken = "5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8"
	exampleHash  = "c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2"
	exampleUser  = "%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C%22last_name%22%3A%22Kibenko%22%2C" +
		"%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D"
	example = "query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=" + exampleUser + "&auth_date=1662771648&hash=" + exampleHash
)

// exampleTime is when it was signed.
func exampleTime() time.Time { return time.Unix(1662771648, 0) }

// write signs fields as Telegram does, with nothing of this package.
func write(token string, fields map[string]string) string {
	mac := func(key, text string) string {
		h := hmac.New(sha256.New, []byte(key))
		h.Write([]byte(text))
		return string(h.Sum(nil))
	}
	all := url.Values{}
	var lines []string
	for name, value := range fields {
		all.Set(name, value)
		lines = append(lines, name+"="+value)
	}
	slices.Sort(lines)
	all.Set("hash", hex.EncodeToString([]byte(mac(mac("WebAppData", token), strings.Join(lines, "\n")))))
	return all.Encode()
}

// ann is somebody's login at a time, with fields that are others, or not there where they are "-".
func ann(change ...string) string {
	fields := map[string]string{
		"auth_date": "1700000000", "user": `{"id":7,"first_name":"Ann","last_name":"Б","username":"ann","language_code":"pl"}`,
		"chat_instance": "-5", "chat_type": "supergroup", "start_param": "a_b-c", "signature": "abc",
	}
	for i := 0; i < len(change); i += 2 {
		if fields[change[i]] = change[i+1]; change[i+1] == "-" {
			delete(fields, change[i])
		}
	}
	return write("4242:token", fields)
}

func TestLoginIsRead(t *testing.T) {
	t.Parallel()
	got, err := NewKey(exampleToken).Read(example, exampleTime())
	want := User{ID: 279058397, FirstName: "Vladislav", LastName: "Kibenko", Username: "vdkfrost", Lang: "ru"}
	if err != nil || got.User != want || !got.At.Equal(exampleTime()) || hex.EncodeToString(got.Sign[:]) != exampleHash || got.Start != "" {
		t.Errorf("the example is %+v, %v", got, err)
	}
	got, err = NewKey("4242:token").Read(ann(), time.Unix(1700000000, 0))
	if err != nil || got.User != (User{ID: 7, FirstName: "Ann", LastName: "Б", Username: "ann", Lang: "pl"}) || got.Start != "a_b-c" {
		t.Errorf("Ann is %+v, %v", got, err)
	}
}

// TestForgedLogins are refused: whatever Telegram didn't sign so, for this bot, for a person, lately.
func TestForgedLogins(t *testing.T) {
	t.Parallel()
	now := time.Unix(1700000000, 0)
	good := ann()
	for what, c := range map[string]struct {
		token, text string
		at          time.Time
		want        error
	}{
		"as signed":                 {"4242:token", good, now, nil},
		"an hour old":               {"4242:token", good, now.Add(OldAfter), nil},
		"too old":                   {"4242:token", good, now.Add(OldAfter + time.Second), door.ErrOld},
		"a clock that is slow":      {"4242:token", good, now.Add(-Ahead), nil},
		"from the future":           {"4242:token", good, now.Add(-Ahead - time.Second), door.ErrOld},
		"of another bot":            {"4243:token", good, now, door.ErrLogin},
		"of a revoked token":        {"4242:tokem", good, now, door.ErrLogin},
		"no token":                  {"", good, now, door.ErrLogin},
		"empty":                     {"4242:token", "", now, door.ErrLogin},
		"only a hash":               {"4242:token", "hash=" + exampleHash, now, door.ErrLogin},
		"without its hash":          {"4242:token", good[:strings.Index(good, "&hash=")] + good[strings.Index(good, "&hash=")+70:], now, door.ErrLogin},
		"a hash cut short":          {"4242:token", strings.Replace(good, "&hash=", "&hash=\x00", 1), now, door.ErrLogin},
		"half a hash":               {"4242:token", "hash=c501&" + strings.Replace(good, "hash=", "was=", 1), now, door.ErrLogin},
		"another user":              {"4242:token", strings.Replace(good, "%22id%22%3A7", "%22id%22%3A8", 1), now, door.ErrLogin},
		"another time":              {"4242:token", strings.Replace(good, "1700000000", "1700000001", 1), now, door.ErrLogin},
		"another start":             {"4242:token", strings.Replace(good, "a_b-c", "a_b-d", 1), now, door.ErrLogin},
		"another signature":         {"4242:token", strings.Replace(good, "signature=abc", "signature=abd", 1), now, door.ErrLogin},
		"a field less":              {"4242:token", strings.Replace(good, "&signature=abc", "", 1), now, door.ErrLogin},
		"a field more":              {"4242:token", good + "&chat=1", now, door.ErrLogin},
		"a field twice":             {"4242:token", good + "&auth_date=1700000000", now, door.ErrLogin},
		"a hash twice":              {"4242:token", good + "&hash=" + exampleHash, now, door.ErrLogin},
		"a field with nothing":      {"4242:token", good + "&", now, nil},
		"two fields as one":         {"4242:token", strings.Replace(good, "&chat_instance=", "%0Achat_instance=", 1), now, door.ErrLogin},
		"a name with a sign":        {"4242:token", strings.Replace(good, "signature=abc", "signature%3Dabc=", 1), now, door.ErrLogin},
		"broken escapes":            {"4242:token", good + "&x=%zz", now, door.ErrLogin},
		"too long":                  {"4242:token", ann("x", strings.Repeat("a", maxLogin)), now, door.ErrLogin},
		"nobody":                    {"4242:token", ann("user", "-"), now, door.ErrLogin},
		"somebody without a number": {"4242:token", ann("user", `{"first_name":"Ann"}`), now, door.ErrLogin},
		"a chat for a user":         {"4242:token", ann("user", `{"id":-7,"first_name":"Ann"}`), now, door.ErrLogin},
		"a user that is no JSON":    {"4242:token", ann("user", `{"id":7`), now, door.ErrLogin},
		"a user that is a list":     {"4242:token", ann("user", `[7]`), now, door.ErrLogin},
		"a number that is none":     {"4242:token", ann("user", `{"id":"7"}`), now, door.ErrLogin},
		"a number too large":        {"4242:token", ann("user", `{"id":70000000000000000000}`), now, door.ErrLogin},
		"a bot":                     {"4242:token", ann("user", `{"id":7,"is_bot":true,"first_name":"Ann"}`), now, door.ErrLogin},
		"no time":                   {"4242:token", ann("auth_date", "-"), now, door.ErrLogin},
		"a time that is none":       {"4242:token", ann("auth_date", "now"), now, door.ErrLogin},
		"the first of times":        {"4242:token", ann("auth_date", "-9223372036854775808"), now, door.ErrOld},
		"the last of times":         {"4242:token", ann("auth_date", "9223372036854775807"), now, door.ErrOld},
	} {
		l, err := NewKey(c.token).Read(c.text, c.at)
		if !errors.Is(err, c.want) || (err != nil) != (l == Login{}) {
			t.Errorf("%s: %+v, %v; want %v", what, l, err, c.want)
		}
	}
}

// FuzzLogin reads anything: only what the bot's token has signed is a login, whatever is written around it.
func FuzzLogin(f *testing.F) {
	for _, text := range []string{example, ann(), "", "&&=&", "hash=" + exampleHash, "user=%7B%7D&auth_date=1&hash=", ann("user", "null")} {
		f.Add(text)
	}
	key := NewKey(exampleToken)
	fields := func(text string) string {
		all, _ := url.ParseQuery(text)
		return strings.ReplaceAll(all.Encode(), strings.ToUpper(exampleHash), exampleHash)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := key.Read(text, exampleTime())
		if err == nil && (l.User.ID != 279058397 || !strings.EqualFold(fields(text), fields(example))) {
			t.Errorf("%q is read as %+v", text, l)
		}
	})
}
