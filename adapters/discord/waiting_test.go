package discord

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"zevaka/adapters/discord/discordtest"
	"zevaka/bot/chat"
	"zevaka/storage/mem"
)

// TestManyWaitForThePicture: of those who ask while a picture is on its way a bounded number is kept, and all are answered.
func TestManyWaitForThePicture(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := build(t, mem.New(), fake(t, discordtest.Options{}))
		h.start()
		h.server.Command(ann, discordtest.Channel, "zevaka", nil).Answer()
		m := h.board(discordtest.Channel)
		waiting := func() []int {
			h.sender.boards.mu.Lock()
			defer h.sender.boards.mu.Unlock()
			var all []int
			for _, b := range h.sender.boards.tables.All() {
				all = append(all, len(b.waiting))
			}
			return all
		}
		var name string
		for _, b := range h.sender.boards.tables.All() {
			name = b.table
		}
		painted, paint := make(chan struct{}), make(chan struct{})
		in := chat.Place{Community: chat.Community{Platform: chat.Discord, ID: number(discordtest.Guild)}, Channel: number(discordtest.Channel)}
		h.Show(t.Context(), chat.Response{Posts: []chat.Post{{In: in, Table: name, Edit: newRef(m.Channel, m.ID), Draw: func() (chat.Message, bool) {
			close(painted)
			<-paint
			return chat.Message{}, false
		}}}})
		<-painted
		var all []*discordtest.Interaction
		for n := range 2 * maxAnswers {
			who := discordtest.User{ID: fmt.Sprint(1000 + n), Name: "guest", Locale: "ru"}
			all = append(all, h.server.Command(who, discordtest.Channel, "table", nil))
		}
		for _, i := range all {
			i.Answer()
		}
		if most := slices.Max(waiting()); most != maxAnswers {
			t.Errorf("%d answers wait", most)
		}
		close(paint)
		h.server.Until("nobody waits", func() bool { return slices.Max(waiting()) == 0 })
	})
}
