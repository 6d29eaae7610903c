// The form that asks who one is: at first, and whenever one wants to change it.

import { el } from "./make.js";
import { me } from "./me.js";
import { label, languages, speak } from "./words.js";

// dressUp puts the language and the looks on the page.
export function dressUp(lang = me.lang, theme = me.theme) {
  const root = document.documentElement;
  root.lang = lang;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  label(document, speak(lang));
}

function choices(id, options, chosen, change) {
  const set = el(id);
  for (const old of set.querySelectorAll("label")) old.remove();
  for (const [value, text] of Object.entries(options)) {
    const row = document.createElement("label");
    const input = document.createElement("input");
    Object.assign(input, { type: "radio", name: id, value, checked: value === chosen });
    input.addEventListener("change", () => change(value));
    const span = document.createElement("span");
    span.textContent = text;
    if (id === "langs") span.lang = value;
    row.append(input, span);
    set.append(row);
  }
}

// Join is the dialog. done() is called when something was changed.
export class Join {
  constructor(done) {
    this.done = done;
    this.dialog = el("me");
    el("meform").addEventListener("submit", (e) => this.submit(e));
    el("mecancel").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("cancel", (e) => !me.name && e.preventDefault());
    this.dialog.addEventListener("close", () => this.closed());
  }

  // open asks: who is new can't but answer.
  open() {
    this.lang = me.lang;
    this.theme = me.theme;
    el("name").value = me.name;
    el("keys").checked = me.keys;
    this.draw();
    if (!this.dialog.open) this.dialog.showModal();
    el("name").focus();
  }

  draw() {
    const words = speak(this.lang);
    const fresh = !me.name;
    dressUp(this.lang, this.theme);
    el("metitle").textContent = fresh ? words.joinTitle : words.meTitle;
    el("mego").textContent = fresh ? words.joinGo : words.save;
    el("mecancel").hidden = fresh;
    el("mehint").hidden = !fresh;
    el("keysrow").hidden = el("themes").hidden = fresh;
    this.dialog.classList.toggle("fresh", fresh);
    choices("langs", languages, this.lang, (lang) => this.pick("langs", { lang }));
    choices("themes", words.themes, this.theme, (theme) => this.pick("themes", { theme }));
    el("suggested").hidden = !fresh;
    el("suggested").replaceChildren(...words.names.map((name) => {
      const b = document.createElement("button");
      b.type = "button";
      b.textContent = name;
      b.addEventListener("click", () => {
        el("name").value = name;
        el("mego").focus();
      });
      return b;
    }));
  }

  pick(id, choice) {
    Object.assign(this, choice);
    this.draw();
    el(id).querySelector(":checked")?.focus();
  }

  submit(e) {
    e.preventDefault();
    const name = el("name").value.trim();
    if (!name) return;
    Object.assign(me, { name, lang: this.lang, theme: this.theme, keys: el("keys").checked });
    me.save();
    this.dialog.close();
    this.done();
  }

  closed() {
    dressUp();
    if (!me.name) this.open();
  }
}
