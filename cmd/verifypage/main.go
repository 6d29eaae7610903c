//go:build !js

// Command verifypage makes a page that checks the record of a game without a network: one file that a browser opens from a disk.
// In it are the rules of all games, compiled for the browser, so it works out the pack from the seed and the cuts, and makes every
// move again, as the bot does.
//
//	go run ./cmd/verifypage verify.html
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"zevaka/bot/words"
	"zevaka/engine/games"
)

//go:embed page.html
var files embed.FS

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "verifypage: name the file to write")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "verifypage:", err)
		os.Exit(1)
	}
}

// run writes the page. It compiles this very folder for the browser, by the Go that stands in the path.
func run(ctx context.Context, path string) error {
	program, err := compile(ctx)
	if err != nil {
		return err
	}
	start, err := starter(ctx)
	if err != nil {
		return err
	}
	sentences, err := sentences()
	if err != nil {
		return err
	}
	page, err := files.ReadFile("page.html")
	if err != nil {
		return fmt.Errorf("read the page: %w", err)
	}
	for mark, text := range map[string][]byte{"/*START*/": start, "/*SENTENCES*/": sentences, "PROGRAM": program} {
		page = bytes.Replace(page, []byte(mark), text, 1)
	}
	if err := os.WriteFile(path, page, 0o600); err != nil { //nolint:gosec // Whoever calls says where.
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

// compile makes the program of the page, compressed and as text.
func compile(ctx context.Context) ([]byte, error) {
	folder, err := os.MkdirTemp("", "verifypage")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	defer os.RemoveAll(folder)
	made := filepath.Join(folder, "program.wasm")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", made, "zevaka/cmd/verifypage") //nolint:gosec // The folder is one made here.
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compile for the browser: %w\n%s", err, said)
	}
	program, err := os.ReadFile(made) //nolint:gosec // It was made here.
	if err != nil {
		return nil, fmt.Errorf("read what was compiled: %w", err)
	}
	var small bytes.Buffer
	writer, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
	if err == nil {
		_, err = writer.Write(program)
	}
	if err == nil {
		err = writer.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("compress what was compiled: %w", err)
	}
	return base64.StdEncoding.AppendEncode(nil, small.Bytes()), nil
}

// starter is what Go itself brings along to start such a program in a browser.
func starter(ctx context.Context) ([]byte, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("ask where Go is: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("read what starts a program in a browser: %w", err)
	}
	return text, nil
}

// sentences are, for each language, why a move is refused, and what the games are called.
func sentences() ([]byte, error) {
	catalogue, err := words.Load()
	if err != nil {
		return nil, err
	}
	all := map[string]map[string]string{}
	for _, tag := range words.Tags() {
		lang := catalogue.Lang(tag)
		all[tag] = lang.Plain("no.")
		for _, rules := range games.All() {
			key := "game." + rules.Info().Name
			all[tag][key] = lang.Say(key)
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("write the sentences: %w", err)
	}
	return text, nil
}
