// The talk beside the table: what people say, and what the bot answers.

import { button, el, make } from "./make.js";
import { me, recallOne, stash } from "./me.js";
import { keyed, tidy, write } from "./parts.js";
import { idOf, isMuted, muteButton, muted, sign } from "./signs.js";
import { say } from "./words.js";

const wide = matchMedia("(min-width: 880px)");
const most = 100; // messages that one was told alone, or heard at a table

// hue is a colour for a name, the same in every tab.
function hue(id) {
  let h = 0;
  for (const c of id) h = (h * 31 + c.charCodeAt(0)) % 360;
  return h;
}

// Talk keeps the messages of all channels, and shows those of one. room: words(), text(message), buttons(message),
// nameOf(person), dismiss(message).
export class Talk {
  constructor(room) {
    Object.assign(this, { room, messages: new Map(), unread: new Map(), notes: 0, last: 0, atEnd: true });
    el("talkopen").addEventListener("click", () => this.show(el("talk").hidden, true));
    el("talkclose").addEventListener("click", () => this.show(false, true));
    el("newest").addEventListener("click", () => this.end());
    const log = el("log");
    log.addEventListener("scroll", () => {
      this.atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
      if (this.atEnd) el("newest").hidden = true;
    }, { passive: true });
    new ResizeObserver(() => this.atEnd && this.end()).observe(log);
    document.addEventListener("muted", () => this.draw());
    // Beside the table it doesn't lie over it any more once the page has become narrow.
    wide.addEventListener("change", () => (wide.matches ? this.unfold() : el("text").value || this.show(false)));
    this.show(false);
  }

  // unfold opens the talk by itself beside a wide table where somebody has written, unless it was put away.
  unfold() {
    const written = (m) => m.channel === me.channel && m.from && m.from.id !== this.room.mine && !m.note && this.readable(m);
    if (wide.matches && this.room.at && el("talk").hidden && recallOne("localStorage", "talk") !== "0" && [...this.messages.values()].some(written)) this.show(true);
  }

  // show unfolds the talk beside the table, or puts it away.
  show(open, asked) {
    const talk = el("talk");
    const within = talk.contains(document.activeElement);
    talk.hidden = !open;
    el("talkopen").ariaExpanded = open;
    if (asked && wide.matches) stash("localStorage", "talk", open ? "1" : "0");
    if (open) {
      this.unread.delete(me.channel);
      this.draw();
      this.end();
      if (asked) el("log").focus();
    } else if (within) {
      el("talkopen").focus();
    }
    this.badge();
  }

  // load takes all that is to be read, after what one was told alone.
  load(messages) {
    const own = [...this.messages.values()].filter((m) => m.note);
    this.messages = new Map(own.map((m) => [m.ref, m]));
    const first = messages[0]?.n || 0;
    for (const m of own) if (m.run !== this.room.run) m.n = Math.min(m.n, first - 0.5);
    for (const m of messages) this.messages.set(m.ref, m);
    this.last = Math.max(0, ...messages.map((m) => m.n));
    this.draw();
    this.unfold();
  }

  put(m) {
    const old = this.messages.get(m.ref);
    // How a game ended is told where it ended, not where it was begun.
    m.order = old?.order ?? (m.final && old ? this.last + 0.5 : m.n);
    this.last = Math.max(this.last, m.n);
    this.messages.set(m.ref, m);
    const news = !old && m.from && m.from.id !== this.room.mine && !m.private && this.readable(m); // What people say: how games went is seen where it lies.
    if (news) this.unfold();
    if (news && (m.channel !== me.channel || el("talk").hidden)) this.unread.set(m.channel, (this.unread.get(m.channel) || 0) + 1);
    this.draw();
  }

  drop(ref) {
    this.messages.delete(ref);
    this.draw();
  }

  // note keeps what one was told alone.
  note({ toast: text, n = 0 }) {
    this.keep(n, { private: true, text: [{ text }] });
    this.atEnd = true;
    this.draw();
  }

  // heard keeps what somebody has said at the table by a code. Who is there has seen it: it is no news.
  heard({ code, ...by }) {
    this.keep(0, { from: { id: idOf(by), name: by.name }, code, text: [] });
    this.draw();
  }

  // keep keeps what the room doesn't.
  keep(n, message) {
    this.messages.delete("note" + (this.notes - most));
    const ref = "note" + this.notes++;
    this.messages.set(ref, { ref, n: Math.max(this.last, n) + 0.6, channel: me.channel, note: true, run: this.room.run, ...message });
  }

  // readable says whether a message belongs to the talk: of a table it is told who has won there; what others type to the bot
  // is no talk, and who is muted isn't heard.
  readable(m) {
    return (!m.table || m.private || m.won) && (!m.echo || m.from?.id === this.room.mine) && !(m.from && isMuted(m.from.id));
  }

  // channelOf is where a table stands; 0 if that isn't known.
  channelOf(table) {
    return [...this.messages.values()].find((m) => m.table === table)?.channel || 0;
  }

  // waits says whether a table waits for a person.
  waits(table, id) {
    return [...this.messages.values()].some((m) => m.table === table && m.turn === id && !m.final);
  }

  // draw shows all that is to be read, once somebody looks: else each move would cost it.
  draw() {
    if (el("talk").hidden) return this.badge();
    const order = (m) => m.order ?? m.n;
    const list = [...this.messages.values()].filter((m) => m.channel === me.channel && this.readable(m)).sort((a, b) => order(a) - order(b));
    keyed(el("log"), list, (m) => m.ref, () => make("li"), (li, m) => this.line(li, m));
    if (this.atEnd) this.end();
    else if (list.at(-1)?.ref !== this.shown) el("newest").hidden = false;
    this.shown = list.at(-1)?.ref;
    keyed(el("muted"), muted(), (p) => p.id + p.name + me.lang, (p) => muteButton(this.room.words(), p), () => {});
    this.badge();
  }

  line(li, m) {
    const { room } = this;
    const w = room.words();
    const state = JSON.stringify([m, me.lang, m.from && room.nameOf(m.from)]);
    if (li.state === state) return;
    li.state = state;
    li.className = m.from ? "said" : "bot";
    li.classList.toggle("private", Boolean(m.private));
    li.classList.toggle("echo", Boolean(m.echo));
    const parts = [];
    if (m.private && !m.from && !m.note) {
      const head = make("p", "only", w.onlyYou);
      head.append(button("fold", w.dismiss, () => room.dismiss(m)));
      parts.push(head);
    }
    if (m.from) {
      const own = m.from.id === room.mine;
      const who = make(own ? "bdi" : "button", "who", room.nameOf(m.from));
      if (!own) Object.assign(who, { type: "button", title: w.muting, onclick: () => this.offerMute(li, m.from) });
      who.style.setProperty("--hue", hue(m.from.id));
      parts.push(who, " ");
    }
    const text = make(m.from ? "bdi" : "div", "text");
    text.append(...(m.code ? [sign(m.code, w)] : room.text(m)));
    if (m.won) {
      const lines = tidy(m.text.map((s) => s.text).join(""), w.table).split("\n").filter((l) => l.trim());
      text.textContent = [lines[0].split(/ · | {3}/)[0], ...lines.slice(1, 3)].join(" · ");
    }
    parts.push(text);
    li.replaceChildren(...parts, ...room.buttons(m));
  }

  // offerMute offers beside a name to mute its person, or takes that back.
  offerMute(li, from) {
    const had = li.querySelector(".mute");
    if (had) return had.remove();
    const b = muteButton(this.room.words(), { id: from.id, name: this.room.nameOf(from) });
    li.querySelector(".who").after(" ", b);
    b.focus();
  }

  // end shows the newest message: its end, or its beginning if it is longer than the talk is high.
  end() {
    const log = el("log");
    const last = log.lastElementChild;
    const long = last && last.offsetHeight > log.clientHeight;
    log.scrollTop = long ? last.offsetTop - log.offsetTop : log.scrollHeight;
    this.atEnd = true;
    el("newest").hidden = true;
  }

  // badge tells how much was said unseen, here and in the other channels.
  badge() {
    const w = this.room.words();
    const n = [...this.unread.values()].reduce((a, b) => a + b, 0);
    write(el("news"), n > 99 ? "99+" : n ? String(n) : "");
    el("talkopen").ariaLabel = [w.talk, n && say(w.unread, { n })].filter(Boolean).join(", ");
  }
}
