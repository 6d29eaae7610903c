// Moves made on a picture with a finger or a mouse. Nothing is judged here: each way from one box to another has the
// token that the room gave it.

import { make, pause } from "./make.js";

const far = 6; // how many pixels make a press a drag
const near = 14; // how many pixels beside a thing a finger may come down
const twice = 400; // how quickly the second of two taps must follow
const covered = 0.2; // how much of a place a card must cover to be laid there
const inAir = 170; // how long a card flies
const wait = 3000; // how long the next picture may take

// Touch is what lies over a picture: the sources, which can be taken or pressed; the goals of the one that is picked
// up; and the ghost, a card on its way.
export class Touch {
  constructor(picture, press) {
    Object.assign(this, { picture, press, sources: [], picked: null, held: null, sent: null, ghost: null });
    this.el = make("div", "touch");
    this.el.setAttribute("aria-hidden", "true");
    picture.append(this.el);
    for (const kind of ["down", "move", "up", "cancel"]) picture.addEventListener("pointer" + kind, (e) => this[kind](e));
  }

  // arm makes ready what can be done on the picture that img shows now.
  arm(view, img) {
    img.alt = view.alt;
    this.img = img;
    const key = JSON.stringify([view.name, view.moves]);
    if (key === this.key) return;
    this.settle();
    this.disarm();
    Object.assign(this, { view, key });
    const sources = new Map();
    for (const move of view.moves || []) {
      const at = String(move.from);
      if (!sources.has(at)) sources.set(at, { box: move.from, moves: [], el: make("i", move.to ? "source card-source" : "source") });
      sources.get(at).moves.push(move);
    }
    this.sources = [...sources.values()];
    this.el.append(...this.sources.map((s) => this.place(s.el, s.box)));
  }

  // disarm lets nothing be done, while the table has moved on and its picture is on its way.
  disarm() {
    this.unpick();
    for (const s of this.sources) s.el.remove();
    Object.assign(this, { key: "", held: null, sources: [] });
  }

  place(el, [x, y, w, h]) {
    const part = (n, all) => `${(100 * n) / all}%`;
    const { w: width, h: height } = this.view;
    Object.assign(el.style, { left: part(x, width), top: part(y, height), width: part(w, width), height: part(h, height) });
    return el;
  }

  // rect is where a box is on the screen.
  rect([x, y, w, h]) {
    const r = this.picture.getBoundingClientRect();
    const k = r.width / this.view.w;
    return new DOMRect(r.left + x * k, r.top + y * k, w * k, h * k);
  }

  goals() {
    return this.picked ? this.picked.moves.filter((move) => move.to) : [];
  }

  // at is what a finger came down on, or beside: a goal if it is no farther than any source.
  at({ clientX: x, clientY: y }) {
    const away = (box) => {
      const r = this.rect(box);
      return Math.hypot(Math.max(r.left - x, 0, x - r.right), Math.max(r.top - y, 0, y - r.bottom));
    };
    const things = [
      ...this.goals().map((goal) => ({ goal, away: away(goal.to) })),
      ...this.sources.map((source) => ({ source, away: away(source.box) })),
    ];
    const nearest = (list) => list.filter((t) => t.away <= near).sort((a, b) => a.away - b.away)[0];
    return { source: nearest(things.filter((t) => t.source))?.source, goal: nearest(things)?.goal };
  }

  down(e) {
    if (!e.isPrimary || e.button || this.sent || this.held) return;
    const { source, goal } = this.at(e);
    if (!source && !goal) {
      this.unpick();
      return;
    }
    this.picture.setPointerCapture(e.pointerId);
    this.held = { id: e.pointerId, x: e.clientX, y: e.clientY, source, goal };
  }

  move(e) {
    const { held } = this;
    if (held?.id !== e.pointerId || !held.source?.moves[0].to) return;
    const dx = e.clientX - held.x;
    const dy = e.clientY - held.y;
    if (!held.drags && Math.hypot(dx, dy) < far) return;
    if (!held.drags) {
      held.drags = true;
      this.pick(held.source);
      this.lift(held.source);
    }
    this.ghost.style.translate = `${dx}px ${dy}px`;
    const over = String(this.under()?.to);
    for (const el of this.el.querySelectorAll(".goal")) el.classList.toggle("over", el.box === over);
  }

  up(e) {
    const { held } = this;
    if (held?.id !== e.pointerId) return;
    this.held = null;
    const move = held.drags ? this.under() : held.goal;
    if (move) this.make(move);
    else if (held.drags) this.fallBack();
    else this.tap(held.source);
  }

  cancel(e) {
    if (this.held?.id !== e.pointerId) return;
    if (this.held.drags) this.fallBack();
    this.held = null;
  }

  // tap makes a mere press, or picks a card up, or puts it down again. A second tap at once sends the card where it
  // stays for good, or else to the only place it can go to.
  tap(source) {
    const [first] = source.moves;
    const again = this.picked === source;
    const best = source.moves.find((move) => move.home) || (source.moves.length === 1 && first);
    const quick = again && best && performance.now() - this.tapped < twice;
    this.tapped = performance.now();
    if (!first.to || quick) this.make(first.to ? best : first);
    else if (again) this.unpick();
    else this.pick(source);
  }

  // pick takes a card up: the places where it can go light up.
  pick(source) {
    this.unpick();
    this.picked = source;
    source.el.classList.add("picked");
    for (const box of new Map(this.goals().map(({ to }) => [String(to), to])).values()) {
      const el = this.place(make("i", "goal"), box);
      el.box = String(box);
      this.el.append(el);
    }
  }

  unpick() {
    this.picked?.el.classList.remove("picked");
    this.picked = null;
    for (const el of this.el.querySelectorAll(".goal")) el.remove();
  }

  // lift makes a copy of what can be seen of a card, to be moved about.
  lift(source) {
    this.ghost?.remove();
    const r = this.rect(source.box);
    const whole = this.rect([0, 0, this.view.w, this.view.h]);
    const set = (el, at) => Object.assign(el.style, Object.fromEntries(Object.entries(at).map(([name, n]) => [name, `${n}px`])));
    const copy = this.img.cloneNode();
    copy.alt = "";
    set(copy, { left: whole.left - r.left, top: whole.top - r.top, width: whole.width, height: whole.height });
    this.ghost = make("div", "ghost");
    set(this.ghost, { left: r.left, top: r.top, width: r.width, height: r.height });
    Object.assign(this.ghost, { from: r });
    this.ghost.append(copy);
    this.el.append(this.ghost);
    source.el.classList.add("lifted");
  }

  // under is the move to the place that the lifted card covers most; none, if it covers too little of any.
  under() {
    const g = this.ghost.getBoundingClientRect();
    const share = ({ to }) => {
      const r = this.rect(to);
      const w = Math.min(g.right, r.right) - Math.max(g.left, r.left);
      const h = Math.min(g.bottom, r.bottom) - Math.max(g.top, r.top);
      return (Math.max(w, 0) * Math.max(h, 0)) / (Math.min(g.width, r.width) * Math.min(g.height, r.height));
    };
    const [best] = this.goals().sort((a, b) => share(b) - share(a));
    return best && share(best) >= covered ? best : null;
  }

  // make makes a move. The card flies where it is to go, stays there until the next picture comes, and comes back if
  // the move isn't taken. Nothing else is done meanwhile.
  async make(move) {
    const source = this.sources.find((s) => s.moves.includes(move));
    if (move.to) {
      if (!this.ghost) this.lift(source);
      this.fly(this.rect(move.to));
    }
    this.unpick();
    this.sent = move;
    const taken = await this.press(move.token);
    if (this.sent !== move) return;
    if (taken) await pause(wait);
    else this.fallBack();
    if (this.sent === move && taken) this.settle();
  }

  fly(to) {
    const { ghost } = this;
    ghost.classList.add("flying");
    ghost.getBoundingClientRect(); // The flight begins here, not where it ends.
    ghost.style.translate = `${to.left - ghost.from.left}px ${to.top - ghost.from.top}px`;
  }

  // fallBack lets a lifted card go back to where it was.
  async fallBack() {
    this.unpick();
    this.sent = null;
    const { ghost } = this;
    if (!ghost) return;
    this.fly(ghost.from);
    await pause(inAir);
    if (ghost === this.ghost) this.settle();
  }

  // settle ends the way of a card.
  settle() {
    this.ghost?.remove();
    Object.assign(this, { ghost: null, sent: null });
    for (const s of this.sources) s.el.classList.remove("lifted");
  }
}
