package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

// secretFiles has a secret stand in a file of its own, as Docker and Kubernetes give them: a variable of the environment, with _FILE behind the
// secret's own, says where. It counts as that one does.
type secretFiles struct{}

const (
	fileMark = "_FILE"
	// maxSecretFile bounds such a file.
	maxSecretFile = 4 << 10
)

// Validate implements kong.Resolver.
func (secretFiles) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver.
func (secretFiles) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	variable := fromEnvironment(flag)
	if variable == "" || !isSecret(flag) {
		return nil, nil
	}
	itself, inFile := strings.CutSuffix(variable, fileMark)
	if path := os.Getenv(itself + fileMark); !inFile && path != "" {
		return nil, fmt.Errorf("%s and %s%s are both set: leave one out", itself, itself, fileMark)
	}
	if !inFile {
		return nil, nil
	}
	secret, err := readSecret(os.Getenv(variable))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", variable, err)
	}
	return secret, nil
}

// readSecret is the one line of a file. No error has any of it.
func readSecret(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSecretFile+1))
	if err != nil {
		return "", err
	}
	secret := strings.TrimSpace(strings.TrimPrefix(string(text), "\ufeff"))
	switch {
	case len(text) > maxSecretFile || strings.ContainsAny(secret, "\r\n"):
		return "", errors.New(path + " has more in it than one line")
	case secret == "":
		return "", errors.New(path + " is empty")
	}
	return secret, nil
}
