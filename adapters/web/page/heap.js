// A pile on the table: its cards as they lie, and nothing built anew that has not changed.

import { cardText, drawCard, rankOf } from "./cards.js";
import { make } from "./make.js";
import { fanned } from "./spots.js";

// codesOf are all cards of a pile, bottom first.
export function codesOf(pile) {
  return [...Array(pile.down || 0).fill("--"), ...(pile.cards ? pile.cards.split(" ") : [])];
}

// undone is the step between two positions that no move has led to: what lies on one pile came from one other.
export function undone(before, after) {
  const more = after.map((p, i) => codesOf(p).length - codesOf(before[i]).length);
  const to = more.findIndex((n) => n > 0);
  const from = more.indexOf(-more[to]);
  if (to < 0 || from < 0 || more.filter(Boolean).length > 2) return [];
  const cards = codesOf(after[to]).slice(-more[to]).join(" ");
  return [{ moved: [{ from, to, cards }], piles: { [from]: after[from], [to]: after[to] } }];
}

// Heap is one pile. As a button it can be pressed, else it is a picture.
export class Heap {
  constructor(button) {
    this.el = make(button ? "button" : "div", "heap");
    if (button) Object.assign(this.el, { type: "button", tabIndex: -1 });
    else this.el.setAttribute("role", "img");
    this.cards = [];
    this.mark = make("b", "count");
    this.el.append(this.mark);
  }

  // show lays the pile: where spot says, if it has a place, and with the letters of these ranks.
  show(pile, spot, ranks, label) {
    const all = codesOf(pile);
    const shown = spot.fan ? all : all.slice(-2);
    const lie = spot.fan ? fanned(spot, all.length) : [];
    this.first = all.length - shown.length;
    this.spot = spot;
    shown.forEach((code, i) => {
      const key = code + ranks;
      let card = this.cards[i];
      if (card?.key !== key) {
        const el = drawCard(code, ranks);
        if (card) card.el.replaceWith(el);
        else this.mark.before(el);
        card = this.cards[i] = { key, el };
      }
      const [x, y] = lie[i] || [0, 0];
      this.put(card, "--x", x);
      this.put(card, "--y", y);
    });
    for (const { el } of this.cards.splice(shown.length)) el.remove();
    const place = [spot.x, spot.y, all.length, pile.cards ? 1 : 0].join();
    if (place !== this.place) {
      this.place = place;
      this.el.classList.toggle("fans", spot.fan === "r" || spot.fan === "a" || spot.fan === "b");
      this.el.classList.toggle("none", !all.length);
      this.el.classList.toggle("cell", pile.role === "cell");
      this.el.classList.toggle("drawn", pile.role === "turned");
      this.el.classList.toggle("base", pile.role === "foundation");
      this.el.classList.toggle("faced", Boolean(pile.cards));
      if (spot.x !== undefined) {
        this.el.style.setProperty("--px", spot.x);
        this.el.style.setProperty("--py", spot.y);
      } else if (spot.fan) this.el.style.setProperty("--wide", Math.min(spot.room, 1 + 0.5 * Math.max(0, all.length - 1)));
    }
    const takes = !all.length && pile.next ? pile.next.split(" ") : [];
    const next = takes.length === 1 ? [cardText(takes[0], ranks)] : [...new Set(takes.map((c) => rankOf(c, ranks)))];
    const mark = (pile.down > 3 || (pile.down && !pile.cards)) && !spot.fan ? String(pile.down) : next.length === 1 ? next[0] : "";
    if (this.mark.textContent !== mark) this.mark.textContent = mark;
    if (this.label !== label) this.el.ariaLabel = this.label = label;
  }

  put(card, name, n) {
    if (card[name] !== n) card.el.style.setProperty(name, (card[name] = n));
  }

  // card is the element of the card at an index, of the one above it that can be seen, or of the place for the first.
  card(index) {
    return (this.cards[Math.max(0, index - this.first)] || this.cards.at(-1) || this).el;
  }

  // above are the elements of the cards from an index on.
  above(index) {
    return this.cards.slice(Math.max(0, index - this.first)).map((c) => c.el);
  }

  // top is the element of the uppermost card, or of the place for the first one.
  top() {
    return (this.cards.at(-1) || this).el;
  }
}

// still says that nothing shall move.
export const still = () => document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;

// fly lets an element come to where it stands from another place on the screen. Turned over on its way it shows its back
// first.
export function fly(el, from, ms, turned, delay = 0) {
  const to = el.getBoundingClientRect();
  if (!to.width || !from.width) return null;
  const start = `translate(${from.left - to.left}px,${from.top - to.top}px) scale(${from.width / to.width})`;
  const way = turned
    ? [{ transform: start }, { transform: "scaleX(1)", offset: 0.35 }, { transform: "translateX(50%) scaleX(0.02)", offset: 0.75 }, { transform: "none" }]
    : [{ transform: start }, { transform: "none" }];
  if (turned) {
    el.classList.add("back");
    setTimeout(() => el.classList.remove("back"), ms * 0.75);
  }
  return el.animate(way, { duration: ms, delay, fill: "backwards", easing: turned ? "ease-in-out" : "cubic-bezier(.25,.1,.2,1)" });
}
