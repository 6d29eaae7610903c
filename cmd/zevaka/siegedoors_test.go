//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"zevaka/adapters/discord/discordtest"
	"zevaka/adapters/door"
	"zevaka/adapters/telegram/telegramtest"
	"zevaka/bot/chat"
)

// Where things stand for a browser behind a front.
const (
	publicHost   = "cards.example.org"
	telegramHost = "web.telegram.org"
	discordHost  = "discord.com"
	activityHost = discordtest.App + ".discordsays.com"
)

// doorSiege is how long each attack on the doors lasts, and doorStorm how many times a second there is one: as often as leaves the
// machine, which is that of the attackers as well, time for others.
const (
	doorSiege = 10 * time.Second
	doorStorm = 600
)

// BenchmarkSiegeOfDoors measures how long quiet people at the room and behind both doors wait for their answers: when nobody else is
// there, and while one machine does one kind of mischief at all three over 48 connections: logins that nobody signed, frames that say
// nothing, sockets that are opened and left, and seals of its own making.
func BenchmarkSiegeOfDoors(b *testing.B) {
	telegram := httptest.NewServer(telegramtest.New(telegramtest.Options{Unchecked: true}))
	defer telegram.Close()
	discord := discordtest.New(b, discordtest.Options{Unchecked: true, Activities: true})
	s := start(b, "ZEVAKA_DB="+filepath.Join(b.TempDir(), "z.db"), "ZEVAKA_ROOM_OPEN=true", "ZEVAKA_LISTEN=0.0.0.0:0", "ZEVAKA_PUBLIC_URL=https://"+publicHost,
		"TELEGRAM_TOKEN="+telegramtest.Token, "TELEGRAM_API="+telegram.URL,
		"DISCORD_TOKEN="+discordtest.Token, "DISCORD_CLIENT_SECRET="+discordtest.Secret, "DISCORD_API="+discord.URL())
	s.url = "http://127.0.0.1" + s.url[strings.LastIndex(s.url, ":"):]
	defer s.end(b, syscall.SIGTERM)
	quiet := besieged(b, discord)
	for b.Loop() {
		for _, attack := range []struct {
			name string
			each func(ctx context.Context, door string, client *http.Client)
		}{
			{"quiet", nil}, {"logins", badLogin}, {"frames", junkFrames}, {"abandoned", abandoned}, {"seals", forgedSeal},
		} {
			ctx, end := context.WithTimeout(b.Context(), doorSiege)
			var hostile sync.WaitGroup
			for i := range 48 {
				if attack.each == nil {
					break
				}
				hostile.Go(func() {
					client := from(2)
					defer client.CloseIdleConnections()
					pause := time.NewTicker(48 * time.Second / doorStorm)
					defer pause.Stop()
					for ctx.Err() == nil {
						<-pause.C
						attack.each(ctx, strings.TrimSuffix(s.url, "/")+[]string{"", "/tg", "/dc"}[i%3], client)
					}
				})
			}
			took, refused := waits(ctx, s.url, quiet)
			hostile.Wait()
			end()
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, attack.name+"-p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, attack.name+"-p99-ms")
			if refused > 0 {
				b.Errorf("%s: %d of %d answers were refusals", attack.name, refused, len(took))
			}
		}
	}
}

// besieger is a quiet one: where they ask, and by what they are known there.
type besieger struct{ path, header, secret string }

// besieged are four people in the room and two behind each door.
func besieged(b *testing.B, discord *discordtest.Server) []besieger {
	b.Helper()
	var all []besieger
	for i := range 4 {
		all = append(all, besieger{"say", "X-Zevaka-Tab", fmt.Sprintf("%032x", 0xa0+i)})
	}
	for i := range 2 {
		id := int64(1001 + i)
		tg := door.Visit{Who: chat.User{ID: id, Name: "T"}, In: chat.Place{Community: chat.Community{Platform: chat.Telegram, ID: id}, Channel: id, Private: true}}
		u := discordtest.User{ID: fmt.Sprint(101 + i), Name: "d"}
		dc := door.Visit{
			Who: chat.User{ID: int64(101 + i), Name: "D"}, Instance: discord.Launch(discordtest.Channel, u),
			In: chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 800000000000000001}, Channel: 700000000000000001},
		}
		for path, v := range map[string]door.Visit{"tg/say": tg, "dc/say": dc} {
			key := door.KeyOf(telegramtest.Token, "telegram visits")
			if path == "dc/say" {
				key = door.KeyOf(discordtest.Secret, "discord visits")
			}
			seal, err := door.Seal(key, v, time.Now().Add(time.Hour))
			if err != nil {
				b.Fatal(err)
			}
			all = append(all, besieger{path, "X-Zevaka-Visit", seal})
		}
	}
	return all
}

// waits are the times that the answers to quiet people took, in order, and how many were no answers.
func waits(ctx context.Context, url string, quiet []besieger) (took []time.Duration, refused int) {
	var all sync.WaitGroup
	var mu sync.Mutex
	for i, one := range quiet {
		all.Go(func() {
			client := from(byte(100 + i))
			defer client.CloseIdleConnections()
			every := time.NewTicker(siegeEvery)
			defer every.Stop()
			for {
				select {
				case <-every.C:
				case <-ctx.Done():
					return
				}
				begun := time.Now()
				status := asks(context.WithoutCancel(ctx), client, url+one.path, one.header, one.secret, fmt.Sprint(i, "-", begun.UnixNano()))
				mu.Lock()
				took = append(took, time.Since(begun))
				if status != http.StatusOK {
					refused++
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	return took, refused
}

// asks asks for a balance, and returns the status of the answer; 0 if there is none.
func asks(ctx context.Context, client *http.Client, url, header, secret, id string) int {
	body := fmt.Sprintf(`{"id":%q,"name":"N","lang":"en","channel":1,"text":"/balance"}`, id)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader([]byte(body)))
	if err != nil {
		return 0
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(header, secret)
	resp, err := client.Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// says opens a live connection and says something there, if it is taken; then it waits for the answer, or for as long as a page does.
func says(ctx context.Context, door string, client *http.Client, frames ...string) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(door, "http")+"/live", &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }()
	for _, frame := range frames {
		if conn.Write(ctx, websocket.MessageText, []byte(frame)) != nil {
			return
		}
	}
	_, _, _ = conn.Read(ctx)
}

func badLogin(ctx context.Context, door string, client *http.Client) {
	says(ctx, door, client, fmt.Sprintf(`{"login":"user=%%7B%%22id%%22%%3A5%%7D&auth_date=%d&hash=%064x","instance":"i-1-gc-2-3","tab":"x"}`, time.Now().Unix(), time.Now().UnixNano()))
}

func junkFrames(ctx context.Context, door string, client *http.Client) {
	says(ctx, door, client, strings.Repeat("[", 4000), `{"look":1}`, "\x00")
}

func abandoned(ctx context.Context, door string, _ *http.Client) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}, Timeout: time.Second}
	host := strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(door, "/tg"), "/dc"), "http://")
	conn, err := dialer.DialContext(ctx, "tcp", host)
	if err != nil {
		return
	}
	_, _ = fmt.Fprintf(conn, "GET %s/live HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
		strings.TrimPrefix(door, "http://"+host), host)
	_ = conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	_, _ = conn.Read(make([]byte, 64))
	if time.Now().UnixNano()%4 == 0 { // Some are left open as long as the attack lasts.
		context.AfterFunc(ctx, func() { _ = conn.Close() })
		return
	}
	_ = conn.Close()
}

func forgedSeal(ctx context.Context, door string, client *http.Client) {
	asks(ctx, client, door+"/say", "X-Zevaka-Visit", strings.Repeat("A", 1500)+"."+strings.Repeat("B", 43), fmt.Sprint(time.Now().UnixNano()))
}
