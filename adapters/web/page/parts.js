// Parts of a table that are drawn anew without being built anew.

import { button, make } from "./make.js";

// write puts a text into an element, if it isn't there.
export function write(el, text) {
  if (el.textContent !== text) el.textContent = text;
  el.hidden = !text;
}

// begun is a text with which a line begins.
export function begun(text) {
  return text && text[0].toUpperCase() + text.slice(1);
}

const plainly = { "🏆": "★", "✅": "✓", "❌": "✗" };

// pictures are those that the bot's own texts have. Any other is somebody's: in a name it says who that is.
const pictures = /[🂠🃏🎁🎓🎞🏁🏅🏦🐇👁👉👤💡💤📅📈📖📣🔊🔑🔒🔔🔕🔥🖼🗣😴🤝🥱🦉🪙⏱⚡⧉]\uFE0F?\s*/gu;

// tidy has words, or plain signs, in place of the little pictures, for which many systems have no letters.
export function tidy(text, words) {
  const said = text.replace(/🤖/gu, words.bot).replace(/· 🔥 (?=\d)/gu, `· ${words.streak} `);
  return said.replace(/[🏆✅❌]/gu, (sign) => plainly[sign]).replace(pictures, "");
}

// sentences is tidy of a scene, or a line of it, that is told as a whole: where a computer begins a sentence it does so in capitals.
export function sentences(text, words) {
  const capital = words.bot[0].toUpperCase() + words.bot.slice(1);
  const said = text.replace(/("name":)?(^|"|\\n|\n|[.!?…] )🤖/gu, (all, name, before) => (name ? all : before + capital));
  return tidy(said, words);
}

// keyed has the children of an element be those of a list: what was there already stays, with the focus in it.
export function keyed(parent, items, key, create, fill) {
  const keys = items.map((item, i) => String(key(item, i)));
  const old = new Map();
  for (const el of [...parent.children]) {
    if (keys.includes(el.key)) old.set(el.key, el);
    else el.remove();
  }
  items.forEach((item, i) => {
    const el = old.get(keys[i]) || Object.assign(create(item), { key: keys[i] });
    fill(el, item, i);
    if (parent.children[i] !== el) parent.insertBefore(el, parent.children[i] || null);
  });
}

// reword puts parts into an element where they say something else: what somebody is about to press stays while others come and go.
export function reword(el, parts) {
  const text = parts.map((part) => part.textContent).join("\n");
  if (el.text !== text) el.replaceChildren(...parts);
  el.text = text;
}

// actButton is a button for an act that el.act holds. While one press is on its way a second one does nothing, until the table has
// changed.
export function actButton(press) {
  const b = button("act", "", async () => {
    const { act } = b;
    if (!act || b.busy === act || b.getAttribute("aria-disabled") === "true") return;
    b.busy = act;
    await press(act, b);
    if (b.busy === act) b.busy = null;
  });
  return b;
}

// dress makes a button the one of an act, whose label stands in an element.
export function dress(b, act, label = act.label, at = b) {
  b.act = act;
  write(at, label);
  b.ariaDisabled = Boolean(act.later);
  b.classList.toggle("danger", act.look === "danger");
  if (act.kind === "set" && act.do === "set") b.ariaPressed = Boolean(act.on);
}

// Question is the dialog of the table's own: it asks for a text, or only whether one is sure.
export class Question {
  constructor(root) {
    this.el = make("dialog", "question");
    this.form = make("form");
    this.form.method = "dialog";
    this.label = make("label");
    this.input = Object.assign(make("input"), { type: "text", maxLength: 64, autocomplete: "off" });
    this.label.append(make("span"), this.input);
    this.no = button("act", "", () => this.el.close(""));
    this.yes = Object.assign(make("button", "act gold"), { type: "submit" });
    const row = make("div", "bar");
    row.append(this.no, this.yes);
    this.form.append(this.label, row);
    this.el.append(this.form);
    root.append(this.el);
  }

  // ask answers with what was typed, or with true; with nothing if it was put off.
  ask(question, typed, no, yes) {
    this.label.firstChild.textContent = question;
    Object.assign(this.input, { value: "", hidden: !typed, required: typed });
    write(this.no, no);
    write(this.yes, yes);
    this.form.onsubmit = () => this.el.close(typed ? this.input.value.trim() : "yes");
    this.el.returnValue = "";
    this.el.showModal();
    (typed ? this.input : this.no).focus();
    return new Promise((done) => {
      this.el.onclose = () => this.el.open || done(this.el.returnValue);
    });
  }
}

// clockText is so many seconds as a clock shows them.
export function clockText(seconds) {
  const s = Math.max(0, Math.floor(seconds));
  const part = (n) => String(n).padStart(2, "0");
  return s < 3600 ? `${Math.floor(s / 60)}:${part(s % 60)}` : `${Math.floor(s / 3600)}:${part(Math.floor(s / 60) % 60)}:${part(s % 60)}`;
}
