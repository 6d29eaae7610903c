package discord

import "strings"

// languages are the tags that command names and descriptions are given in, the default first, and what Discord calls
// the languages.
func languages() []struct {
	tag     string
	locales []string
} {
	return []struct {
		tag     string
		locales []string
	}{
		{"en", []string{"en-US", "en-GB"}},
		{"ru", []string{"ru"}},
		{"pl", []string{"pl"}},
	}
}

// phrase is what only Discord makes the bot say, in the language nearest to the tag.
func phrase(key, tag string) string {
	words := map[string][3]string{
		"rights": {
			"I may not write in this channel. Let me “View Channel” and “Send Messages” (in threads: “Send Messages in Threads”), or turns that run out and computer players won't show.",
			"Мне нельзя писать в этом канале. Дайте права «Просматривать канал» и «Отправлять сообщения» (в ветках — «Отправлять сообщения в ветках»), иначе не будет видно, когда вышло время и как ходит компьютер.",
			"Nie wolno mi pisać na tym kanale. Dajcie prawa „Wyświetlanie kanału” i „Wysyłanie wiadomości” (w wątkach: „Wysyłanie wiadomości w wątkach”), bo inaczej nie będzie widać, że minął czas i jak gra komputer.",
		},
		"set.name":   {"set", "набор", "zestaw"},
		"set.help":   {"named sets of rules, one or several", "наборы правил, один или несколько", "zestawy zasad, jeden lub kilka"},
		"limit.name": {"limit", "время", "czas"},
		"limit.help": {"time for a turn: 30s, 5m, 24h, none", "время на ход: 30s, 5m, 24h, none", "czas na ruch: 30s, 5m, 24h, none"},
		"fast.name":  {"fast", "быстро", "szybko"},
		"fast.help":  {"keep a card without a press where nothing else can be done", "оставлять карту без нажатия, если больше ничего нельзя", "zostawiać kartę bez naciskania, gdy nic innego się nie da"},
	}
	lang, _, _ := strings.Cut(strings.ToLower(tag), "-")
	n := 0
	switch lang {
	case "ru", "uk", "be":
		n = 1
	case "pl":
		n = 2
	}
	return words[key][n]
}
