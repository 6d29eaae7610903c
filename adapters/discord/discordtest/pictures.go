package discordtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf16"
)

// attachFiles is the bot's right to attach files.
const attachFiles = 1 << 15

const (
	// maxFile is how long a file may be, maxAlt how many letters describe it.
	maxFile = 10 << 20
	maxAlt  = 1024
)

// file is a file that came with a call.
type file struct {
	name string
	data []byte
}

// attachment is what a body says about a file: one that comes along, or one that is there.
type attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description"`
}

// unpack takes the body and the files out of what came with a call.
func unpack(h http.Header, content []byte) (body []byte, files map[string]file, err error) {
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		return content, nil, nil
	}
	files = map[string]file{}
	parts := multipart.NewReader(bytes.NewReader(content), params["boundary"])
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return body, files, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("read a part: %w", err)
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, nil, fmt.Errorf("read a part: %w", err)
		}
		name := part.FormName()
		if name == "payload_json" {
			body = data
			continue
		}
		id, inside := strings.CutPrefix(name, "files[")
		id, closed := strings.CutSuffix(id, "]")
		if _, err := strconv.Atoi(id); !inside || !closed || err != nil {
			return nil, nil, fmt.Errorf("nobody knows the part %q", name)
		}
		files[id] = file{part.FileName(), data}
	}
}

// checkFiles finds what is wrong with the files of a message and with what is said of them: each is a picture or JSON, and is
// described; none is spoken of that isn't there.
func checkFiles(text []byte, files map[string]file) []string {
	var m struct {
		Attachments []attachment `json:"attachments"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return []string{err.Error()}
	}
	var wrong []string
	described := map[string]bool{}
	for _, a := range m.Attachments {
		f, ok := files[a.ID]
		n := len(utf16.Encode([]rune(a.Description)))
		if !ok || f.name != a.Filename || described[a.ID] || n > maxAlt || strings.TrimSpace(a.Description) == "" {
			wrong = append(wrong, fmt.Sprintf("the file %q, called %q, with a description of %d, comes along as %q: %v",
				a.ID, a.Filename, n, f.name, ok))
		}
		described[a.ID] = true
	}
	for id, f := range files {
		_, err := png.Decode(bytes.NewReader(f.data))
		if strings.HasSuffix(f.name, ".json") && json.Valid(f.data) || strings.HasSuffix(f.name, ".gif") && bytes.HasPrefix(f.data, []byte("GIF89a")) {
			err = nil
		}
		if err != nil || !described[id] || len(f.data) > maxFile {
			wrong = append(wrong, fmt.Sprintf("the file %q of %d bytes, described: %v, is neither a picture nor JSON: %v", id, len(f.data), described[id], err))
		}
	}
	return wrong
}

// attach makes the pictures of a message what the form says. The caller holds mu.
func (s *Server) attach(m *Message, f form) {
	if f.Attachments == nil {
		return
	}
	m.Picture, m.Alt, m.attachment = nil, "", ""
	for _, a := range *f.Attachments {
		m.Picture, m.Alt, m.attachment = f.files[a.ID].data, a.Description, s.snowflake()
		s.note(m, m.Alt)
	}
}

// attachments are the files of a message as Discord describes them.
func (m *Message) attachments() []any {
	if m.Picture == nil {
		return []any{}
	}
	return []any{map[string]any{
		"id": m.attachment, "filename": "board.png", "description": m.Alt, "content_type": "image/png", "size": len(m.Picture),
		"url": "https://cdn.example/" + m.attachment, "proxy_url": "https://media.example/" + m.attachment,
	}}
}

// barsFiles reports whether a form has files that the bot may not attach in a channel. The caller holds mu.
func (s *Server) barsFiles(channel string, f form) bool {
	c := s.channels[channel]
	return len(f.files) > 0 && c != nil && c.rights&attachFiles == 0 && !s.guest(c)
}
