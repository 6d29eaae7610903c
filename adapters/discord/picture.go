package discord

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot"
)

const (
	// wordsFor is how long no picture is tried in a channel that takes none.
	wordsFor = time.Hour
	// fileName is what a picture's file is called.
	fileName = "board.png"
)

// attachment is what a message says of a file that comes along.
type attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description"`
}

// attach lets a message have a picture, in place of any other; nil is none.
func (b *body) attach(p *bot.Picture) {
	b.picture, b.Attachments = p, &[]attachment{}
	if p == nil {
		return
	}
	alt := cut(p.Alt, maxAlt)
	if strings.TrimSpace(alt) == "" {
		alt = "…"
	}
	b.Attachments = &[]attachment{{ID: "0", Filename: fileName, Description: alt}}
}

// parcel is what a call carries, and of which kind that is.
type parcel struct {
	content []byte
	kind    string
}

// encode packs what a call with a body carries. This is where its picture is painted.
func (c call) encode() (parcel, error) {
	const plain = "application/json"
	text, err := json.Marshal(c.body)
	if err != nil {
		return parcel{}, fmt.Errorf("encode a call: %w", err)
	}
	if c.picture == nil {
		return parcel{text, plain}, nil
	}
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	for _, part := range []struct {
		name, file, kind string
		data             []byte
	}{
		{"payload_json", "", plain, text},
		{"files[0]", `; filename="` + fileName + `"`, "image/png", c.picture.PNG(nil)},
	} {
		w, err := form.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {`form-data; name="` + part.name + `"` + part.file}, "Content-Type": {part.kind},
		})
		if err == nil {
			_, err = w.Write(part.data)
		}
		if err != nil {
			return parcel{}, fmt.Errorf("encode a call with a picture: %w", err)
		}
	}
	if err := form.Close(); err != nil {
		return parcel{}, fmt.Errorf("encode a call with a picture: %w", err)
	}
	return parcel{out.Bytes(), form.FormDataContentType()}, nil
}

// draw renders a post as its place takes it: where no files may be attached, words say what the picture shows.
func (a *Adapter) draw(p bot.Post) body {
	if until, ok := a.wordy.get(p.In.Channel); ok && time.Now().Before(until) && p.Picture != nil {
		p.Text = slices.Concat([]bot.Span{{Text: p.Picture.Alt + "\n"}}, p.Text)
		p.Picture = nil
	}
	return render(p)
}

// describe has pictures put into words in a channel for a while.
func (a *Adapter) describe(p bot.Place) {
	a.wordy.drop(p.Channel)
	a.wordy.put(p.Channel, time.Now().Add(wordsFor))
	a.log.Warn("no permission to attach files in a channel: its pictures are described in words", "channel", p.Channel, "guild", p.Community.ID)
}

// checkFiles has pictures put into words in a channel of which somebody's press says that the bot may attach no files
// there.
func (a *Adapter) checkFiles(p bot.Place, ans *answer) {
	if ans == nil || p.Private || ans.rights == 0 || ans.rights&(discordgo.PermissionAttachFiles|discordgo.PermissionAdministrator) != 0 {
		return
	}
	if until, ok := a.wordy.get(p.Channel); !ok || !time.Now().Before(until) {
		a.describe(p)
	}
}

// tellWords tells one who waits, once for each channel, why there is no picture; nil is nobody.
func (a *Adapter) tellWords(p bot.Place, ans *answer) {
	if ans != nil && a.told.put(notice{p.Channel, sayPictures}, struct{}{}) {
		a.begin(func() { a.whisper(ans, []body{note(a.say(sayPictures, ans.lang))}) })
	}
}
