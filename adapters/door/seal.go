package door

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// MaxSeal is how many bytes a sealed visit may have.
const MaxSeal = 2048

// contents are what a seal signs.
type contents struct {
	Visit Visit `json:"visit"`
	// Until is in seconds since 1970.
	Until int64 `json:"until"`
}

// Seal is a visit as signed text that Unseal reads until the time. A page shows it when it comes back, since a login is good only once.
func Seal(key [32]byte, v Visit, until time.Time) (string, error) {
	b, err := json.Marshal(contents{v, until.Unix()})
	if err != nil {
		return "", fmt.Errorf("seal a visit: %w", err)
	}
	text := base64.RawURLEncoding.EncodeToString(b)
	return text + "." + base64.RawURLEncoding.EncodeToString(sign(key, text)), nil
}

// Unseal reads a visit. The error is ErrLogin if Seal didn't write the text with that key, and ErrOld if its time is over.
func Unseal(key [32]byte, text string, now time.Time) (Visit, error) {
	body, signature, _ := strings.Cut(text, ".")
	given, err := base64.RawURLEncoding.DecodeString(signature)
	if len(text) > MaxSeal || err != nil || !hmac.Equal(given, sign(key, body)) {
		return Visit{}, ErrLogin
	}
	b, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return Visit{}, ErrLogin
	}
	var s contents
	if err := json.Unmarshal(b, &s); err != nil {
		return Visit{}, ErrLogin
	}
	if now.Unix() > s.Until {
		return Visit{}, ErrOld
	}
	return s.Visit, nil
}

// KeyOf is a key that is derived from a platform's secret and doesn't reveal it. Each use has another key.
func KeyOf(secret, use string) (key [32]byte) {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(use))
	copy(key[:], mac.Sum(nil))
	return key
}

func sign(key [32]byte, text string) []byte {
	mac := hmac.New(sha256.New, key[:])
	mac.Write([]byte(text))
	return mac.Sum(nil)
}
