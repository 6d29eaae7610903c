// What is said at a table by one press: a dozen faces and words, which everybody reads in their own language; and who isn't to be heard.

import { button, make } from "./make.js";
import { me, recallOne, stash } from "./me.js";
import { svg } from "./motion.js";
import { keyed, write } from "./parts.js";
import { say } from "./words.js";

const stays = 5000; // how long it stands at the seat
const most = 50; // people whom a browser remembers as muted

// faces are the signs that are drawn: eyes and mouth.
const faces = {
  laugh: ["M10 21q5-7 10 0M28 21q5-7 10 0", "M12 27h24q-2 13-12 13t-12-13z"],
  shock: ["M17 17v5M31 17v5M9 12q4-5 9-3M39 12q-4-5-9-3", "M24 27q6 0 6 8t-6 8-6-8 6-8z"],
  yawn: ["M12 20q4 4 9 0M27 20q5 4 9 0M11 12q4-4 9-1M37 12q-4-4-9-1", "M24 26q8 0 8 8t-8 8-8-8 8-8z"],
  sad: ["M16 18v4M32 18v4M10 14l8-4M38 14l-8-4", "M14 37q10-14 20 0"],
  wink: ["M16 17v5M27 20q5-4 10 0", "M12 28q12 15 24 0z"],
};

// kept are the people whom somebody of this browser has muted, as {id, name, by}, the latest first.
function kept() {
  try {
    return JSON.parse(recallOne("localStorage", "muted") || "[]");
  } catch {
    return [];
  }
}

// self says who mutes: a browser may have several people.
const self = () => me.secret.slice(0, 8);

// muted are the people who aren't to be heard.
export const muted = () => kept().filter((p) => p.by === self());

// idOf is by what somebody is known who sits at a table, or has said something there.
export const idOf = ({ who, name }) => who || name;

export const isMuted = (id) => muted().some((p) => p.id === id);

// mute has somebody be heard no more, or again.
export function mute(id, name, on) {
  const others = kept().filter((p) => p.id !== id || p.by !== self());
  stash("localStorage", "muted", JSON.stringify(on ? [{ id, name, by: self() }, ...others].slice(0, most) : others));
  document.dispatchEvent(new Event("muted"));
}

// muteButton mutes somebody, or has them be heard again.
export function muteButton(words, { id, name }) {
  let on;
  const b = button("mute", "", () => mute(id, name, on));
  b.tell = (words) => {
    on = !isMuted(id);
    write(b, say(on ? words.mute : words.unmute, { name }));
  };
  b.tell(words);
  return b;
}

// sign is a sign to be seen: a face, or words.
export function sign(code, words) {
  if (!faces[code]) return make("span", "", words.signs[code]);
  const [eyes, mouth] = faces[code];
  const face = svg("svg", { viewBox: "0 0 48 48", class: "gesture", role: "img", "aria-label": words.signs[code] });
  face.append(svg("circle", { cx: 24, cy: 24, r: 21 }), svg("path", { d: eyes }), svg("path", { d: mouth, class: "mouth" }));
  return face;
}

// offer fills an element with buttons that say something by a token's beginning; with none where there is no token.
export function offer(at, token, words, press) {
  keyed(at, token ? Object.keys(words.signs) : [], (code) => code + words.signs[code], (code) => {
    const b = button("sign", "", () => press(b.token + code));
    b.append(sign(code, words));
    if (faces[code]) b.title = b.ariaLabel = words.signs[code];
    return b;
  }, (b) => Object.assign(b, { token }));
}

// Signs are those of a table: what opens them, and what is said at the seats.
export class Signs {
  constructor(table, foot) {
    Object.assign(this, { table, said: new Map() });
    this.panel = Object.assign(make("div", "says"), { popover: "auto" });
    this.codes = this.panel.appendChild(make("div", "signs"));
    this.people = this.panel.appendChild(make("div", "signs"));
    this.opens = Object.assign(button("act"), { popoverTargetElement: this.panel });
    const lay = () => {
      const { left, right } = table.el.getBoundingClientRect();
      Object.assign(this.panel.style, { left: left + "px", right: innerWidth - right + "px" });
    };
    this.panel.addEventListener("beforetoggle", lay);
    if (!this.panel.hidePopover) { // A browser of before 2024.
      this.panel.hidden = true;
      this.opens.onclick = () => {
        this.panel.hidden = !this.panel.hidden;
        lay();
      };
    }
    foot.prepend(this.opens);
    table.el.append(this.panel);
    document.addEventListener("muted", () => table.scene && table.draw(table.scene));
  }

  get open() {
    return this.panel.hidePopover ? this.panel.matches(":popover-open") : !this.panel.hidden;
  }

  close() {
    if (this.panel.hidePopover) this.panel.hidePopover();
    else this.panel.hidden = true;
  }

  // draw offers what the viewer may say, and the others to be muted.
  draw(scene) {
    const { all } = this.table;
    const others = scene.solo ? [] : scene.seats.filter((s) => !s.you && !s.computer);
    this.opens.hidden = !others.length;
    this.opens.classList.toggle("last", !scene.says);
    if (!others.length && this.open) this.close();
    const label = scene.says ? all.saying : all.muting;
    if (others.length && this.opens.ariaLabel !== label) {
      this.opens.title = this.opens.ariaLabel = label;
      this.opens.replaceChildren(scene.says ? sign("wink", all) : label);
    }
    offer(this.codes, scene.says, all, (token) => {
      this.close();
      this.table.does.press(token);
    });
    const people = others.map((s) => ({ id: idOf(s), name: s.name }));
    keyed(this.people, people, (p) => p.id + p.name, (p) => muteButton(all, p), (b) => b.tell(all));
  }

  // hear shows what somebody says at their seat, and answers whether it is to be heard.
  hear({ seat, code, ...by }) {
    const { table } = this;
    const words = table.all;
    if (isMuted(idOf(by)) || !words?.signs[code] || !table.scene) return false;
    this.said.get(seat)?.remove();
    const bubble = make("div", "bubble");
    bubble.ariaHidden = "true";
    bubble.append(sign(code, words));
    table.el.append(bubble);
    this.said.set(seat, bubble);
    this.place();
    setTimeout(() => bubble.remove(), stays);
    if (!table.scene.seats[seat]?.you) table.speak(by.name + ": " + words.signs[code]);
    return true;
  }

  // place has what is said stand beside the sign of who says it, or beside their name on the panel.
  place() {
    const { el, stage, seats } = this.table;
    const base = el.getBoundingClientRect();
    for (const [seat, bubble] of this.said) {
      if (!bubble.isConnected) continue;
      const row = stage.el.hidden || stage.el.classList.contains("folded") ? null : [...stage.list.children].find((li) => li.seat === seat);
      bubble.style.maxWidth = row ? row.clientWidth - 16 + "px" : "";
      const at = (row || seats.all?.[seat]?.face || this.table.title).getBoundingClientRect();
      const x = (row ? at.right - bubble.offsetWidth - 8 : at.right + 4) - base.left;
      bubble.style.left = Math.max(4, Math.min(x, base.width - bubble.offsetWidth - 4)) + "px";
      bubble.style.top = (at.top + at.bottom) / 2 - base.top + el.scrollTop - bubble.offsetHeight / 2 + "px";
    }
  }
}
