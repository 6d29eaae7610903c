// The dialogs of one's own: what one is called, in which language and in what looks; and how others come here.

import { button, copied, el, make } from "./make.js";
import { me, switches } from "./me.js";
import { write } from "./parts.js";
import { label, languages, learn, say, speak } from "./words.js";

// dressUp puts the language and the looks on the page.
export function dressUp() {
  const root = document.documentElement;
  root.lang = me.lang;
  if (me.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = me.theme;
  label(document, speak(me.lang));
  for (const box of [el("langs"), el("tongues")]) choices(box, languages, me.lang);
  root.dataset.cards = me.cards;
  choices(el("themes"), speak(me.lang).themes, me.theme);
  choices(el("faces"), speak(me.lang).faces, me.cards);
  choices(el("sizes"), speak(me.lang).sizes, me.size);
}

// choices are the buttons of things to choose one from.
export function choices(box, options, chosen) {
  box.querySelectorAll("button").forEach((b) => b.value in options || b.remove());
  for (const [value, text] of Object.entries(options)) {
    const b = [...box.querySelectorAll("button")].find((o) => o.value === value) || box.appendChild(Object.assign(button("choice"), { value }));
    write(b, text);
    if (options === languages) b.lang = value;
    b.ariaPressed = value === chosen;
  }
}

// Settings is the dialog that asks who one is: for the name alone where one needs one, else for everything. changed(what) is called when
// something was: "name", "lang" or nothing that others would know of; "lost" says that it couldn't be.
export class Settings {
  constructor(changed) {
    this.changed = changed;
    this.dialog = el("who");
    el("whoform").addEventListener("submit", () => {
      const name = el("name").value.trim();
      if (!name) return; // A guest may stay one.
      Object.assign(me, { name, guest: false });
      this.save("name");
    });
    el("whocancel").addEventListener("click", () => this.dialog.close(""));
    for (const [id, key] of [["langs", "lang"], ["tongues", "lang"], ["themes", "theme"], ["faces", "cards"], ["sizes", "size"]]) {
      el(id).addEventListener("click", async ({ target: { value } }) => {
        if (!value || value === me[key]) return;
        const can = key !== "lang" || (await learn(value));
        if (can) me[key] = value;
        this.save(can ? key : "lost");
        this.draw();
      });
    }
    for (const id of switches) el(id).addEventListener("change", () => {
      me[id] = el(id).checked;
      this.save();
    });
    el("suggested").addEventListener("click", ({ target }) => {
      if (!target.value) return;
      el("name").value = target.value;
      el("whogo").focus();
    });
  }

  save(what) {
    me.save();
    this.changed(what);
  }

  // open asks, for the name alone if that is what one needs, and answers whether one has one of one's own then.
  open(name) {
    Object.assign(el("name"), me.guest ? { value: "", placeholder: me.name } : { value: me.name, placeholder: "" });
    for (const id of switches) el(id).checked = me[id];
    this.fresh = el("name").required = Boolean(name);
    this.draw();
    if (!this.dialog.open) this.dialog.showModal();
    el(name ? "name" : "whotitle").focus(); // A phone's keyboard would hide what there is to choose.
    return new Promise((done) => {
      this.dialog.onclose = () => done(Boolean(me.name) && !me.guest);
    });
  }

  draw() {
    const { fresh } = this;
    const w = speak(me.lang);
    write(el("whotitle"), fresh ? w.name : w.settings);
    write(el("whogo"), fresh ? w.enter : w.save);
    write(el("whocancel"), fresh ? w.cancel : w.close);
    el("more").hidden = fresh;
    el("suggested").hidden = !fresh;
    el("suggested").replaceChildren(...w.names.map((name) => Object.assign(button("choice", name), { value: name })));
  }
}

// invite shows how others come to the room, whose address they call base, or to a table in it; without one, how they could.
export function invite(table, base) {
  const w = speak(me.lang);
  const here = base && new URL(base).host === location.host; // A proxy may have made it https without a word.
  const link = (here ? location.origin + location.pathname : base) + (table && "#table=" + table);
  write(el("invitetext"), base ? (table ? w.inviteTable : w.inviteText) : w.alone + (me.admin ? " " + w.letIn : ""));
  el("invitation").hidden = !base;
  if (base) {
    Object.assign(el("qr"), { src: "qr.svg" + (table && "?table=" + encodeURIComponent(table)), alt: link });
    el("link").value = link;
  }
  write(el("copy"), w.copy);
  el("copy").onclick = async () => {
    el("link").select();
    if (await copied(link, el("invited"))) write(el("copy"), w.copied);
  };
  el("share").hidden = !navigator.share;
  el("share").onclick = () => navigator.share({ title: w.brand, url: link }).catch(() => {});
  el("invited").showModal();
}

// goOns are buttons by which one is again who one was.
export function goOns(free, become) {
  return free.map((p) => button("knob primary", say(speak(me.lang).goOn, p), () => become(p)));
}
