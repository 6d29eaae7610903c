package discord

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"strings"

	"zevaka/bot/picture"
)

// fileName is what a picture's file is called.
const fileName = "board.png"

// attachment is what a message says of a file that comes along.
type attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description"`
}

// attach lets a message have a picture, in place of any other; nil is none.
func (b *body) attach(p *picture.Picture) {
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
	if c.form != nil {
		return parcel{[]byte(c.form.Encode()), "application/x-www-form-urlencoded"}, nil
	}
	text, err := json.Marshal(c.body)
	if err != nil {
		return parcel{}, fmt.Errorf("encode a call: %w", err)
	}
	name, kind, data := c.open()
	if name == "" {
		return parcel{text, plain}, nil
	}
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	for _, part := range []struct {
		name, file, kind string
		data             []byte
	}{
		{"payload_json", "", plain, text},
		{"files[0]", `; filename="` + name + `"`, kind, data},
	} {
		w, err := form.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {`form-data; name="` + part.name + `"` + part.file}, "Content-Type": {part.kind},
		})
		if err == nil {
			_, err = w.Write(part.data)
		}
		if err != nil {
			return parcel{}, fmt.Errorf("encode a call with a file: %w", err)
		}
	}
	if err := form.Close(); err != nil {
		return parcel{}, fmt.Errorf("encode a call with a file: %w", err)
	}
	return parcel{out.Bytes(), form.FormDataContentType()}, nil
}

// open is the file that comes along, with its name and kind; the name is empty if none does.
func (e enclosure) open() (name, kind string, data []byte) {
	switch {
	case e.picture != nil:
		return fileName, "image/png", e.picture.PNG(nil)
	case e.file != nil:
		return e.file.Name, e.file.Kind(), e.file.Data
	}
	return "", "", nil
}
