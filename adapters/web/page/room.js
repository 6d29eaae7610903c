// The room: who one is here, what is played, and where one plays.

import { Line } from "./line.js";
import { button, el, make } from "./make.js";
import { become, dropAdmin, me, recall, remembered, renew, takeAdmin } from "./me.js";
import { begun, keyed, reword, tidy, write } from "./parts.js";
import { Place, waits } from "./place.js";
import { frame, hang } from "./sample.js";
import { Settings, choices, dressUp, goOns, invite } from "./settings.js";
import { offer } from "./signs.js";
import { Talk } from "./talk.js";
import { Way, spell, where } from "./way.js";
import { begin, say, speak } from "./words.js";
import { Live, post } from "./wire.js";

const some = 3; // tables that wait for players are shown above all else
const quick = "/zevaka 21b computers=2 now"; // What the lesson teaches, whatever was played here last.

// asked is what a question asks.
const asked = ({ text, buttons }) => JSON.stringify([text, buttons]);

// cardOf is the line that asks for somebody's card, of whom pages know the number to the base of 36.
const cardOf = (id) => `/scores <@${/^\w+$/.test(id) ? [...id].reduce((n, c) => n * 36n + BigInt(parseInt(c, 36) || 0), 0n) : ""}>`;

// Room is the page.
class Room extends Place {
  constructor() {
    super();
    Object.assign(this, { run: "", mine: "", admin: false, invitation: "", people: [], away: [], streak: 0, today: "", looks: "", sought: "", commands: [], channels: 1, free: [], sitting: "", called: false });
    const told = { room: "enter", put: "put", drop: "drop", people: "meet", scene: "see", tables: "list", log: "read", past: "recall", sign: "sign" };
    this.at = where().table;
    this.left = true; // Whoever comes to the list of the tables stays there.
    this.live = new Live({
      hello: () => ({ tab: me.secret, admin: me.admin, name: me.name || this.words().guest, lang: me.lang }),
      first: () => ({ channel: me.channel, look: this.at }), channel: () => me.channel,
      event: (e) => this[told[e.kind]]?.(e), state: (up, why) => this.state(up, why), no: (code) => this.no(code),
    });
    this.live.open();
    this.talk = new Talk(this);
    this.entry = new Line({ send: (text) => this.say(text) });
    this.settings = new Settings((what) => this.change(what));
    const clicks = {
      home: () => this.go(""), begin: () => this.newGame(), newclose: () => el("newgame").close(), me: () => this.settings.open(),
      now: () => this.start(quick), invite: () => this.invite(), call: () => this.invite(), inviteclose: () => el("invited").close(),
      chosen: () => { el("who").close(""); this.start("/settings"); },
    };
    for (const [id, click] of Object.entries(clicks)) el(id).addEventListener("click", click);
    // It is heard of later, when the dialog may be open again.
    el("newgame").addEventListener("close", () => el("newgame").open || el("joinable").after(el("ways")));
    el("looked").addEventListener("click", ({ target }) => target.value && this.lookUp(target.value));
    el("channels").addEventListener("click", ({ target }) => target.value && this.enterHall(Number(target.value)));
    document.addEventListener("keydown", (e) => this.key(e));
    document.addEventListener("close", () => setTimeout(() => this.settle()), true);
    document.addEventListener("visibilitychange", () => this.seen());
    this.way = new Way((id, looked) => this.uncover(id, looked), () => this.looks, () => this.addressed());
    for (const box of document.querySelectorAll("dialog")) this.way.cover(box, () => box.open, () => box.close(""));
    this.way.cover(el("talk"), () => this.covers(), () => this.talk.show(false));
    remembered((free) => {
      this.free = me.name ? [] : free;
      this.offer();
    });
    this.dress();
    this.face();
    const { moment, over, looked } = where();
    if (moment !== undefined) this.again(this.at, moment);
    if (over) this.uncover(over, looked);
  }

  // linkTo is an address that shows a game again in this room, as it was after n moves.
  linkTo(table, moment) {
    return location.origin + spell({ table, moment });
  }

  // uncover opens a dialog that an address names.
  uncover(id, looked) {
    if (looked) this.lookUp("/" + looked);
    else ({ newgame: () => this.newGame(), who: () => this.settings.open(), invited: () => this.invite() })[id]();
  }

  words() {
    return speak(me.lang);
  }

  setting(name) {
    return me[name];
  }

  feel(what) {
    if (what === "turn") navigator.vibrate?.(80);
  }

  // enter takes the whole room, at the beginning of each connection.
  enter(e) {
    Object.assign(this, { run: e.run, mine: e.you, admin: Boolean(e.admin), invitation: e.invite || "", commands: e.commands || [], channels: e.channels });
    this.entry.commands = this.commands;
    if (me.channel > e.channels) me.channel = 1;
    if (me.admin && !this.admin) {
      if (dropAdmin()) this.live.open();
      else this.toast(this.words().adminOver, true);
    }
    this.talk.load(e.messages);
    this.dress();
  }

  put({ message: m }) {
    this.talk.put(m);
    if (m.mention?.includes(this.mine) && document.hidden) {
      this.called = true;
      navigator.vibrate?.(80);
    }
    const again = m.private && m.buttons && this.replied?.ref === m.ref && asked(m) !== this.replied.asked;
    if (again) super.tell(m);
    else if (m.private && m.buttons && !this.questions?.has(m.ref)) this.tell(m);
    if (again) this.replied = null;
    this.halls();
    this.bar();
  }

  // drop takes a message away, and the question that it put.
  drop({ ref }) {
    this.talk.drop(ref);
    if (this.asking === ref) el("told").close();
  }

  meet({ people }) {
    this.people = people;
    write(el("people"), say(this.words().people, { names: people.map((p) => this.nameOf(p) + (p.id === this.mine ? ` (${this.words().you})` : "")).join(", ") }));
    this.talk.draw();
  }

  // nameOf is a person's name, with the end of their id where two people go by one name.
  nameOf({ id, name }) {
    const key = name.toLowerCase();
    return this.people.some((p) => p.id !== id && p.name.toLowerCase() === key) ? `${name} #${id.slice(-3)}` : name;
  }

  state(up, why) {
    el("lost").textContent = up ? "" : this.words().errors[why] || this.words().lost;
    this.wake();
  }

  no(code) {
    if (code !== "tab" && code !== "name") return false;
    if (code === "tab") renew();
    else me.name = "";
    this.change("name");
    return true;
  }

  // change takes up what was changed: others know a name and a language.
  change(what) {
    if (what === "lost") this.toast(this.words().errors.lost, true);
    this.dress();
    if (what === "name" || what === "lang") this.live.open();
  }

  // dress puts words on everything.
  dress() {
    const w = this.words();
    dressUp();
    write(el("myname"), me.name);
    document.body.classList.toggle("admin", this.admin);
    el("me").ariaLabel = [w.settings, me.name, this.admin && w.admin].filter(Boolean).join(", ");
    this.offer();
    this.starters();
    this.halls();
    this.rows();
    this.talk.draw();
    if (this.scene) this.show();
    this.bar();
  }

  // offer lets whoever comes back be who they were.
  offer() {
    if (me.name) this.free = [];
    el("goonhere").replaceChildren(...goOns(this.free, (p) => {
      become(p);
      el("who").close();
      this.change("name");
    }));
  }

  // halls are the channels to choose from, with what was said there unseen.
  halls() {
    const w = this.words();
    const name = (i) => (w.channelNames[i] || String(i + 1)) + (this.talk.unread.get(i + 1) && i + 1 !== me.channel ? ` (${this.talk.unread.get(i + 1)})` : "");
    choices(el("channels"), Object.fromEntries(Array.from({ length: this.channels }, (_, i) => [i + 1, name(i)])), String(me.channel));
    el("channels").hidden = this.channels < 2;
  }

  enterHall(channel) {
    me.channel = channel;
    me.save();
    if (!el("talk").hidden) this.talk.unread.delete(channel);
    this.talk.atEnd = true;
    this.talk.draw();
    this.talk.unfold();
    this.halls();
    this.tables = [];
    this.rows();
    this.live.wish({ channel });
  }

  // starters are the games that can be begun.
  starters() {
    const w = this.words();
    const all = this.commands;
    const put = (id, list, own, shown) => keyed(el(id), list, (c) => c.line, (c) => {
      const b = button("start", "", () => (c.line === "/day" ? this.lookUp(c.line) : this.start(c.line, own)));
      if (shown) b.append(frame(c.line.match(/\w+$/)[0]));
      b.append(make("b"), make("small"));
      return b;
    }, (b, { hint }) => {
      const [name, about = ""] = tidy(hint, w.table).split(/: (.*)/s);
      write(b.querySelector(":scope > b"), name);
      write(b.querySelector(":scope > small"), begun(about));
    });
    const solos = all.filter((c) => /^\/patience [^ =]+$/.test(c.line) && c.hint);
    const first = all.find((c) => c.start && c.line === "/patience");
    put("lessons", all.filter((c, i) => / learn$/.test(c.line) && all.findIndex((other) => other.hint === c.hint) === i));
    put("games", all.filter((c) => c.start && c !== first), true, true);
    const about = [w.dayText, this.streak && say(w.streak, { n: this.streak })].filter(Boolean).join(" · ");
    put("today", all.filter((c) => c.line === "/day").map((c) => ({ ...c, hint: `${w.day}: ${about}` })));
    const name = el("today").querySelector("b");
    if (name && this.today) write(name, `${w.day}: ${this.today}`);
    put("solos", solos.length ? solos : first ? [first] : [], false, true);
    const looks = Object.entries(w.looked).filter(([line]) => all.some((c) => c.line === line));
    choices(el("looked"), Object.fromEntries(looks));
    el("looks").hidden = !looks.length;
    if (!this.at) hang();
  }

  // newGame has whoever plays a patience choose another deal of it first.
  newGame() {
    const { solo, game } = this.scene || {};
    el("newbody").append(el("ways"));
    el("ways").classList.toggle("alone", Boolean(solo));
    for (const b of el("solos").children) b.classList.toggle("this", Boolean(solo) && b.key === "/patience " + game);
    el("newgame").showModal();
    (el("solos").querySelector(".this") || el("now")).focus();
    hang();
  }

  // start begins a game; own says that others are to sit there, too.
  async start(line, own) {
    if (!(await this.named(own)) || this.starting) return;
    el("newgame").close();
    this.starting = true; // A second click begins no second game.
    const answer = await this.request("say", { text: line });
    this.starting = false;
    this.answer(answer.alert ? answer : { ...answer, toast: "" }); // The table tells what has happened there.
  }

  // lookUp asks for something that is for oneself alone; "/stats" for how one's own games went.
  async lookUp(line) {
    await this.named();
    el("newgame").close();
    this.sought = line.slice(1);
    const [, person] = line.match(/^\/person=(.*)/) || [];
    const text = person === undefined ? line.replace("/stats", "/scores me") : cardOf(person);
    const answer = await this.request("say", { text, alone: true });
    if (!answer.said?.length) this.sought = "";
    await this.answer(answer);
  }

  // person goes on from a list that lies over the page, so that Back leads there.
  person(id) {
    const looked = "person=" + id;
    if (el("told").open) location.hash = spell({ ...where(), looked }).replace(/.*#/, "");
    else this.lookUp("/" + looked);
  }

  // named has one have a name before one does anything: one that the page gives, or, where one sits down with others, one's own.
  named(own) {
    if (!me.name) {
      Object.assign(me, { name: say(this.words().guestName, { n: 1 + Math.floor(99 * Math.random()) }), guest: true });
      me.save();
      this.change("name");
    }
    return own && me.guest ? this.settings.open(true) : true;
  }

  async request(path, body, message) {
    const answer = await post(path, { channel: message?.channel || this.talk.channelOf(this.at) || me.channel, on: message?.ref, ...body });
    if (answer.error) this.toast(this.words().errors[answer.error] || this.words().errors.broken, true);
    else if (!answer.alert) el("alerts").replaceChildren();
    if (answer.table && this.covers()) this.talk.show(false);
    return answer;
  }

  async press(token, text, message) {
    if (!(await this.named(/\.!join\b/.test(token)))) return false;
    this.called = false;
    return super.press(token, text, message);
  }

  // say sends a line, and answers whether it was taken. What a command is answered is kept under it.
  async say(text) {
    if (!(await this.named(!text.startsWith("/")))) return false;
    this.talk.atEnd = true;
    const answer = await this.request("say", { text, table: this.at });
    if (answer.error) return false;
    if (answer.toast) this.talk.note(answer);
    const said = (answer.said || []).filter((m) => m.buttons);
    await this.answer({ ...answer, said, toast: el("talk").hidden ? answer.toast : "" });
    return true;
  }

  // reply has a question that goes on after an answer be put again where it was answered: another one, as the one that was answered may
  // reach the page by its connection only now.
  async reply(b, message, event) {
    this.replied = el("told").open ? { ref: message.ref, asked: asked(message) } : null;
    await super.reply(b, message, event);
    setTimeout(() => (this.replied = null), 1000); // It has come by then, or never will.
  }

  // tell puts each question once, though both the answer to a press and the connection bring it.
  tell(message) {
    this.questions ??= new Set();
    if (this.questions.has(message.ref)) return;
    this.questions.add(message.ref);
    super.tell(message);
  }

  async open(message) {
    const now = this.talk.messages.get(message.ref);
    if (message.buttons && this.talk.last >= message.n && !now) return; // It was answered elsewhere.
    Object.assign(this, { asking: message.ref, looks: this.sought, sought: "" });
    await super.open(now || message);
    this.asking = this.looks = "";
  }

  async dismiss(message) {
    await this.request("dismiss", {}, message);
  }

  text(message) {
    const all = super.text(message);
    if (message.picture) all.push(Object.assign(make("img", "film"), { src: `picture/${message.picture.name}`, alt: message.picture.alt }));
    if (message.file?.name.endsWith(".gif")) all.push(Object.assign(make("img", "film"), { src: message.file.path, alt: message.file.name }));
    if (message.file) all.push(Object.assign(make("a", "file", "⬇ " + message.file.name), { href: message.file.path, download: message.file.name }));
    return all;
  }

  go(id, anew) {
    if (where().table !== id) this.way.to({ table: id }, anew);
    if (!id) this.live.wish({ channel: me.channel }); // How one's own games stand is told when one asks.
    super.go(id);
    this.settle();
  }

  // moment has the address say after how many moves a game is shown: not at once, as browsers allow few changes in a minute.
  moment(n) {
    clearTimeout(this.marks);
    const mark = () => {
      const { table, moment } = where();
      if (table === this.at && moment !== undefined && n !== moment) this.way.to({ table, moment: n }, false);
    };
    if (n === undefined) mark();
    else this.marks = setTimeout(mark, 300);
  }

  face() {
    super.face();
    if (!this.at) hang();
    el("begin").hidden = !this.at;
    document.body.classList.toggle("playing", Boolean(this.at));
    this.talk?.unfold();
  }

  see(e) {
    const first = !this.scene;
    super.see(e);
    if (first) this.settle();
    const hall = this.scene && this.talk.channelOf(this.at);
    if (hall && hall !== me.channel) this.enterHall(hall); // Whoever looks at a table is in its hall.
    const join = !this.seated() && this.act("join");
    if (!this.sitting || this.sitting !== this.at || !this.scene) return;
    this.sitting = "";
    if (join) this.press(join.token);
  }

  // settle has the focus be somewhere.
  settle() {
    const at = document.activeElement;
    if (at && at !== document.body && at.getClientRects().length) return;
    (this.at && this.scene ? this.table.el : el("hall")).focus({ preventScroll: true });
  }

  sign(e) {
    if (super.sign(e)) this.talk.heard(e);
  }

  bar() {
    super.bar();
    const { scene } = this;
    const w = this.words();
    offer(el("signs"), this.at && scene?.says, w, (token) => this.press(token));
    const lobby = this.at && scene?.phase === "lobby" && this.seated();
    const kept = scene?.phase === "ended" && this.tables.find((t) => t.kept && !t.yours);
    const waits = [...this.tables, ...this.away].find((t) => t.yours && !t.solo && !t.asleep && t.table !== this.at && this.talk?.waits(t.table, this.mine));
    const offers = (id, table, text, click) => {
      write(el(id), table ? text : "");
      el(id).onclick = click;
    };
    offers("elsewhere", waits, "▶ " + (this.at ? w.elsewhere : w.table.yours), () => this.go(waits.table));
    offers("kept", kept, w.kept, () => this.sit(kept.table));
    el("call").hidden = !lobby;
    el("row").hidden = [...el("row").children].every((c) => c.hidden || !c.textContent);
    const yours = scene?.yours && !scene.solo;
    document.title = (yours || waits ? `▶ ${w.table.yours} · ` : this.called ? "● " : "") + w.brand;
  }

  list({ elsewhere = [], streak = 0, day = "", ...e }) {
    if (streak !== this.streak || day !== this.today) {
      Object.assign(this, { streak, today: day });
      this.starters();
    }
    this.away = elsewhere;
    super.list(e);
  }

  // rows has the tables that wait for people stand by themselves, where whoever comes sees them first.
  rows() {
    super.rows();
    const w = this.words();
    const mine = [...this.away, ...this.tables.filter((t) => t.yours)].toReversed();
    const asked = this.tables.filter(waits).slice(-some); // More of them would push away what one can begin.
    const others = (t) => !t.yours && !t.own && !asked.includes(t);
    el("mine").hidden = !mine.length;
    keyed(el("running"), mine, (t) => t.table, (t) => button("start", "", () => this.go(t.table)), (b, t) => {
      const stands = [t.asleep ? w.table.asleep : t.solo ? "" : w.phases[t.phase], t.moves && say(w.table.moves, { n: t.moves }), t.solo ? "" : t.names.join(", ")];
      reword(b, [make("b", "", t.title), make("small", "", begun(tidy(stands.filter(Boolean).join(" · "), w.table)))]);
    });
    this.fill("waiting", (t) => asked.includes(t));
    this.fill("tables", others);
    el("none").hidden = this.tables.some((t) => others(t) || waits(t));
    el("joinable").hidden = !asked.length;
    el("open").hidden = this.channels < 2 && !this.tables.some(others);
  }

  // about tells a table by who sits there.
  about(t) {
    const w = this.words();
    const names = tidy(t.names.join(", "), w.table);
    const stands = [names && t.title, t.asleep ? w.asleep : w.phases[t.phase]].filter(Boolean).join(" · ");
    return [make("b", "", names || t.title), make("small", "", begun(stands))];
  }

  row(t) {
    const w = this.words();
    const info = make("div");
    info.append(...this.about(t));
    const sit = (t.room && !t.solo) || t.kept ? [button("knob primary", w.sit, () => this.sit(t.table))] : [];
    return [info, button("knob", w.watch, () => this.go(t.table)), ...sit];
  }

  // sit looks at a table, and sits down there.
  async sit(table) {
    if (!(await this.named(true))) return;
    this.sitting = table;
    this.go(table);
  }

  invite() {
    const { scene } = this;
    invite(this.at && scene && !scene.solo && scene.phase !== "ended" ? this.at : "", this.invitation);
  }

  // again shows a game once more, with nothing over it.
  again(id, n) {
    const { table, moment } = where();
    if (table !== id || moment === undefined) this.way.to({ table: id, moment: n });
    if (this.covers()) this.talk.show(false);
    return super.again(id, n);
  }

  // addressed goes where the address leads.
  addressed() {
    if (takeAdmin()) this.live.open();
    const { table, moment } = where();
    if (moment !== undefined) this.past?.id === table ? this.past.jump(moment) : this.again(table, moment);
    else if (table !== this.at) this.go(table);
    else this.past?.close();
  }

  seen() {
    if (document.hidden) return;
    this.called = false;
    this.bar();
  }

  // covers says whether the talk lies over the table.
  covers() {
    return !el("talk").hidden && getComputedStyle(el("talk")).position === "fixed";
  }

  over() {
    const all = super.over();
    if (this.covers()) all.push(() => this.talk.show(false, true));
    return all;
  }

  key(e) {
    const typing = e.target.closest?.("input, textarea, dialog");
    if (e.defaultPrevented || e.ctrlKey || e.altKey || e.metaKey || e.isComposing) return;
    if (e.key === "Escape" && !document.querySelector("dialog[open]")) this.back();
    if (typing) return;
    if (e.key === "/") {
      e.preventDefault();
      if (el("talk").hidden) this.talk.show(true);
      this.entry.begin();
    } else if (this.at && this.scene && !this.table.el.contains(e.target)) {
      this.table.key(e);
    }
  }
}

const known = recall();
await begin(me.lang);
await known;
new Room();
