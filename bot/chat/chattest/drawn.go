package chattest

import (
	"slices"

	"zevaka/bot/chat"
)

// Drawn is the response as people see it: all its posts are drawn. Those that can't be are left out.
func Drawn(r chat.Response) chat.Response {
	posts := slices.Clone(r.Posts[:0])
	for _, p := range r.Posts {
		if p, ok := p.Drawn(); ok {
			posts = append(posts, p)
		}
	}
	r.Posts = posts
	return r
}
