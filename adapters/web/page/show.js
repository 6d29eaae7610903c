// How messages look.

import { make } from "./make.js";
import { Picture } from "./picture.js";
import { say } from "./words.js";

const cards = /((?:10|[2-9AKQJDWTКДВТ])?[♠♣♥♦]\uFE0E?|🂠|[🤖⏱⚡⚙🏆💤🥱💡📖]\uFE0F?)/u;

// Signs are drawn by the page itself: not every machine has a font for them.
const emblems = { "🤖": "robot", "⏱": "clock", "⚡": "bolt", "⚙": "gear", "🏆": "trophy", "💤": "sleep", "🥱": "yawn",
  "💡": "bulb", "📖": "book" };

// stop is what follows a card at once, and needs room beside it.
const stop = /^[.,;:)]/;

// adorn puts text into el, with its cards drawn as cards.
export function adorn(el, text, words) {
  const parts = text.replaceAll("№ ", "№\u00A0").split(cards);
  parts.forEach((part, i) => {
    if (i % 2 === 0) {
      if (part) el.append(part);
      return;
    }
    const sign = emblems[part.replace("\uFE0F", "")];
    const drawn = sign ? make("span", "sign " + sign, part) : part === "🂠" ? writeBack(words) : writeCard(part);
    if (stop.test(parts[i + 1])) drawn.classList.add("stopped");
    el.append(drawn);
  });
}

function writeBack(words) {
  const back = make("span", "back", "🂠");
  back.setAttribute("role", "img");
  back.setAttribute("aria-label", words.back);
  return back;
}

function writeCard(name) {
  const suit = name.match(/[♠♣♥♦]/u)[0];
  const rank = name.slice(0, name.indexOf(suit));
  const card = make("span", "♥♦".includes(suit) ? "card red" : "card", rank);
  card.append(make("span", "suit", suit + "\uFE0E"));
  return card;
}

// drawCode is a text to be copied; a long one takes no more than a line until it is clicked.
function drawCode(text) {
  const code = make("span", "code", text);
  if (text.length > 30) {
    code.classList.add("long");
    code.title = text;
    code.addEventListener("click", () => code.classList.toggle("open"));
  }
  return code;
}

// lines are the spans of each line of a text.
function lines(spans) {
  const all = [[]];
  for (const { text, style } of spans) {
    text.split("\n").forEach((part, i) => {
      if (i) all.push([]);
      if (part) all.at(-1).push({ text: part, style });
    });
  }
  return all;
}

const plain = (line) => line.map((s) => s.text).join("");

// A seat's line begins with the mark of who is to move, or the room for it; what stands three spaces apart is a column.
const seated = /^(▶ | {3})/;
const gap = / {3,}/;

function drawLine(line, words) {
  const el = make("div", "ln");
  const text = plain(line);
  const columns = seated.test(text) && gap.test(text.slice(3).trim());
  let cell = el;
  for (const { text, style } of line) {
    const parts = columns ? text.replace(/^▶ /, "▶   ").split(gap) : [text];
    parts.forEach((part, i) => {
      if (columns && (i || cell === el)) cell = el.appendChild(make("span", "cell"));
      if (!part) return;
      if (style === "code") {
        cell.append(drawCode(part));
        return;
      }
      const span = make("span", style || "");
      if (stop.test(part)) cell.lastChild?.querySelector?.(":scope > :last-child")?.classList.add("stopped");
      adorn(span, part, words);
      cell.append(span);
    });
  }
  if (columns) el.classList.add("seat");
  if (!text) el.append(make("br"));
  if (text.startsWith("▶")) el.classList.add("turn");
  return el;
}

// hue is a colour for a name, the same in every tab.
function hue(id) {
  let h = 0;
  for (const c of id) h = (h * 31 + c.charCodeAt(0)) % 360;
  return h;
}

// Shown is one message on the page. It keeps its elements while the message changes, so that whoever is about to press
// a button, with a thumb or with a key, finds it where it was.
export class Shown {
  // does: words(), press(shown, button), dismiss(shown), putAway(shown).
  constructor(message, does) {
    this.does = does;
    this.el = make("li", "msg");
    this.pending = new Set();
    this.lines = [];
    this.build(message);
    this.update(message);
  }

  build({ from, echo, private: secret }) {
    this.el.classList.add(from ? "said" : "bot");
    if (echo) this.el.classList.add("echo");
    if (from) {
      this.who = make("bdi", "who");
      this.who.style.setProperty("--hue", hue(from.id));
      this.el.append(this.who, " ");
    }
    if (secret) {
      this.el.classList.add("private");
      const head = make("p", "only");
      this.only = make("span");
      this.away = make("button", "away");
      this.away.type = "button";
      this.away.addEventListener("click", () => this.does.dismiss(this));
      head.append(this.only, this.away);
      this.el.append(head);
    }
    this.text = make(from ? "bdi" : "div", "text");
    this.list = make("details", "moves");
    this.listed = make("summary");
    this.choices = make("div", "buttons");
    this.list.append(this.listed, this.choices);
    this.rows = make("div", "buttons");
    this.el.append(this.text, this.list, this.rows);
  }

  // drawPicture shows the table's picture, above the text.
  drawPicture(view) {
    if (view && !this.picture) {
      this.picture = new Picture((token) => this.does.press(this, { token }));
      this.text.before(this.picture.el);
    }
    this.picture?.update(view);
    this.el.classList.toggle("pictured", Boolean(view));
  }

  // drawFile shows the way to a file, below the text.
  drawFile(view) {
    if (view && !this.file) {
      this.file = make("a", "file");
      this.text.after(this.file);
    }
    if (!this.file) return;
    this.file.hidden = !view;
    if (view) Object.assign(this.file, { href: view.path, download: view.name, textContent: "⬇ " + view.name });
  }

  // update shows what the message has become, and returns the lines that changed.
  update(message) {
    const before = this.message;
    this.message = message;
    if (message !== before) this.until = performance.now() + (message.left || 0);
    const words = this.does.words();
    this.el.classList.toggle("table", Boolean(message.table));
    this.el.classList.toggle("final", Boolean(message.final));
    if (this.who) {
      this.who.textContent = this.does.nameOf(message.from);
      this.who.title = message.from.id;
    }
    if (this.only) {
      this.only.textContent = words.onlyYou;
      this.away.textContent = words.dismiss;
    }
    if (message.from) this.el.title = new Date(message.at).toLocaleTimeString();
    this.drawPicture(message.picture);
    this.drawFile(message.file);
    const changed = this.drawText(lines(message.text), Boolean(before));
    this.drawButtons(message);
    return changed;
  }

  drawText(next, flash) {
    const words = this.does.words();
    const changed = [];
    const known = new Set(this.lines);
    next.forEach((line, i) => {
      const key = JSON.stringify(line);
      if (this.lines[i] === key) return;
      const el = drawLine(line, words);
      const said = plain(line.filter((s) => s.style !== "code")).trim();
      if (flash && said && !known.has(key)) {
        el.classList.toggle("changed", / {2}/.test(plain(line)));
        changed.push(said);
      }
      const old = this.text.children[i];
      if (old) old.replaceWith(el);
      else this.text.append(el);
      this.lines[i] = key;
    });
    this.lines.length = next.length;
    while (this.text.children.length > next.length) this.text.lastChild.remove();
    return changed;
  }

  // drawButtons draws the rows of buttons. Those of a list fold up under a picture, where there are other ways.
  drawButtons({ buttons = [], choices = 0, prompt, picture }) {
    const focus = this.focused();
    const folded = picture ? choices : 0;
    this.list.hidden = !folded;
    if (folded) {
      this.listed.textContent = buttons.slice(0, folded).flat().length;
      this.listed.title = prompt;
      this.listed.setAttribute("aria-label", `${prompt} (${this.listed.textContent})`);
    }
    this.drawRows(this.choices, buttons.slice(0, folded));
    this.drawRows(this.rows, buttons.slice(folded));
    if (focus && document.activeElement === document.body) this.refocus(focus);
  }

  drawRows(box, rows) {
    while (box.children.length > rows.length) box.lastChild.remove();
    rows.forEach((row, i) => {
      const el = box.children[i] || box.appendChild(make("div", "row"));
      while (el.children.length > row.length) el.lastChild.remove();
      row.forEach((button, j) => this.drawButton(el.children[j] || el.appendChild(this.newButton()), button));
    });
  }

  newButton() {
    const el = make("button");
    Object.assign(el, { type: "button", changed: -Infinity, pressed: -Infinity });
    el.addEventListener("click", () => this.click(el));
    return el;
  }

  drawButton(el, button) {
    if (el.shown !== button.label) {
      if (el.shown !== undefined) el.changed = performance.now();
      el.shown = button.label;
      el.replaceChildren();
      const label = make("span", "label");
      adorn(label, button.label, this.does.words());
      el.append(label);
    }
    el.className = button.look || "quiet";
    el.button = button;
    this.mark(el);
  }

  mark(el) {
    const busy = this.pending.has(el.button.token);
    el.setAttribute("aria-disabled", String(busy));
  }

  // click presses a button, unless it is being pressed already, or has become another one under the finger.
  async click(el) {
    const now = performance.now();
    const slipped = now - el.changed < 300 && now - el.pressed < 700;
    const { button } = el;
    if (slipped || this.pending.has(button.token)) return;
    el.pressed = now;
    this.pending.add(button.token);
    this.mark(el);
    await this.does.press(this, button);
    this.pending.delete(button.token);
    for (const b of this.buttons()) this.mark(b);
  }

  buttons() {
    return [...this.el.querySelectorAll(".buttons button")];
  }

  // focused is where among the buttons the focus is, as [box, row, column]; nothing if it is elsewhere.
  focused() {
    for (const box of [this.choices, this.rows]) {
      for (const [i, row] of [...box.children].entries()) {
        const j = [...row.children].indexOf(document.activeElement);
        if (j >= 0) return [box, i, j];
      }
    }
    return null;
  }

  refocus([box, i, j]) {
    const row = box.children[Math.min(i, box.children.length - 1)];
    const el = row?.children[Math.min(j, row.children.length - 1)] || (this.list.hidden ? null : this.listed);
    if (el) el.focus({ preventScroll: true });
    else this.does.unfocus();
  }
}

// names is who is here, as people say it: the others by name, and "you".
export function names(people, mine, words, nameOf) {
  if (!people.length) return words.nobody;
  const all = people.map((p) => (p.id === mine ? `${nameOf(p)} (${words.you})` : nameOf(p)));
  return say(words.people, { names: all.join(", ") });
}
