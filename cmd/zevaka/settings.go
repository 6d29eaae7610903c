package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"

	"github.com/alecthomas/kong"

	"zevaka/adapters/web"
	"zevaka/bot/pace"
	"zevaka/cmd/zevaka/watch"
)

// off is the address of what isn't served.
const off = "off"

// settings are those of serve: flags, variables of the environment and names in a file. What bears the tag secret is
// shown nowhere.
type settings struct {
	database
	New          bool        `env:"ZEVAKA_NEW" help:"Begin a new database in a cluster, or where a file of settings names one: without it, what isn't there is taken for lost."`
	Listen       string      `env:"ZEVAKA_LISTEN" default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Where the room is (default 127.0.0.1:8080); off for no room. An address that other machines reach is for --room-open, or for a --room-proxy that asks for the live tables of the platforms."`
	RoomOpen     bool        `env:"ZEVAKA_ROOM_OPEN" help:"Let the room be on an address that other machines reach: whoever reaches it may come in."`
	RoomProxy    web.Proxies `env:"ZEVAKA_ROOM_PROXY" placeholder:"ADDRESS" help:"The proxies before the room, as 127.0.0.1 or 10.0.0.0/8: they say where visitors come from (X-Forwarded-For)."`
	PublicURL    publicURL   `env:"ZEVAKA_PUBLIC_URL" placeholder:"URL" help:"The https address, without a path, at which people reach the room through your proxy: the platforms show the live tables from there."`
	PeersListen  string      `env:"ZEVAKA_PEERS_LISTEN" default:":8090" placeholder:"ADDRESS" help:"Where other processes that serve the same cluster reach this one (default :8090)."`
	PeersAddress string      `env:"ZEVAKA_PEERS_ADDRESS" placeholder:"HOST:PORT" help:"What they call it by, if that isn't the address from which it reaches the cluster."`

	Metrics   string   `env:"ZEVAKA_METRICS" default:"off" placeholder:"ADDRESS" help:"Where metrics and health are told, as 127.0.0.1:9464 (default off)."`
	LogLevel  logLevel `env:"ZEVAKA_LOG_LEVEL" default:"info" placeholder:"LEVEL" help:"How much to tell: debug, info, warn or error (default info)."`
	LogFormat string   `env:"ZEVAKA_LOG_FORMAT" default:"text" enum:"text,json" placeholder:"FORMAT" help:"How to tell it: text or json (default text)."`

	Keep    keep    `env:"ZEVAKA_KEEP" default:"90d" placeholder:"DAYS" help:"How long games that have ended are kept, in days, as 90d (the default); never: for ever."`
	Archive savedIn `env:"ZEVAKA_ARCHIVE" placeholder:"FOLDER" help:"Where the records of games go before they leave the database; without it they are gone then."`
	Contact contact `env:"ZEVAKA_CONTACT" placeholder:"TEXT" help:"How whoever runs the bot can be reached, a line that /privacy shows."`

	UserRate      float64 `env:"ZEVAKA_USER_RATE" default:"5" placeholder:"N" help:"Presses, commands and lines of talk a second that count from one user (default 5); 0 for no limit."`
	AddressRate   float64 `env:"ZEVAKA_ADDRESS_RATE" default:"20" placeholder:"N" help:"The same for all who come to the room from one address (default 20); 0 for no limit."`
	CommunityRate float64 `env:"ZEVAKA_COMMUNITY_RATE" default:"60" placeholder:"N" help:"The same for all users of one community, or of the whole room (default 60); 0 for no limit."`

	// Cell and Directory are settings that there were.
	Cell      gone `hidden:"" env:"ZEVAKA_CELL"`
	Directory gone `hidden:"" env:"ZEVAKA_DIRECTORY"`

	// Platforms are those of platforms, each with its flags.
	Platforms kong.Plugins `embed:""`
}

// Validate refuses what no setting can be. Kong calls it.
func (s *settings) Validate() error {
	if !(s.UserRate >= 0) || !(s.AddressRate >= 0) || !(s.CommunityRate >= 0) {
		return errors.New("--user-rate, --address-rate, --community-rate: give a number of presses a second, or 0 for no limit")
	}
	if s.PublicURL != "" && s.Listen == off {
		return errors.New("--public-url: the live tables stand beside the room, so give --listen an address, as 127.0.0.1:8080")
	}
	for _, one := range []struct{ name, value string }{
		{"--listen", s.Listen}, {"--metrics", s.Metrics}, {"--peers-listen", s.PeersListen}, {"--peers-address", cmp.Or(s.PeersAddress, off)},
	} {
		if _, port, err := net.SplitHostPort(one.value); one.value != off && (err != nil || !isPort(port)) {
			return fmt.Errorf("%s: %.100q should look like 127.0.0.1:8080", one.name, one.value)
		}
	}
	if _, err := s.place(); err != nil {
		return err
	}
	for _, p := range s.chats() {
		if err := p.Check(); err != nil {
			return err
		}
	}
	return nil
}

// isPort reports whether a text is the number of a port; 0 is any that is free.
func isPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return err == nil
}

// log is what the settings say of logging, in a log written to out, of a level that may change.
func (s *settings) log(out io.Writer, level slog.Leveler) *slog.Logger {
	return watch.NewLog(out, watch.Logging{
		Level: level, JSON: s.LogFormat == "json", Secrets: s.secrets(),
	})
}

// rates are how fast people may press.
func (s *settings) rates() pace.Rates {
	return pace.Rates{User: s.UserRate, Address: s.AddressRate, Community: s.CommunityRate}
}
