// Moves made on the cards with a finger, a mouse or the keyboard. Nothing is judged here: each way from one pile to another
// is an act of the scene.

import { fly, still } from "./heap.js";
import { pause } from "./make.js";

const dragged = 12; // how many pixels make a press a drag
const beside = 14; // how many pixels beside a thing a finger may come down
const double = 400; // how quickly the second of two taps must follow
const echo = 300; // how long after a press its click may come
const patience = 3000; // how long the next scene may take

// Mover knows which cards can be taken and where they go. table has heaps, by the index of their piles, and act(act), which
// makes a move and answers whether it was taken.
export class Mover {
  constructor(field, table) {
    Object.assign(this, { field, table, sources: [], picked: null, held: null, sent: null, lifted: [], from: -1, released: -Infinity });
    for (const kind of ["down", "move", "up", "cancel"]) field.addEventListener("pointer" + kind, (e) => this[kind](e));
    // What clicks without a press is a key, or a screen reader; in Firefox that one's click looks like the mouse's.
    field.addEventListener("click", (e) => (e.detail === 0 || e.timeStamp - this.released > echo) && this.enter(this.heapAt(e.target)));
    field.addEventListener("keydown", (e) => this.key(e));
    field.addEventListener("dragstart", (e) => e.preventDefault()); // What is selected would be dragged as text.
  }

  // arm makes ready what can be done: of each card that can be taken, and at the stock.
  arm(acts, piles) {
    this.unpick();
    const sources = new Map();
    for (const act of acts) {
      const deals = act.kind === "deal";
      if ((!deals && act.kind !== "move") || act.later) continue;
      const from = deals ? piles.findIndex((p) => p.role === "stock") : act.from || 0;
      const heap = this.table.heaps[from];
      if (!heap) continue;
      const key = heap.spot.fan ? from + "@" + (act.at || 0) : from;
      const source = sources.get(key) || { from, heap, at: 0, deals, acts: [] };
      source.acts = [...source.acts.filter((a) => a.to !== act.to), act];
      source.at = Math.max(source.at, act.at || 0);
      sources.set(key, source);
    }
    this.sources = [...sources.values()];
    for (const heap of this.table.heaps) {
      const mine = this.sources.find((s) => s.heap === heap);
      heap.el.classList.toggle("can", Boolean(mine));
      heap.el.classList.toggle("deal", Boolean(mine?.deals));
    }
  }

  heapAt(target) {
    return this.table.heaps.findIndex((h) => h.el === target.closest?.(".heap"));
  }

  // goals are the acts by which the card that is picked up can be laid down.
  goals() {
    return this.picked?.acts || [];
  }

  goal(act) {
    return this.table.heaps[act.to || 0];
  }

  // at is what a finger came down on, or beside.
  at(e) {
    const away = (el) => {
      const r = el.getBoundingClientRect();
      return Math.hypot(Math.max(r.left - e.clientX, 0, e.clientX - r.right), Math.max(r.top - e.clientY, 0, e.clientY - r.bottom));
    };
    const on = e.target.closest?.(".heap");
    const near = (list) => list.filter((t) => t.away <= beside).sort((a, b) => a.away - b.away)[0];
    const card = e.target.closest?.(".card");
    const goal = near(this.goals().map((act) => {
      const heap = this.goal(act);
      return { act, away: heap.el === on ? (card === heap.top() ? -3 : -1) : away(heap.top()) };
    }));
    const source = near(this.sources.map((s) => {
      const el = s.heap.card(s.at);
      return { s, away: el === card ? -2 : s.heap.el === on ? -0.5 : away(el) };
    }));
    return { goal: goal && !(source?.away < goal.away) && goal.act, source: source?.s };
  }

  down(e) {
    if (!e.isPrimary || e.button || this.sent) return;
    if (this.held?.type === e.pointerType) this.fallBack(); // Only one is the first: the browser hasn't told that it is lifted.
    if (this.held) return;
    this.table.finish();
    const { source, goal } = this.at(e);
    if (!source && !goal) {
      this.unpick();
      return;
    }
    this.field.setPointerCapture(e.pointerId);
    this.held = { id: e.pointerId, type: e.pointerType, x: e.clientX, y: e.clientY, source, goal };
  }

  move(e) {
    const { held } = this;
    if (held?.id !== e.pointerId || !held.source || held.source.deals) return;
    const dx = e.clientX - held.x;
    const dy = e.clientY - held.y;
    if (!held.drags && Math.hypot(dx, dy) < dragged) return;
    if (!held.drags) {
      held.drags = true;
      this.pick(held.source);
      this.lifted = held.source.heap.above(held.source.at);
      held.source.heap.el.classList.add("aloft");
    }
    for (const el of this.lifted) el.style.transform = `translate(${dx}px,${dy}px)`;
    const over = this.under();
    for (const a of this.goals()) this.goal(a).el.classList.toggle("over", a === over);
  }

  up(e) {
    const { held } = this;
    this.released = e.timeStamp;
    if (held?.id !== e.pointerId) return;
    this.held = null;
    const goal = held.drags ? this.under() : held.goal;
    if (goal) this.make(goal);
    else if (held.drags) this.fallBack();
    else this.tap(held.source);
  }

  cancel(e) {
    if (this.held?.id === e.pointerId) this.fallBack();
  }

  // tap picks a card up, or puts it down again. A second tap at once sends it where it stays for good, or else to the only
  // place it can go to.
  tap(source) {
    const again = this.picked === source;
    const home = source.acts.find((a) => a.home);
    const best = home || (source.acts.length === 1 && source.acts[0]);
    const quick = (home && this.table.does.setting("tap")) || (again && best && performance.now() - this.tapped < double);
    this.tapped = performance.now();
    if (source.deals || quick) this.make(best);
    else if (again) this.unpick();
    else this.pick(source);
  }

  // pick takes a card up: the places where it can go light up.
  pick(source) {
    this.unpick();
    this.picked = source;
    for (const el of source.heap.above(source.at)) el.classList.add("picked");
    for (const a of source.acts) this.goal(a).el.classList.add("goal");
    this.table.picked(source);
  }

  unpick() {
    for (const el of this.field.querySelectorAll(".picked, .goal")) el.classList.remove("picked", "goal", "over");
    this.picked = null;
  }

  // under is the act to the place that the lifted card covers most; none, if it covers too little of any.
  under() {
    const g = this.lifted[0].getBoundingClientRect();
    const share = (act) => {
      const r = this.goal(act).top().getBoundingClientRect();
      const place = this.goal(act).el.getBoundingClientRect();
      const w = Math.min(g.right, r.right) - Math.max(g.left, r.left);
      const h = Math.min(g.bottom, r.bottom) - Math.max(g.top, Math.min(r.top, place.top));
      return (Math.max(w, 0) * Math.max(h, 0)) / (g.width * g.height);
    };
    const [best] = [...this.goals()].sort((a, b) => share(b) - share(a));
    return best && share(best) >= 0.2 ? best : null;
  }

  // make makes a move. A card that was dragged stays where it was laid until the next scene comes, and goes back if the move
  // isn't taken. Nothing else is done meanwhile.
  async make(act) {
    this.unpick();
    this.sent = act;
    const taken = await this.table.act(act);
    if (taken && this.sent === act) await pause(patience);
    if (this.sent === act) this.fallBack();
  }

  fallBack() {
    this.held = null;
    this.unpick();
    const { lifted } = this;
    const rects = this.settle();
    if (!still()) lifted.forEach((el, i) => fly(el, rects[i], 170));
  }

  // settle ends the way of lifted cards, and says where they were. Whatever dragged them has let go.
  settle() {
    if (this.held?.drags) this.held = null;
    const rects = this.lifted.map((el) => el.getBoundingClientRect());
    for (const el of this.lifted) el.style.transform = "";
    this.field.querySelector(".aloft")?.classList.remove("aloft");
    Object.assign(this, { lifted: [], sent: null });
    return rects;
  }

  // enter is what a key does at a pile: it lays down, or takes up one card after the other.
  enter(i) {
    if (i < 0 || this.sent) return;
    this.table.finish();
    const goal = this.goals().find((a) => (a.to || 0) === i);
    const mine = this.sources.filter((s) => s.from === i);
    const next = mine[mine.indexOf(this.picked) + 1];
    if (goal || next?.deals) this.make(goal || next.acts[0]);
    else if (next) this.pick(next);
    else this.unpick();
  }

  // key has the arrows lead from pile to pile.
  key(e) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key] || [];
    if (e.altKey || e.ctrlKey || e.metaKey) return; // Back and Forward are the browser's.
    if (dx !== undefined) this.go(dx, dy);
    else if (e.key === "Escape" && this.picked) this.unpick();
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  // go moves the focus to the nearest pile in a direction.
  go(dx, dy) {
    const middle = ({ el }) => {
      const r = el.getBoundingClientRect();
      return { x: r.left + r.width / 2, y: r.top + r.height / 2 };
    };
    const { heaps } = this.table;
    const at = heaps[Math.max(0, this.heapAt(document.activeElement))];
    const from = middle(at);
    const way = (heap) => {
      const to = middle(heap);
      const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
      return along > 2 ? along + 3 * Math.abs((to.x - from.x) * dy + (to.y - from.y) * dx) : Infinity;
    };
    const [best] = [...heaps].sort((a, b) => way(a) - way(b));
    if (way(best) === Infinity) return;
    at.el.tabIndex = -1;
    best.el.tabIndex = 0;
    best.el.focus();
  }
}
