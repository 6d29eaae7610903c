package discord

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot/chat"
)

const (
	// wordsFor is how long no picture is tried in a channel that takes no files, wordsBriefly where only pictures fail.
	wordsFor, wordsBriefly = time.Hour, 2 * time.Minute
	// maxPainted is how often a board is tried as a picture before its words are.
	maxPainted = 3
)

// wordsTime is until when pictures are put into words, and whether that is because no files may be attached.
type wordsTime struct {
	until time.Time
	bars  bool
}

// draw renders a post as its place takes it: where no files may be attached, words say what the picture shows.
func (s *sender) draw(p chat.Post) body {
	if p.Picture != nil && s.takesWords(p.In) {
		if !p.Picture.Spare {
			p.Text = slices.Concat([]chat.Span{{Text: p.Picture.Alt + "\n"}}, p.Text)
		}
		p.Picture = nil
	}
	b := s.self().render(p)
	b.who = p.Table
	if s.opts.ClientSecret != "" && p.Table != "" && !p.Final {
		b.addLaunch(p.Table)
	}
	return b
}

// describePictures has pictures put into words in a channel for a while.
func (s *sender) describePictures(p chat.Place) {
	s.wordsUntil.Set(p.Channel, wordsTime{time.Now().Add(wordsFor), true})
	s.log.Warn("no permission to attach files in a channel: its pictures are described in words", "channel", p.Channel, "chat", p.Community)
}

// checkFiles has pictures put into words in a channel of which somebody's press says that the bot may attach no files
// there.
func (s *sender) checkFiles(p chat.Place, ans *answer) {
	if ans == nil || p.Private || ans.rights == 0 || ans.rights&(discordgo.PermissionAttachFiles|discordgo.PermissionAdministrator) != 0 {
		return
	}
	if !s.barsFiles(p) {
		s.describePictures(p)
	}
}

// takesWords reports whether pictures are put into words in a channel now.
func (s *sender) takesWords(p chat.Place) bool {
	words, _ := s.wordsUntil.Get(p.Channel)
	return time.Now().Before(words.until)
}

// barsFiles reports whether a channel takes no files because the bot may attach none.
func (s *sender) barsFiles(p chat.Place) bool {
	words, _ := s.wordsUntil.Get(p.Channel)
	return words.bars && s.takesWords(p)
}

// describes reports whether words may be shown of a board whose picture has met an error, which may be nil, and has pictures put into words in its
// channel then. What passes has failed a few times before that, or since words were shown last. Rate limits are the same for words.
func (s *sender) describes(b *board, err error) bool {
	if err != nil && refusesFile(err) {
		s.describePictures(b.place)
		return true
	}
	var refused *apiError
	answered := errors.As(err, &refused)
	if err == nil || errors.Is(err, errUnsent) || answered && refused.status == http.StatusTooManyRequests {
		return false
	}
	s.boards.mu.Lock()
	tries := b.Tries + 1
	s.boards.mu.Unlock()
	_, lately := s.wordsUntil.Get(b.place.Channel)
	v := verdictOn(err)
	if (v != passes || tries < maxPainted && !lately) && (v != final || !answered) {
		return false
	}
	s.wordsUntil.Set(b.place.Channel, wordsTime{until: time.Now().Add(wordsBriefly)})
	return true
}

// withoutFile is a message to one person without its file: words say what a picture shows, or why there is no other file.
func (s *sender) withoutFile(b body, lang string) body {
	words := s.self().note(s.say(sayFiles, lang))
	if b.picture != nil {
		words = s.self().note(b.picture.Alt)
		if text := *words.Content + "\n" + *b.Content; b.picture.Spare || chat.Units(text) > maxContent {
			words.Content = b.Content
		} else {
			words.Content = &text
		}
		words.Components = b.Components
	}
	words.Flags = b.Flags
	return words
}

// explainWords tells one who waits, once for each channel, why there is no picture; nil is nobody.
func (s *sender) explainWords(p chat.Place, ans *answer) {
	if ans != nil && s.notices.Add(notice{p.Channel, sayPictures}, struct{}{}) {
		s.Begin(func() { s.sendPrivately(ans, []body{s.self().note(s.say(sayPictures, ans.lang))}) })
	}
}
