package discordtest_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
)

// TestFiles sends files as Discord takes them, and as it doesn't.
func TestFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var picture bytes.Buffer
		if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
			t.Fatal(err)
		}
		good := picture.String()
		described := func(id, name, alt string) string {
			return fmt.Sprintf(`{"content":"x","nonce":"1","enforce_nonce":true,%s,"attachments":[{"id":%q,"filename":%q,"description":%q}]}`,
				nobodyNotified, id, name, alt)
		}
		for _, one := range []struct {
			what, body, part, name, data string
			rights                       int64
			status                       int
		}{
			{"a picture", described("0", "a.png", "x"), "files[0]", "a.png", good, discordtest.AllRights, 200},
			{"a long description", described("0", "a.png", strings.Repeat("x", 1025)), "files[0]", "a.png", good, discordtest.AllRights, 400},
			{"no description", described("0", "a.png", " "), "files[0]", "a.png", good, discordtest.AllRights, 400},
			{"another number", described("1", "a.png", "x"), "files[0]", "a.png", good, discordtest.AllRights, 400},
			{"another name", described("0", "b.png", "x"), "files[0]", "a.png", good, discordtest.AllRights, 400},
			{"no picture", described("0", "a.png", "x"), "files[0]", "a.png", "GIF89a", discordtest.AllRights, 400},
			{"another part", described("0", "a.png", "x"), "file", "a.png", good, discordtest.AllRights, 400},
			{"no attachments", `{"content":"x","nonce":"1","enforce_nonce":true,` + nobodyNotified + `}`, "files[0]", "a.png", good, discordtest.AllRights, 400},
			{"no right", described("0", "a.png", "x"), "files[0]", "a.png", good, discordtest.AllRights &^ (1 << 15), 403},
		} {
			b := connect(t, discordtest.Options{})
			b.server.Allow(discordtest.Channel, one.rights)
			status := b.upload(one.body, one.part, one.name, one.data)
			if status != one.status || (len(b.server.Record().Violations) > 0) != (one.status == http.StatusBadRequest) {
				t.Errorf("%s is answered %d: %v", one.what, status, b.server.Record().Violations)
			}
			for _, m := range b.server.Messages(discordtest.Channel, "") {
				if string(m.Picture) != good || m.Alt != "x" {
					t.Errorf("%s makes a message with %d bytes, %q", one.what, len(m.Picture), m.Alt)
				}
			}
		}
	})
}

// upload posts a message with a file, and returns the status.
func (b *bot) upload(body, part, name, data string) int {
	b.t.Helper()
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	err := form.WriteField("payload_json", body)
	var w io.Writer
	if err == nil {
		w, err = form.CreateFormFile(part, name)
	}
	if err == nil {
		_, err = io.WriteString(w, data)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		b.t.Fatal(err)
	}
	path := b.server.URL() + "/api/v9/channels/" + discordtest.Channel + "/messages"
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, path, &out)
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bot "+discordtest.Token)
	req.Header.Set("User-Agent", "DiscordBot (https://example.org, 1)")
	req.Header.Set("Content-Type", form.FormDataContentType())
	resp, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}
