// The page behind a platform's door: the table to which somebody came, the others of the place, and what the bot has to say.

import { doorWords } from "./doorwords.js";
import { el, make } from "./make.js";
import { random } from "./me.js";
import { tidy, write } from "./parts.js";
import { Table } from "./table.js";
import { known, languages, speak } from "./words.js";
import { Live, post } from "./wire.js";

const onward = 7000; // how long the end of a deal is to be seen before the next one is
const yawn = 5000; // how long a connection that may have slept has to say something
const again = ["door-away", "full", "fast", "closed"]; // refusals after which it is tried again

// What a browser forbids to keep lasts as long as the page.
const spareSeal = {};

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem("zevaka.visit")) || spareSeal;
  } catch {
    return spareSeal;
  }
}

function store(visit) {
  Object.assign(spareSeal, visit);
  try {
    sessionStorage.setItem("zevaka.visit", JSON.stringify(visit));
  } catch {
    // It stays in spareSeal.
  }
}

// sound says whether a sound tells that it is one's turn, and with a value that it shall: it doesn't until somebody wants it.
function sound(on) {
  try {
    if (on !== undefined) localStorage.setItem("zevaka.sound", on ? "1" : "");
    return Boolean(localStorage.getItem("zevaka.sound"));
  } catch {
    if (on !== undefined) spareSeal.sound = on;
    return Boolean(spareSeal.sound);
  }
}

// Door is the page. client is the platform's client around it: key says which launch this is, empty where it came without one;
// login() answers {login, instance, start}, or throws {why}; renews says that login can be asked for again; lang is what its
// person speaks; covered(open) is told whether something lies over the table; feel(what) has a "turn", "press" or "refusal" be
// felt; leave() closes the page.
export class Door {
  constructor(client) {
    Object.assign(this, { client, at: "", scene: null, tables: [], seal: "", follow: 0 });
    const visit = stored();
    if (visit.seal && (!client.key || visit.key === client.key)) this.seal = visit.seal;
    this.lang = visit.lang || known([client.lang || "", ...navigator.languages].filter(Boolean));
    this.table = new Table(el("felt"), {
      press: (token, text) => this.press(token, text), log: () => this.log(), setting: (name) => name !== "sound" || sound(),
      toast: (text, alert) => this.toast(text, alert), go: (id) => this.go(id),
    });
    this.live = new Live({
      address: this.address("live"), hello: () => this.hello(), event: (e) => this[{ visit: "enter", scene: "see", tables: "list", log: "read" }[e.kind]]?.(e),
      state: (up, why) => this.state(up, why), no: (code) => this.no(code),
    });
    el("around").addEventListener("click", () => this.go(""));
    el("toldgo").addEventListener("click", () => el("told").close());
    el("retry").addEventListener("click", () => this.open());
    el("leave").addEventListener("click", () => client.leave());
    el("langs").replaceChildren(...Object.entries(languages).map(([value, text]) => Object.assign(make("option", "", value.toUpperCase() + "\u2003" + text), { value })));
    el("langs").addEventListener("change", () => this.speak(el("langs").value));
    el("sound").addEventListener("click", () => el("sound").setAttribute("aria-pressed", String(sound(!sound()))));
    el("sound").setAttribute("aria-pressed", String(sound()));
    new ResizeObserver(() => this.table.fit()).observe(el("felt")); // The table looks at the room for its cards alone.
    new MutationObserver(() => this.client.covered(this.over().length > 0)).observe(document.body, { subtree: true, attributeFilter: ["open", "hidden"] });
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    this.dress();
  }

  // address is where something of the server's is asked for.
  address(name) {
    return new URL(document.body.dataset.base + name, location.href).href.replace(/[?#].*/, "");
  }

  words() {
    return { ...speak(this.lang), ...doorWords(this.lang) };
  }

  open() {
    el("shut").hidden = true;
    el("lost").textContent = this.words().opening;
    this.live.open();
  }

  // hello is what is said first on a connection: the seal of this visit, or the login.
  async hello() {
    this.logged = !this.seal;
    if (this.seal) return { seal: this.seal, lang: this.lang };
    try {
      return { ...(await this.client.login()), lang: this.chosen || stored().lang || "" };
    } catch (e) {
      const why = e.why || "broken";
      if (again.includes(why)) this.live.lose({ code: 4000, reason: why });
      else this.shut(why);
      return null;
    }
  }

  // enter begins a visit, or goes on with it.
  enter({ seal, lang, table }) {
    this.seal = seal;
    if (!this.chosen) this.lang = known([lang || this.lang]);
    this.keep();
    this.dress();
    el("langs").hidden = el("sound").hidden = false;
    if (!this.came) this.at = table || "";
    this.came = true;
    this.live.wish({ channel: 1, look: this.at });
    this.face();
  }

  keep() {
    store({ seal: this.seal, key: this.client.key || stored().key, lang: this.chosen || stored().lang });
  }

  // speak changes the language.
  speak(lang) {
    this.lang = this.chosen = lang;
    this.keep();
    this.dress();
    this.live.open();
  }

  // dress writes the page's own words.
  dress() {
    const w = this.words();
    document.documentElement.lang = this.lang;
    document.title = w.brand;
    el("langs").value = this.lang;
    el("langs").setAttribute("aria-label", w.lang);
    el("sound").setAttribute("aria-label", w.sound);
    el("sound").title = w.sound;
    const texts = { around: "☰ " + w.around, toldgo: w.close, askcancel: w.cancel, askgo: w.send, sit: w.sit, halltitle: w.tables, none: w.noTables, retry: w.retry, leave: w.leave };
    for (const [id, text] of Object.entries(texts)) el(id).textContent = text;
    if (this.why) el("why").textContent = w.why[this.why];
    this.rows();
    this.bar();
  }

  // state says whether the connection stands.
  state(up, why) {
    const w = this.words();
    el("lost").textContent = up ? "" : w.why[why] || w.lost;
  }

  // no takes the code by which the server keeps us out, and says whether there is no use in trying again.
  no(code) {
    if (again.includes(code)) return false;
    const tried = !this.logged;
    this.seal = "";
    store({ seal: "", key: this.client.key, lang: this.chosen || stored().lang });
    if (tried && code !== "door-place" && (this.client.renews || this.client.key)) {
      this.live.open();
      return true;
    }
    this.shut(code);
    return true;
  }

  // shut says why nothing is to be seen, and what to do.
  shut(why) {
    const w = this.words();
    this.why = w.why[why] ? why : "broken";
    this.live.abandon();
    el("lost").textContent = "";
    el("why").textContent = w.why[this.why];
    el("retry").hidden = !this.client.renews;
    el("leave").hidden = !this.client.leave;
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    el("felt").hidden = el("hall").hidden = el("top").hidden = true;
    el("shut").hidden = false;
    this.client.feel("refusal");
  }

  // wake looks whether a connection that may have slept still stands.
  wake() {
    if (!this.live.socket) {
      this.live.hurry();
      return;
    }
    this.live.wish({ channel: 1, look: this.at });
    this.live.watch(yawn);
  }

  // go looks at a table, or at the list of them.
  go(id) {
    clearTimeout(this.follow);
    this.follow = 0;
    if (id !== this.at) this.scene = null;
    this.at = id;
    this.left = !id;
    this.live.wish({ look: id });
    this.face();
  }

  // face shows the table, or the list.
  face() {
    const atTable = Boolean(this.at);
    el("shut").hidden = true;
    el("felt").hidden = !atTable || !this.scene;
    el("hall").hidden = atTable;
    this.bar();
  }

  // bar says that one only watches, and offers a seat.
  bar() {
    const { scene } = this;
    const w = this.words();
    const seated = scene && (scene.seat >= 0 || scene.seats.some((s) => s.you));
    const join = this.joining();
    el("bar").textContent = this.at && scene && !seated && scene.phase !== "ended" ? w.watching : "";
    el("sit").hidden = !this.at || !join;
    el("sit").onclick = () => this.press(join.token);
    el("around").hidden = !this.at || !this.tables.some((t) => t.table !== this.at);
    el("top").hidden = el("sit").hidden && el("around").hidden && !el("bar").textContent;
  }

  // joining is the act that offers a seat here, above the table; a lobby offers its own.
  joining() {
    const { scene } = this;
    const watches = scene && scene.phase !== "lobby" && scene.seat < 0 && !scene.seats.some((s) => s.you);
    return watches ? (scene.acts || []).find((a) => a.do === "join" && !a.later) : null;
  }

  // see takes what is to be seen of a table now.
  see(e) {
    if (e.table !== this.at) return;
    const before = this.scene;
    this.scene = e.scene || null;
    if (!this.scene) {
      this.toast(this.words().gone, true);
      this.go("");
      return;
    }
    const { scene } = this;
    el("felt").hidden = false;
    const join = this.joining();
    this.table.show({ ...scene, acts: (scene.acts || []).filter((a) => a !== join) }, this.words());
    if (scene.yours && !scene.solo && !before?.yours) this.client.feel("turn");
    if (scene.phase === "ended" && scene.next && !this.follow) {
      const fresh = before?.table !== scene.table;
      this.follow = setTimeout(() => this.at === scene.table && this.go(scene.next), fresh ? 0 : onward);
    }
    this.bar();
  }

  // list takes the tables of the place. Who came to none, and didn't leave one, is shown their own, or the only one.
  list({ tables }) {
    this.tables = tables;
    this.rows();
    const mine = tables.filter((t) => t.yours);
    const one = mine.length === 1 ? mine[0] : tables.length === 1 ? tables[0] : null;
    if (!this.at && !this.left && one) this.go(one.table);
    else this.bar();
  }

  rows() {
    const w = this.words();
    el("none").hidden = this.tables.length > 0;
    el("tables").replaceChildren(...this.tables.map((t) => {
      const row = make("li");
      const b = Object.assign(make("button", "knob"), { type: "button", onclick: () => this.go(t.table) });
      const state = [t.yours && w.yours, t.asleep ? w.asleep : w.phases[t.phase]].filter(Boolean).join(" · ");
      b.append(make("b", "", t.title), make("small", "", state), t.names.join(", "));
      row.append(b);
      return row;
    }));
  }

  // log asks for all that was played.
  log() {
    return new Promise((done) => {
      this.logs = done;
      this.live.wish({ log: true });
    });
  }

  read({ lines }) {
    this.logs?.(lines || []);
  }

  // request sends what one does, and answers with what came of it.
  async request(path, body) {
    const answer = await post(this.address(path), { id: random(16), lang: this.lang, name: "", ...body }, { "X-Zevaka-Visit": this.seal });
    const w = this.words();
    if (answer.error === "door-login" || answer.error === "door-old") this.live.lose({ code: 4000, reason: answer.error });
    else if (answer.error) this.toast(w.why[answer.error] || w.errors[answer.error] || w.errors.broken, true);
    else if (!answer.alert) el("alerts").replaceChildren();
    if (answer.error || answer.alert) this.client.feel("refusal");
    return answer;
  }

  // press presses a button of the table, and answers whether it was taken.
  async press(token, text) {
    this.client.feel("press");
    return this.answer(await this.request("press", { token, text }));
  }

  // answer shows what came of something.
  async answer(answer) {
    if (answer.table && answer.table !== this.at) this.go(answer.table);
    if (answer.toast) {
      const hinted = answer.named && this.table.hint(answer.toast, answer.named);
      if (!hinted) this.toast(answer.toast, answer.alert);
    }
    for (const message of answer.said || []) await this.tell(message);
    return !answer.error && !answer.alert;
  }

  // tell has a message be read, and its question answered.
  tell(message) {
    const w = this.words();
    const box = el("told");
    el("toldtext").replaceChildren(...message.text.map((s) => make("span", s.style, tidy(s.text, w.table))));
    if (message.file) el("toldtext").append("\n" + w.file);
    el("toldrows").replaceChildren(...(message.buttons || []).map((row) => {
      const line = make("div", "row");
      line.append(...row.map((b) => Object.assign(make("button", "knob " + (b.look || ""), tidy(b.label, w.table)), { type: "button", onclick: () => this.reply(b) })));
      return line;
    }));
    return new Promise((done) => {
      box.onclose = () => done();
      if (!box.open) box.showModal();
      (el("toldrows").querySelector("button") || el("toldtext")).focus();
      el("toldtext").scrollTop = 0;
    });
  }

  // reply presses a button of a message.
  async reply({ token, ask }) {
    const text = ask ? await this.ask(ask) : "";
    if (ask && !text) return;
    el("told").close();
    await this.press(token, text);
  }

  // ask answers with what was typed; with nothing if it was put off.
  ask(question) {
    const box = el("ask");
    el("asktitle").textContent = question;
    el("answer").value = "";
    el("askcancel").onclick = () => box.close("");
    el("askform").onsubmit = () => box.close(el("answer").value.trim());
    box.returnValue = "";
    box.showModal();
    el("answer").focus();
    return new Promise((done) => {
      box.onclose = () => done(box.returnValue);
    });
  }

  toast(text, alert) {
    const box = el(alert ? "alerts" : "status");
    const line = make("p");
    write(line, tidy(text, this.words().table));
    line.addEventListener("click", () => line.remove());
    box.replaceChildren(line);
    setTimeout(() => line.remove(), Math.max(alert ? 7000 : 4000, text.length * 70));
  }

  // over is what lies over the table, the topmost first, as functions that put it away.
  over() {
    const closers = [...document.querySelectorAll("dialog[open]")].reverse().map((d) => () => d.close(""));
    if (!this.table.lines.hidden) closers.push(() => this.table.fold(false));
    return closers;
  }

  // back puts the topmost away.
  back() {
    this.over()[0]?.();
  }
}
