// The page behind a platform's door: the table to which somebody came, the others of the place, and what the bot has to say.

import { button, el, make } from "./make.js";
import { random } from "./me.js";
import { Place } from "./place.js";
import { known, languages, learn, speak } from "./words.js";
import { Live, post } from "./wire.js";

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

// sound says whether what happens is to be heard and felt, and with a value that it shall: "1", or nothing where somebody wants neither. As
// long as nobody has said anything it is only felt, and the answer is null.
function sound(on) {
  try {
    if (on !== undefined) localStorage.setItem("zevaka.sound", on);
    return localStorage.getItem("zevaka.sound");
  } catch {
    if (on !== undefined) spareSeal.sound = on;
    return spareSeal.sound ?? null;
  }
}

// tongue is the language that is spoken at first with the person of a client.
export function tongue(client) {
  return known([stored().lang, client.lang, ...navigator.languages].filter(Boolean));
}

// Door is the page, once there are words in the client's tongue. client is the platform's client around it: key says which launch this is, empty where it came without one;
// login() answers {login, instance, start}, or throws {why}; renews says that login can be asked for again; lang is what its
// person speaks; stands({back, waited, cloth}) is told whether Back leads anywhere, whether others would wait for who leaves, and the colour of the
// cloth where one looks at a table; feel(what) has a "turn", "press", "flip" or "refusal" be felt; pictures, where there are any, are
// addresses of people's, by what they are called; leave() closes the page.
export class Door extends Place {
  constructor(client) {
    super();
    Object.assign(this, { client, seal: "" });
    const visit = stored();
    if (visit.seal && (!client.key || visit.key === client.key)) this.seal = visit.seal;
    this.lang = tongue(client);
    this.live = new Live({
      address: this.address("live"), hello: () => this.hello(), event: (e) => this[{ visit: "enter", elsewhere: "divert", scene: "see", tables: "list", log: "read", past: "recall", sign: "sign" }[e.kind]]?.(e),
      state: (up, why) => this.state(up, why), no: (code) => this.no(code),
    });
    el("around").addEventListener("click", () => this.go(""));
    el("retry").addEventListener("click", () => this.connect());
    el("leave").addEventListener("click", () => client.leave());
    el("langs").replaceChildren(...Object.entries(languages).map(([value, text]) => Object.assign(make("option", "", value.toUpperCase() + "\u2003" + text), { value })));
    el("langs").addEventListener("change", () => this.speak(el("langs").value));
    el("sound").addEventListener("click", () => (el("sound").ariaPressed = Boolean(sound(sound() ? "" : "1"))));
    el("sound").ariaPressed = Boolean(sound());
    new MutationObserver(() => this.stand()).observe(document.body, { subtree: true, attributeFilter: ["open", "hidden"] });
    this.dress();
  }

  // address is where something of the server's is asked for.
  address(name) {
    return new URL(document.body.dataset.base + name, location.href).href.replace(/[?#].*/, "");
  }

  words() {
    return speak(this.lang);
  }

  connect() {
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

  // divert takes what is needed to come in elsewhere: the login may be used up, or the table have another name.
  divert({ seal }) {
    if (!seal) return;
    this.seal = seal;
    this.came = false;
  }

  // enter begins a visit, or goes on with it.
  enter({ seal, lang, table, at }) {
    this.seal = seal;
    this.live.at = at || "";
    if (!this.chosen) this.turn(known([lang || this.lang]));
    this.keep();
    el("langs").hidden = el("sound").hidden = false;
    if (!this.came) this.at = table || "";
    this.came = true;
    this.live.wish({ channel: 1, look: this.at });
    this.face();
  }

  keep() {
    store({ seal: this.seal, key: this.client.key || stored().key, lang: this.chosen || stored().lang, at: this.live.at });
  }

  // speak changes the language.
  async speak(lang) {
    if (!(await this.turn(lang))) {
      this.toast(this.words().errors.lost, true);
      return;
    }
    this.chosen = lang;
    this.keep();
    this.live.open();
  }

  // turn has the page speak a language, and answers whether it can.
  async turn(lang) {
    const can = await learn(lang);
    if (can) this.lang = lang;
    this.dress();
    if (this.scene) this.show();
    return can;
  }

  // dress writes the page's own words.
  dress() {
    const w = this.words();
    document.documentElement.lang = this.lang;
    document.title = w.brand;
    el("langs").value = this.lang;
    el("langs").ariaLabel = w.lang;
    el("sound").ariaLabel = w.sound;
    el("sound").title = w.sound;
    const texts = { brand: w.brand, around: "☰ " + w.around, sit: w.sit, halltitle: w.tables, none: w.noTables, retry: w.retry, leave: w.leave };
    for (const [id, text] of Object.entries(texts)) el(id).textContent = text;
    if (this.why) el("why").textContent = w.why[this.why];
    this.rows();
    this.bar();
  }

  // state says whether the connection stands.
  state(up, why) {
    const w = this.words();
    el("lost").textContent = up ? "" : w.why[why] || w.lost;
    this.wake();
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
    this.feel("refusal");
  }

  face() {
    el("shut").hidden = true;
    super.face();
  }

  bar() {
    super.bar();
    el("around").hidden = !this.at || !this.tables.some((t) => t.table !== this.at);
    el("top").hidden = el("sit").hidden && el("around").hidden && !el("bar").textContent;
    this.stand();
  }

  only() {
    return this.tables.length === 1 ? this.tables[0] : null;
  }

  row(t) {
    const b = button("knob", "", () => this.go(t.table));
    b.append(...this.about(t));
    return [b];
  }

  setting(name) {
    return name === "keys" || (name === "sound" && Boolean(sound()));
  }

  feel(what) {
    if (sound() !== "") this.client.feel(what);
  }

  moment() {
    this.stand();
  }

  // portray lays the picture that the client has of a person over their sign: what can't be had leaves the sign as it is.
  portray(sign, { name, computer }) {
    const src = (!computer && this.client.pictures?.get(name)) || "";
    if (sign.picture === src) return;
    sign.picture = src;
    sign.replaceChildren(sign.textContent);
    if (src) sign.append(Object.assign(make("img"), { src, alt: "", onerror: ({ target }) => target.remove() }));
  }

  // over has the way back lead on: from a game that is shown again to its table, and from there to the list where there are others.
  over() {
    const all = super.over();
    if (this.past) all.push(() => this.past.close());
    else if (this.at && !el("around").hidden) all.push(() => this.go(""));
    return all;
  }

  // stand has the page be of the colour of the cloth at a table, and tells the client how things stand here.
  stand() {
    const { scene, client } = this;
    const cloth = el("felt").hidden ? "" : getComputedStyle(this.table.el).backgroundColor;
    document.body.style.background = cloth;
    const hex = cloth.match(/\d+/g)?.slice(0, 3).map((n) => Number(n).toString(16).padStart(2, "0")).join("");
    const waited = Boolean(scene && this.seated() && !scene.solo && /^(cutting|playing)$/.test(scene.phase));
    client.stands({ back: this.over().length > 0, waited, cloth: hex && "#" + hex });
  }

  // request sends what one does, and answers with what came of it.
  async request(path, body) {
    const answer = await post(this.address(path), { id: random(16), lang: this.lang, name: "", ...body }, { "X-Zevaka-Visit": this.seal });
    const w = this.words();
    if (answer.error === "door-login" || answer.error === "door-old") this.live.lose({ code: 4000, reason: answer.error });
    else if (answer.error) this.toast(w.why[answer.error] || w.errors[answer.error] || w.errors.broken, true);
    else if (!answer.alert) el("alerts").replaceChildren();
    if (answer.error || answer.alert) this.feel("refusal");
    return answer;
  }

  // text adds that a file waits elsewhere.
  text(message) {
    return [...super.text(message), message.file ? "\n" + this.words().file : ""];
  }
}
