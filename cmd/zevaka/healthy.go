package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// healthy is the command that asks the zevaka that serves whether it is ready: for a container that has nothing else to
// ask with.
type healthy struct {
	Metrics string `env:"ZEVAKA_METRICS" default:"off" placeholder:"ADDRESS" help:"Where that zevaka tells its health: its own --metrics."`
}

const (
	// healthyTime is how long the answer may take, maxHealth how much of it is read.
	healthyTime = 4 * time.Second
	maxHealth   = 4 << 10
)

// errUnhealthy says what is not ready.
var errUnhealthy = errors.New("not ready")

// Run prints "ready", or returns what isn't.
func (c *healthy) Run(std streams) error {
	if c.Metrics == off {
		return errors.New("nobody to ask: give the address of --metrics (ZEVAKA_METRICS)")
	}
	address, err := askable(c.Metrics)
	if err != nil {
		return err
	}
	client := http.Client{Timeout: healthyTime, Transport: &http.Transport{}} // Not through a proxy.
	resp, err := client.Get("http://" + address + "/readyz")
	if err != nil {
		return fmt.Errorf("%w: %w", errUnhealthy, err)
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(io.LimitReader(resp.Body, maxHealth))
	if err != nil {
		return fmt.Errorf("%w: %w", errUnhealthy, err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: %s", errUnhealthy, strings.ReplaceAll(strings.TrimSpace(string(said)), "\n", "; "))
	}
	fmt.Fprintln(std.out, strings.TrimSpace(string(said)))
	return nil
}

// askable is the address at which to ask somebody who listens at one: at every address is at this machine's own.
func askable(listens string) (string, error) {
	host, port, err := net.SplitHostPort(listens)
	if err != nil {
		return "", fmt.Errorf("--metrics: %w (it should look like 127.0.0.1:9464)", err)
	}
	if host == "" || net.ParseIP(host).IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port), nil
}
