package discord

import (
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"zevaka/bot/chat"
)

// wordsFor is how long no picture is tried in a channel that takes none.
const wordsFor = time.Hour

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
	s.wordsUntil.Set(p.Channel, time.Now().Add(wordsFor))
	s.log.Warn("no permission to attach files in a channel: its pictures are described in words", "channel", p.Channel, "chat", p.Community)
}

// checkFiles has pictures put into words in a channel of which somebody's press says that the bot may attach no files
// there.
func (s *sender) checkFiles(p chat.Place, ans *answer) {
	if ans == nil || p.Private || ans.rights == 0 || ans.rights&(discordgo.PermissionAttachFiles|discordgo.PermissionAdministrator) != 0 {
		return
	}
	if !s.takesWords(p) {
		s.describePictures(p)
	}
}

// takesWords reports whether a channel takes no files, as it was lately.
func (s *sender) takesWords(p chat.Place) bool {
	until, ok := s.wordsUntil.Get(p.Channel)
	return ok && time.Now().Before(until)
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
