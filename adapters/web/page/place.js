// A place with tables: the one that is looked at, the list of the others, and what the bot has to say.

import { button, copied, el, make } from "./make.js";
import { begun, keyed, reword, tidy, write } from "./parts.js";
import { Table } from "./table.js";
import { fetched, say } from "./words.js";

const awaits = 600_000; // a limit that one waits for with the phone in hand
const onward = 7000; // how long the end of a deal is to be seen before the next one is

// late loads what shows a game that has ended again, once, and answers with its words.
async function late(lang) {
  const at = document.querySelector("script[type=module]").src.replace("page.js", "replay");
  const policy = window.trustedTypes?.createPolicy("replay", { createScriptURL: (url) => url });
  const words = await fetched(`${at}-${lang}.json`);
  if (window.Replay) return words;
  document.head.append(Object.assign(make("link"), { rel: "stylesheet", href: at + ".css" }));
  const script = Object.assign(make("script"), { type: "module" });
  script.src = policy ? policy.createScriptURL(at + ".js") : at + ".js";
  await new Promise((done, failed) => {
    Object.assign(script, { onload: done, onerror: failed });
    document.head.append(script);
  });
  return words;
}

// waits says whether a table waits for people.
export const waits = (t) => !t.yours && !t.asleep && Boolean(t.kept || (t.room && !t.own));

// Place is what every page with a table has. A page of its own kind adds live, the connection; words(), in the reader's language;
// request(path, body), which sends what one does; setting(name); person(id), which shows somebody's card, where it is told who people are;
// and what it makes of a press or a turn with feel(what).
export class Place {
  constructor() {
    Object.assign(this, { at: "", scene: null, tables: [], follow: 0, answers: Promise.resolve() });
    this.table = new Table(el("felt"), {
      press: (token, text) => this.press(token, text), log: () => this.log(), setting: (name) => this.setting(name),
      toast: (text, alert) => this.toast(text, alert), go: (id) => this.go(id), feel: (what) => this.feel(what), person: (id) => this.person(id), portray: (sign, seat) => this.portray(sign, seat), look: this.lookUp && ((line) => this.lookUp(line)),
    });
    el("toldgo").addEventListener("click", () => el("told").close());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    new ResizeObserver(() => this.table.fit()).observe(el("felt")); // The table looks at the room for its cards alone.
  }

  feel() {}

  setting() {}

  portray() {}

  // go looks at a table, or at the list of them. Where the page itself goes on, and nobody asked for it, Back doesn't lead to what was seen
  // before.
  go(id) {
    clearTimeout(this.follow);
    this.follow = 0;
    if (id !== this.at) {
      this.past?.close();
      this.scene = null;
      el("status").replaceChildren(); // It was about the table before.
    }
    this.at = id;
    this.left = !id;
    this.live.wish({ look: id });
    this.face();
  }

  // face shows the table, or the list.
  face() {
    const atTable = Boolean(this.at);
    el("felt").hidden = !atTable || !this.scene;
    el("hall").hidden = atTable;
    this.bar();
    this.wake();
  }

  seated() {
    return Boolean(this.scene) && (this.scene.seat >= 0 || this.scene.seats.some((s) => s.you));
  }

  // bar says that one only watches, and offers a seat.
  bar() {
    const { scene } = this;
    const w = this.words();
    const join = this.joining();
    el("bar").textContent = this.at && scene && !this.seated() && scene.phase !== "ended" ? w.watching : "";
    el("sit").hidden = !this.at || !join;
    el("sit").onclick = () => this.press(join.token);
  }

  // wake keeps the screen on while one's time may run: a phone that sleeps calls nobody. The browser lets go of it where the page isn't seen.
  wake() {
    if (this.scene?.limit <= awaits && this.seated() && !el("lost").textContent) {
      const off = () => (this.awake = null);
      this.awake ??= navigator.wakeLock?.request("screen").then((lock) => Object.assign(lock, { onrelease: off }), off);
    } else {
      this.awake?.then((lock) => lock && Object.assign(lock, { onrelease: null }).release());
      this.awake = null;
    }
  }

  // joining is the act that offers a seat here, above the table; a lobby offers its own.
  joining() {
    const { scene } = this;
    return scene && scene.phase !== "lobby" && !this.seated() ? this.act("join") : null;
  }

  // act is something that can be done at the table now.
  act(name) {
    return (this.scene?.acts || []).find((a) => a.do === name && !a.later);
  }

  // see takes what is to be seen of a table now.
  see(e) {
    if (e.table !== this.at) return;
    const before = this.scene;
    this.scene = e.scene || null;
    if (!this.scene) {
      this.toast(this.words().gone, true);
      this.go("", false);
      return;
    }
    const { scene } = this;
    el("felt").hidden = false;
    this.show();
    this.live.anew = false;
    if (scene.yours && !scene.solo && !before?.yours) this.feel("turn");
    if (scene.phase === "ended" && scene.next && !this.follow) {
      const fresh = before?.table !== scene.table;
      this.follow = setTimeout(() => this.at === scene.table && !this.past && this.goesOn() && this.go(scene.next, false), fresh ? 500 : onward);
    }
    this.bar();
    this.wake();
  }

  // show draws the table without what is offered above it.
  show() {
    if (this.past) {
      if (!this.past.base) this.past.ask(this.past.eyes);
      return;
    }
    const join = this.joining();
    this.table.show({ ...this.scene, acts: (this.scene.acts || []).filter((a) => a !== join) }, this.words(), this.live.anew);
  }

  // moment is told after how many moves a game is shown once more, with nothing when that is over.
  moment() {}

  // again shows a game that has ended once more, as it was after n moves.
  async again(id, n = 0) {
    if (id !== this.at) this.go(id);
    const words = await late(document.documentElement.lang);
    if (id !== this.at) return;
    if (this.past?.id === id) return this.past.jump(n);
    this.past?.close();
    this.past = new window.Replay(this, { make, write, say }, words, n);
  }

  recall(e) {
    this.past?.take(e);
  }

  // goesOn says whether to follow a session to its next table: not away from an end of one's own, unless one plays on there.
  goesOn() {
    return !this.seated() || this.tables.some((t) => t.table === this.scene.next && t.yours);
  }

  // list takes the tables of the place. Who came to none, and didn't leave one, is shown their own.
  list({ tables }) {
    this.tables = tables;
    this.rows();
    const mine = tables.filter((t) => t.yours);
    const one = mine.length === 1 ? mine[0] : this.only();
    if (!this.at && !this.left && one) this.go(one.table, false);
    else this.bar();
  }

  // only is a table that is shown to whoever has none of their own.
  only() {
    return null;
  }

  rows() {
    el("none").hidden = this.tables.length > 0;
    this.fill("tables", () => true);
  }

  // fill lists some of the tables: first those at which one can join, then one's own, last those where nobody else is waited for,
  // and of each the newest first.
  fill(id, which) {
    const alone = (t) => t.names.filter((n) => !n.includes("🤖")).length < 2;
    const order = (t) => (waits(t) ? 0 : t.yours ? 1 : t.asleep || alone(t) ? 3 : 2);
    keyed(el(id), this.tables.toReversed().filter(which).sort((a, b) => order(a) - order(b)), (t) => t.table, () => make("li"), (row, t) => reword(row, this.row(t)));
  }

  // about is what there is to say of a table in a list.
  about(t) {
    const w = this.words();
    const state = [t.yours && w.yours, t.asleep ? w.asleep : w.phases[t.phase]].filter(Boolean).join(" · ");
    return [make("b", "", t.title), make("small", "", begun(state)), make("span", "", tidy(t.names.join(", "), w.table))];
  }

  // log asks for all that was played.
  log() {
    return new Promise((done) => {
      this.logs = done;
      this.live.wish({ log: true });
    });
  }

  // sign takes what somebody says at a table, and answers whether it is to be heard.
  sign(e) {
    return e.table === this.at && this.table.signs.hear(e);
  }

  read({ lines }) {
    this.logs?.(lines || []);
  }

  // press presses a button of the table, or of a message, and answers whether it was taken.
  async press(token, text, message) {
    const [, community, name, n] = token.match(/^1\.([^.]+)\.([^.]+)\.\w+\.!replay(?: (\d+).*)?$/) || [];
    if (name) {
      this.again(community + "/" + name, Number(n || 0));
      return true;
    }
    this.feel("press");
    const { scene } = this;
    const answer = await this.request("press", { token, text }, message);
    if (token.includes(".!say ") && !answer.alert) answer.toast = ""; // It is seen at the seat.
    return this.answer(answer, answer.alert && message ? null : scene); // A refusal of a message isn't about the table.
  }

  // answer shows what came of something that was pressed in a scene; none if it wasn't pressed at a table.
  async answer(answer, scene) {
    if (answer.table && answer.table !== this.at) this.go(answer.table);
    if (answer.toast) {
      const hinted = answer.named && this.table.hint(answer.named, answer.toast);
      if (!hinted) this.inform(answer.toast, answer.alert, scene);
    }
    for (const message of answer.said || []) this.tell(message);
    return !answer.error && !answer.alert;
  }

  // inform tells what the table isn't about to tell.
  inform(text, alert, scene) {
    if (alert && scene && this.table.refuse(tidy(text, this.words().table))) return;
    if (alert || !scene) this.toast(text, alert);
    else setTimeout(() => scene.table === this.scene?.table && scene.version === this.scene.version && this.toast(text), 250);
  }

  // tell has a message be read, and its question answered, one after the other.
  tell(message) {
    this.answers = this.answers.then(() => this.open(message));
  }

  open(message) {
    const box = el("told");
    el("toldtext").replaceChildren(...this.text(message));
    el("toldrows").replaceChildren(...this.buttons(message));
    write(el("toldgo"), message.buttons?.flat().some((b) => b.look === "danger") ? this.words().cancel : this.words().close);
    return new Promise((done) => {
      box.onclose = () => done();
      if (!box.open) box.showModal();
      el("toldtext").focus(); // And no button: what is pressed now may have been meant for the table.
      el("toldtext").scrollTop = 0;
    });
  }

  // text is a message to be read.
  text(message) {
    return message.text.map((s) => {
      const text = tidy(s.text, this.words().table);
      return s.who ? button("person " + (s.style || ""), text, () => this.person(s.who)) : make("span", s.style, text);
    });
  }

  // buttons are a message's own, in rows.
  buttons(message) {
    return (message.buttons || []).map((row) => {
      const line = make("div", "row");
      line.append(...row.map((b) => button("knob " + (b.look || ""), tidy(b.label, this.words().table), (e) => this.reply(b, message, e))));
      return line;
    });
  }

  // reply presses a button of a message.
  async reply({ token, ask, copy }, message, { target }) {
    if (copy) {
      if (await copied(copy, target.parentNode)) write(target, this.words().copied);
      return;
    }
    const text = ask ? await this.ask(ask) : "";
    if (ask && !text) return;
    el("told").close();
    await this.press(token, text, message);
  }

  // ask answers with what was typed; with nothing if it was put off.
  ask(question) {
    const box = el("ask");
    const w = this.words();
    el("asktitle").textContent = question;
    el("answer").value = "";
    write(el("askcancel"), w.cancel);
    write(el("askgo"), w.send);
    el("askcancel").onclick = () => box.close("");
    el("askform").onsubmit = () => box.close(el("answer").value.trim());
    box.returnValue = "";
    box.showModal();
    el("answer").focus();
    return new Promise((done) => {
      box.onclose = () => box.open || done(box.returnValue); // It may have been opened again before its end was told.
    });
  }

  toast(text, alert) {
    const box = el(alert ? "alerts" : "status");
    const below = this.table.turn.getBoundingClientRect().bottom;
    el("toasts").style.top = below ? below + 6 + "px" : "";
    const line = make("p");
    write(line, tidy(text, this.words().table));
    line.addEventListener("click", () => line.remove());
    box.replaceChildren(line);
    setTimeout(() => line.remove(), Math.max(alert ? 7000 : 4000, text.length * 70));
  }

  // over is what lies over the table, the topmost first, as functions that put it away.
  over() {
    const closers = [...document.querySelectorAll("dialog[open]")].reverse().map((d) => () => d.close(""));
    if (this.table.signs.open) closers.push(() => this.table.signs.close());
    if (!this.table.lines.hidden) closers.push(() => this.table.fold(false));
    return closers;
  }

  // back puts the topmost away.
  back() {
    this.over()[0]?.();
  }
}
