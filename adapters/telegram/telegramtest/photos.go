package telegramtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"maps"
	"net/http"
	"strings"
)

// What Telegram takes as a photo.
const (
	maxPhoto   = 10 << 20
	maxCaption = 1024
	maxSides   = 10000 // width and height together
	maxRatio   = 20
)

// attached begins the value of a parameter that was sent as a file. The file follows.
const attached = "\x00file\x00"

// readFiles reads the parts of a call into params, those that are files too.
func readFiles(req *http.Request, params map[string]string) error {
	if err := req.ParseMultipartForm(maxPhoto); err != nil {
		return err
	}
	for name, headers := range req.MultipartForm.File {
		f, err := headers[0].Open()
		if err != nil {
			return err
		}
		file, err := io.ReadAll(io.LimitReader(f, maxPhoto+1))
		_ = f.Close() // All that is wanted was read.
		if err != nil {
			return err
		}
		params[name] = attached + string(file)
	}
	return nil
}

// withoutFiles are parameters that are not too long to keep.
func withoutFiles(params map[string]string) map[string]string {
	params = maps.Clone(params)
	for name, value := range params {
		if strings.HasPrefix(value, attached) {
			params[name] = fmt.Sprintf("a file of %d bytes", len(value)-len(attached))
		}
	}
	return params
}

// media is what an edit puts into a message.
func media(p map[string]string) (photo, caption, mode string) {
	var m struct {
		Media   string `json:"media"`
		Caption string `json:"caption"`
		Mode    string `json:"parse_mode"`
	}
	_ = json.Unmarshal([]byte(p["media"]), &m) // Without a photo it is refused.
	return p[strings.TrimPrefix(m.Media, "attach://")], m.Caption, m.Mode
}

// readPhoto decodes a photo that was sent along.
func readPhoto(value string) ([]byte, error) {
	file, ok := strings.CutPrefix(value, attached)
	if !ok {
		return nil, fmt.Errorf("there is no photo in the request")
	}
	if len(file) > maxPhoto {
		return nil, fmt.Errorf("a photo of %d bytes", len(file))
	}
	picture, err := png.Decode(strings.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("IMAGE_PROCESS_FAILED: %w", err)
	}
	w, h := picture.Bounds().Dx(), picture.Bounds().Dy()
	if w+h > maxSides || w > maxRatio*h || h > maxRatio*w {
		return nil, fmt.Errorf("PHOTO_INVALID_DIMENSIONS: %d by %d", w, h)
	}
	return []byte(file), nil
}

func photoProblems(value string) []string {
	if _, err := readPhoto(value); err != nil {
		return []string{err.Error()}
	}
	return nil
}

func captionProblems(caption, mode string) []string {
	var problems []string
	text, err := plain(caption)
	if err != nil {
		problems = append(problems, fmt.Sprintf("%v in %.200q", err, caption))
	}
	if length(text) > maxCaption {
		problems = append(problems, fmt.Sprintf("a caption of %d characters", length(text)))
	}
	if mode != "HTML" {
		problems = append(problems, fmt.Sprintf("parse_mode is %q", mode))
	}
	return problems
}

// composePhoto reads what a message with a photo is to show.
func (s *Server) composePhoto(c *Chat, photo, caption, keyboard string) (*Message, *apiError) {
	if err := s.there(c); err != nil {
		return nil, err
	}
	file, err := readPhoto(photo)
	if err != nil {
		return nil, bad(err.Error())
	}
	return captioned(c, &Message{Photo: file, keyboard: keyboard}, caption)
}

// captioned puts the caption below what a message is to show.
func captioned(c *Chat, m *Message, caption string) (*Message, *apiError) {
	text, err := plain(caption)
	switch {
	case err != nil:
		return nil, bad("can't parse entities: " + err.Error())
	case length(text) > maxCaption:
		return nil, bad("message caption is too long")
	}
	m.HTML, m.Text = strings.TrimSpace(caption), strings.TrimSpace(text)
	return m, m.readKeyboard(c)
}

// composeDocument reads what a message with a file is to show.
func (s *Server) composeDocument(c *Chat, document, caption, keyboard string) (*Message, *apiError) {
	if err := s.there(c); err != nil {
		return nil, err
	}
	file, ok := strings.CutPrefix(document, attached)
	if !ok || file == "" {
		return nil, bad("there is no document in the request")
	}
	return captioned(c, &Message{Document: []byte(file), keyboard: keyboard}, caption)
}

// editMessageMedia puts a photo into a message. It may have been a text.
func (s *Server) editMessageMedia(p map[string]string) (any, *apiError) {
	c := s.chats[number(p["chat_id"])]
	photo, caption, _ := media(p)
	next, refused := s.composePhoto(c, photo, caption, p["reply_markup"])
	if refused != nil {
		return nil, refused
	}
	m, refused := c.find(p["message_id"])
	switch {
	case refused != nil:
		return nil, refused
	case c.noPhotos:
		return nil, bad("not enough rights to send photos to the chat")
	case m.Photo == nil && s.opts.Old:
		return nil, bad("there is no media in the message to edit")
	case m.HTML == next.HTML && m.keyboard == next.keyboard && bytes.Equal(m.Photo, next.Photo):
		return nil, unmodified()
	}
	return s.change(c, m, next)
}
