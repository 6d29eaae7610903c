// The drawn table: a scene, as one viewer sees it, and what the viewer may do with it.

import { cardText } from "./cards.js";
import { Heap, codesOf, fly, still, undone } from "./heap.js";
import { make, pause } from "./make.js";
import { cascade, pay, shake, shine, yawn } from "./motion.js";
import { Mover } from "./mover.js";
import { Question, actButton, begun, clockText, dress, keyed, sentences, write } from "./parts.js";
import { Seats } from "./seats.js";
import { Signs } from "./signs.js";
import { play } from "./sound.js";
import { arrange } from "./spots.js";
import { Stage } from "./stage.js";
import { swipe } from "./swipe.js";
import { say } from "./words.js";

const flies = 300; // how long a card flies
const flips = 420; // how long one flies that is turned over on its way
const drama = 1300; // how long it takes to turn the card that decides
const glance = 700; // how long a card that a computer has flipped is to be seen
const backlog = 8; // more moves than so many are not shown one by one
const long = 3600_000; // time that nobody counts
const keys = { undo: "U", redo: "R Y", hint: "H", home: "A", deal: "D" }; // what is pressed for what in a patience
const stands = 4000; // how long it is shown on the cards what was overlooked, or is advised, and what was refused stands

// Table draws scenes into root, which has a size of its own. does: press(token, text) answers whether it was taken, log() are
// all moves in words, setting(name), toast(text), go(table), feel(what), person(id), which shows somebody's card, portray(el, seat), which adds to somebody's sign, and look(line), where a page has that, which looks something up.
export class Table {
  constructor(root, does) {
    Object.assign(this, { root, does, heaps: [], queue: [], seen: 0, scene: null, next: null, ready: 0, refused: -Infinity });
    this.el = Object.assign(make("section", "tbl"), { tabIndex: -1 });
    const add = (tag, name, at = this.el) => at.appendChild(make(tag, name));
    const head = add("header", "top");
    this.title = add("h2", "", head);
    this.rules = add("small", "", head);
    this.turn = add("div", "turning");
    this.whose = add("b", "", this.turn);
    this.task = add("span", "", this.turn);
    this.clock = add("time", "", this.turn);
    this.field = add("div", "field");
    this.side = add("div", "desk");
    this.tip = add("p", "tip", this.side);
    this.news = add("p", "tale", this.side);
    this.bets = add("div", "bets", this.side);
    this.bar = add("div", "bar main", this.side);
    const foot = add("div", "foot", this.side);
    this.log = Object.assign(add("button", "act", foot), { type: "button", onclick: () => this.fold(this.lines.hidden) });
    this.quiet = add("div", "foot", foot);
    this.lines = Object.assign(add("ol", "log", this.side), { hidden: true, tabIndex: 0 });
    this.spoken = add("p", "unseen");
    this.spoken.ariaLive = "polite";
    this.signs = new Signs(this, foot);
    this.asks = new Question(this.el);
    this.mover = new Mover(this.field, this);
    swipe(this.field, () => this.scene?.solo && !this.mover.held, (name) => this.press(name));
    this.seats = new Seats(this);
    this.stage = new Stage(this);
    this.el.addEventListener("keydown", (e) => this.key(e));
    this.el.addEventListener("pointerdown", () => this.sound(), { once: true });
    root.append(this.el);
    const watch = new ResizeObserver(() => {
      this.size = null;
      if (this.scene) this.fit();
      this.signs.place();
    });
    for (const el of [this.el, this.side]) watch.observe(el);
    setInterval(() => this.tick(), 1000);
  }

  // show brings the table to a scene. What has happened since the one before is seen happening, if there is time. An older one counts only on
  // a connection that is new.
  show(given, words, anew) {
    const scene = JSON.parse(sentences(JSON.stringify(given), words.table));
    for (const [i, seat] of scene.seats.entries()) if (!seat.computer) seat.name = given.seats[i].name; // Another may be called so but for a picture.
    const older = scene.version < this.next?.version;
    const same = this.next?.table === scene.table && !(older && anew);
    if (same && older) return;
    if (!same) {
      this.stop();
      Object.assign(this, { seen: 0, pointed: 0, logged: false });
      this.fold(false);
    }
    const before = same && this.next;
    Object.assign(this, { next: scene, words: words.table, all: words, came: performance.now() });
    if (this.el.lang !== scene.lang) this.el.lang = scene.lang; // Said again it would have every card styled anew.
    const steps = (scene.steps || []).filter((s) => s.n > this.seen);
    const known = this.seen > 0 || same;
    this.seen = Math.max(this.seen, ...steps.map((s) => s.n));
    this.decided = decided(scene, steps, before, this.decided);
    const alone = scene.solo && !steps.length; // As after a move that was taken back.
    const back = alone && before?.piles?.length === (scene.piles || []).length && undone(before.piles, scene.piles);
    this.queue.push(...(known ? back || steps : []));
    this.tell(known ? steps : []);
    if (alone && scene.version > before.version) {
      this.logged = false;
      this.fold(!this.lines.hidden);
    }
    const fits = this.scene && this.heaps.length === (scene.piles || []).length;
    if (!fits || still() || this.queue.length > backlog) this.finish();
    else if (!this.playing) this.play();
  }

  // play shows the moves that wait one after the other, and then how the table stands.
  async play() {
    const run = (this.playing = {});
    while (this.queue.length) {
      const wait = this.ready - performance.now();
      if (wait > 0) await pause(wait);
      if (this.playing !== run) return;
      await this.step(this.queue.shift());
      if (this.playing !== run) return;
    }
    this.finish();
  }

  stop() {
    this.playing = null;
    this.queue = [];
    for (const a of this.field.getAnimations({ subtree: true })) if (!(a instanceof CSSAnimation)) a.finish();
  }

  // finish ends what is still moving: the table stands as the newest scene has it.
  finish() {
    if (!this.next || (!this.playing && !this.queue.length && this.scene === this.next)) return;
    this.stop();
    this.draw(this.next);
  }

  // step shows one move.
  async step(step) {
    const { from } = this.mover;
    const [laid] = this.mover.settle();
    this.mover.from = -1;
    const rect = (el) => el.getBoundingClientRect();
    const flights = (step.moved || []).map((m) => {
      const heap = this.heaps[m.from || 0];
      const n = m.cards.split(" ").length;
      const tops = heap.cards.slice(-n).map((c) => rect(c.el));
      return { from: m.from || 0, to: m.to || 0, n, at: (i) => ((m.from || 0) === from && laid) || tops[i + tops.length - n] || rect(heap.top()) };
    });
    for (const [i, pile] of Object.entries(step.piles || {})) this.lay(Number(i), pile);
    this.point(step);
    const turned = step.computer && this.piles.some((p, i) => p.role === "turned" && p.cards && step.piles?.[i]);
    const decides = (f) => this.next.banked && f.n === 1 && this.piles[f.from].role === "stock";
    const turns = (f) => f.n === 1 && this.piles[f.from].role === "stock" && this.heaps[f.to].cards.at(-1)?.el.dataset.card;
    const slow = flights.some(decides) ? drama : 0;
    const flip = flights.some(turns);
    if (flights.length) this.sound(flip ? "flip" : "lay");
    if (flip && step.seat === this.next.seat) this.does.feel?.("flip");
    if (step.do === "yawn" || step.could?.length) this.yawns(step.seat);
    const waits = [];
    const come = {};
    for (const f of flights.reverse()) {
      const heap = this.heaps[f.to];
      heap.el.classList.add("busy");
      come[f.to] = (come[f.to] || 0) + f.n;
      heap.cards.slice(-come[f.to]).slice(0, f.n).forEach(({ el }, i) => {
        const flown = decides(f) ? fly(el, f.at(i), drama, true) : turns(f) ? fly(el, f.at(i), flips, true) : fly(el, f.at(i), flies, false, slow);
        if (flown) waits.push(flown.finished.catch(() => {}));
      });
    }
    if (turned) this.ready = performance.now() + flies + glance;
    if (!slow) this.tale(step.said || []);
    this.news.hidden = false;
    // A page that nobody looks at gets no frames, and nothing that flies there arrives: it goes on all the same.
    await Promise.race([Promise.all(waits), pause(2 * (slow + flies))]);
    for (const el of this.field.querySelectorAll(".busy")) el.classList.remove("busy");
    if (step.could?.length) await pause(flies);
  }

  // point shows on the cards what was overlooked.
  point(step) {
    for (const el of this.field.querySelectorAll(".missed")) el.classList.remove("missed");
    if (!step.could?.length) return;
    const marked = [];
    for (const c of step.could) {
      this.heaps.forEach((heap, i) => {
        const centre = c.seat < 0 && this.next.piles[i]?.role === "foundation";
        if (centre || [c.card, c.on].includes(heap.top().dataset.card)) marked.push(heap.top());
      });
    }
    this.light(marked, "missed");
  }

  // yawns has somebody yawn who sits in a seat.
  yawns(seat) {
    const el = this.seats.all?.[seat]?.face;
    if (el) yawn(this.el, el);
    this.sound("yawn");
  }

  // pays has the chips go where a hand has brought them.
  pays(before, scene) {
    scene.seats.forEach((seat, s) => {
      const won = (seat.net || 0) - (before.seats[s]?.net || 0);
      const { el, face } = this.seats.all[s] || {};
      if (!won || seat.banker || !el) return;
      const n = Math.min(8, 2 + Math.floor(Math.log2(Math.abs(won))));
      if (won > 0) pay(this.el, this.seats.bank, face, n);
      else pay(this.el, face, this.seats.bank, n);
      shine(el, won > 0);
      this.sound("chips");
    });
  }

  // refuse tells what was refused where it was done: the card shakes.
  refuse(text) {
    const { scene, last } = this;
    if (scene?.phase !== "playing") return false;
    const turned = this.piles.findIndex((p) => p.role === "turned" && p.cards);
    const heap = this.heaps[last?.kind === "move" ? last.from || 0 : turned];
    shake(this.mover.lifted[0] || heap?.top() || this.bar);
    this.sound("no");
    this.refused = performance.now();
    write(this.news, text);
    this.news.classList.add("no");
    this.speak(text);
    return true;
  }

  // speak tells what is to be heard, also once more.
  speak(text) {
    this.spoken.textContent = text + (this.spoken.textContent === text ? "\xa0" : "");
  }

  // tale says what has happened, unless something was refused a moment ago.
  tale(lines) {
    if (performance.now() - this.refused < stands) return;
    this.news.classList.remove("no");
    write(this.news, lines.join("\n"));
  }

  sound(kind) {
    if (this.does.setting("sound") && !document.hidden) play(kind);
  }

  // light has cards stand out for a while.
  light(marked, name) {
    for (const el of marked) el.classList.add(name);
    setTimeout(() => marked.forEach((el) => el.classList.remove(name)), stands);
  }

  // tell announces moves once, and adds them to the log.
  tell(steps) {
    const { next } = this;
    const lines = steps.flatMap((s) => s.said || []);
    const turn = next.yours && !this.was && !next.solo ? [this.words.yours, next.task || ""] : [];
    if (turn.length && this.was !== undefined && this.does.setting("sound")) play("turn");
    this.was = Boolean(next.yours);
    if (lines.length || turn.length) this.speak([...lines, ...turn].join(" "));
    if (this.logged) {
      for (const line of lines) this.lines.append(make("li", "", line));
      this.lines.scrollTop = this.lines.scrollHeight;
    }
  }

  // fold shows the log, or puts it away.
  async fold(open) {
    this.lines.hidden = !open;
    this.log.ariaExpanded = open;
    if (!open || this.logged) return;
    const all = await this.does.log();
    this.lines.replaceChildren(...all.map((line) => make("li", "", sentences(line, this.words))));
    this.lines.scrollTop = this.lines.scrollHeight;
    this.logged = true;
  }

  // draw brings everything to where the scene has it.
  draw(scene) {
    const before = this.scene;
    const focused = this.el.contains(document.activeElement);
    this.mover.settle();
    this.mover.from = -1;
    this.scene = scene;
    this.piles = (scene.piles || []).map((p) => (p.role === "turned" && !p.cards && scene.banked ? { ...p, cards: this.decided.card } : p));
    const { words } = this;
    const steps = scene.steps || [];
    Object.assign(this.el.dataset, { phase: scene.phase, cloth: scene.cloth || "green" });
    this.el.classList.toggle("four", Boolean(scene.four));
    this.el.classList.toggle("solo", Boolean(scene.solo));
    this.el.classList.toggle("yours", Boolean(scene.yours && !scene.solo));
    write(this.title, scene.title);
    write(this.rules, [scene.rules, scene.solitaire?.deal && say(words.deal, { n: scene.solitaire.deal }), progress(scene, words)].filter(Boolean).join(" · "));
    write(this.log, words.log);
    this.el.ariaLabel = scene.title;
    const shape = [scene.table, scene.phase === "lobby", scene.seat, scene.seats.length, this.piles.length].join();
    if (shape !== this.shape || !before) {
      this.shape = shape;
      this.heaps = this.piles.map((p) => new Heap(scene.solo));
      this.seats.build(scene, this.heaps);
    }
    this.offers = (scene.acts || []).map((a) => (this.sensible(a) ? a : { ...a, later: true }));
    this.turning();
    this.acts();
    this.stage.draw(scene);
    if (!scene.solo) this.seats.draw(scene);
    this.signs.draw(scene);
    if (scene.banked && before?.table === scene.table && before.seats.length === scene.seats.length) this.pays(before, scene);
    this.tip.hidden = !scene.lesson || scene.phase !== "playing" || !scene.about;
    write(this.tip, this.tip.hidden ? "" : scene.about);
    if (scene.table !== before?.table) this.refused = -Infinity;
    this.tale([...(scene.last || []).slice(this.bets.hidden ? -3 : -1), scene.note || ""].filter(Boolean));
    this.news.hidden = false;
    this.tick();
    this.fit();
    this.news.scrollTop = this.news.scrollHeight; // After fit: the browser lays the page out once for both.
    this.signs.place();
    this.number();
    if (scene.solo) {
      this.mover.arm(scene.acts || [], this.piles);
      if (!this.heaps.some((h) => h.el.tabIndex === 0) && this.heaps[0]) this.heaps[0].el.tabIndex = 0;
    }
    const last = steps.at(-1);
    if (last && last.n > this.pointed) {
      this.pointed = last.n;
      this.point(last);
    }
    if (before?.table === scene.table && before.phase === "playing" && scene.result?.solved && !still()) this.cheer();
    if (scene.phase === "ended" && this.then === scene.table) {
      this.then = "";
      this.press("again");
    }
    if (scene.solitaire?.finishes && scene.version !== this.finishing && this.does.setting("auto")) {
      this.finishing = scene.version;
      this.press("home");
    }
    const at = document.activeElement; // What is only hidden keeps the focus until the next frame.
    if (focused && !(this.el.contains(at) && at.getClientRects().length)) (this.bar.querySelector(".act:not([aria-disabled=true])") || this.el).focus({ preventScroll: true });
  }

  // cheer throws up what has come out, before it is said how it went.
  cheer() {
    const all = this.piles.map((pile, i) => ({ pile, heap: this.heaps[i].el, cards: codesOf(pile).filter((c) => c !== "--") })).filter((p) => p.cards.length);
    const built = all.filter((p) => p.pile.role === "foundation");
    cascade(this.el, built.length ? built : all, this.scene.ranks || "");
    this.sound("win");
    this.stage.el.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 300, delay: 2600, fill: "backwards" });
  }

  // fit gives everything the size that there is room for. What is pressed stands below the cards, but beside them on a low screen and
  // where they are larger so.
  fit() {
    const { scene } = this;
    this.size ??= { wide: this.el.clientWidth, high: this.el.clientHeight };
    const { wide, high } = this.size;
    const lies = wide > 1.25 * high;
    const window = [scene?.table, wide, high].join();
    if (this.room?.window !== window) this.room = { window, height: Infinity, beside: lies && high < 520 };
    const { room } = this;
    const laid = scene && this.heaps.length;
    this.el.classList.toggle("flat", room.beside && (laid || high < 520));
    if (scene && this.slim !== this.narrow()) this.acts();
    if (!laid) return;
    const before = room.height;
    const card = this.cards(room.beside);
    if (lies && !room.beside && room.height < before) {
      room.beside = this.cards(true) > card;
      if (!room.beside) this.cards(false);
    }
    for (const [i, pile] of this.piles.entries()) this.lay(i, pile);
  }

  // cards gives cards the size that there is room for, with what is pressed beside or below them, and says how large they are.
  cards(beside) {
    const { scene, field, room } = this;
    const { high } = this.size;
    this.el.classList.toggle("flat", beside);
    // Cards don't change their size with what stands below them at the moment.
    if (!beside) room.height = Math.min(room.height, high - field.offsetTop - Math.ceil(this.side.getBoundingClientRect().height));
    const height = beside ? high : room.height;
    if (!scene.solo) {
      field.style.removeProperty("--cw");
      return this.seats.fit(field.clientWidth, height, beside && high < 520);
    }
    const size = this.does.setting("size");
    const plan = arrange(scene.game, this.piles, field.clientWidth - 7, height - 8, size, this.does.setting("left"));
    field.style.setProperty("--cw", Math.floor(plan.card * 100) / 100 + "px");
    field.style.setProperty("--high", plan.high);
    this.spots = plan.spots;
    this.el.classList.toggle("tall", size === "large" && plan.high * plan.card > height);
    return plan.card;
  }

  // narrow says that a button has no room for many words.
  narrow() {
    return this.size?.wide < 520 || (this.size?.high < 520 && this.el.classList.contains("flat"));
  }

  // lay shows a pile as it lies now.
  lay(i, pile) {
    const { scene } = this;
    this.piles[i] = pile;
    const spot = scene.solo ? this.spots?.[pile.name] || {} : this.seats.spot(pile);
    const heap = this.heaps[i];
    // Of several empty foundations that begin alike the bot names the first one's card.
    const next = pile.next || (pile.role === "foundation" && !pile.cards && this.piles.find((p) => p.kind === pile.kind && p.next && !p.cards)?.next);
    const state = [pile.down, pile.cards, next, pile.called, scene.ranks, scene.lang, ...Object.values(spot)].join();
    if (heap.state === state) return;
    heap.state = state;
    heap.show({ ...pile, next }, spot, scene.ranks || "", this.describe({ ...pile, next }, spot.fan));
  }

  // spell is a card in words to be spoken.
  spell(code) {
    const { words, scene } = this;
    return say(words.card, { rank: words.ranks[code[0]] || cardText(code, scene.ranks).slice(0, -1), suit: words.suits[code[1]] });
  }

  // describe is a pile in words: what it is called, what lies there, what it takes next. The cards of a long fan, which can all be seen, come last.
  describe(pile, fan) {
    const { words, scene } = this;
    const all = codesOf(pile);
    const faces = all.filter((c) => c !== "--");
    const whole = scene.solo || pile.role === "hand";
    const lies = faces.length ? (whole && faces.length < 6 ? faces : faces.slice(-1)).map((c) => this.spell(c)).join(", ") : all.length ? words.backs : words.none;
    const name = pile.called || words.piles[pile.role] || pile.name;
    const takes = pile.next ? say(words.takes, { cards: pile.next.split(" ").map((c) => this.spell(c)).join(", ") }) : "";
    const down = all.length - faces.length;
    const rest = scene.solo && fan && faces.length > 5 && faces.map((c) => this.spell(c)).join(", ");
    return [name + ": " + lies, all.length > 1 && say(words.count, { n: all.length }), faces.length && down && words.backs + ": " + down, takes, rest].filter(Boolean).join("; ");
  }

  // turning says whose turn it is.
  turning() {
    const { scene, words } = this;
    const who = scene.seats[scene.turn]?.name;
    const whose = scene.yours ? words.yours : scene.may ? words.may : "";
    const hidden = scene.solo || scene.phase === "lobby" || scene.phase === "ended" || (!whose && !who && scene.phase !== "cutting");
    this.turn.hidden = hidden;
    if (hidden) return;
    write(this.whose, scene.asleep ? words.asleep : whose);
    const cut = scene.yours ? words.cutNow : scene.may && who ? words.cutsToo : who ? words.cuts : words.cutDone;
    // Who reads it knows their own name.
    const task = scene.yours && who && scene.task?.startsWith(who + ", ") ? begun(scene.task.slice(who.length + 2)) : scene.task;
    const card = scene.yours && scene.acts?.some((a) => a.kind === "seat" && !a.later) && this.piles.find((p) => p.role === "turned" && p.cards)?.cards;
    const whither = card && say(words.whither, { card: cardText(card, scene.ranks) });
    write(this.task, scene.phase === "cutting" ? begun(say(cut, { who })) : whither || task || say(words.turnOf, { who }));
  }

  // spent is how long a game for one has taken. The clock of whoever looks may be wrong: only what it counts since the scene came is
  // added to what the bot says.
  spent(solo) {
    return solo.spent + (solo.ended ? 0 : (performance.now() - this.came) / 1000);
  }

  // tick moves the clocks on.
  tick() {
    const { scene } = this;
    if (!scene) return;
    const solo = scene.solitaire;
    if (solo) {
      this.turn.hidden = false;
      write(this.whose, "");
      write(this.task, begun([say(this.words.moves, { n: solo.moves }), solo.undos && say(this.words.undos, { n: solo.undos }), solo.hints && say(this.words.hints, { n: solo.hints })].filter(Boolean).join(" · ")));
      write(this.clock, this.does.setting("timeless") && !solo.ended ? "" : clockText(this.spent(solo)));
      return;
    }
    const left = scene.left ? Math.max(0, scene.left - (performance.now() - this.came)) : 0;
    write(this.clock, left && left < long ? clockText((left + 900) / 1000) : "");
    this.el.style.setProperty("--left", scene.left ? left / scene.limit : 1);
    this.el.classList.toggle("late", Boolean(scene.left) && left < 10_000);
  }

  // card is what lies uppermost on a pile of that role that is the viewer's, or waits for somebody.
  card(role) {
    return this.piles.find((p) => p.role === role && (role === "turned" || p.seat === this.scene.seat))?.cards;
  }

  // sensible says whether there is a card for an act of a game without chips: to lay it there is one that was flipped, or the
  // viewer's own open one; to keep only the former; and to flip another only without.
  sensible(act) {
    const { scene } = this;
    const turned = this.card("turned");
    if (scene.solo || scene.banked || !this.piles.some((p) => p.role === "turned")) return true;
    if (act.do === "flip") return !turned;
    if (act.kind === "self") return Boolean(turned);
    return act.kind !== "seat" && act.do !== "centre" ? true : Boolean(turned || this.card("waste"));
  }

  // acts are the buttons beside the table; those on the table have been drawn with it.
  acts() {
    const { scene, words } = this;
    this.slim = this.narrow();
    const acts = this.offers;
    const lobby = scene.phase === "lobby";
    const over = scene.phase === "ended";
    const main = acts.filter((a) => {
      if (over) return false;
      if (lobby) return a.kind === "table" && (a.look === "primary" || a.do === "robot");
      return (a.kind === "play" && (!scene.banked || a.look === "primary")) || a.kind === "deal" || (a.kind === "solo" && !/^(giveup|restart)$/.test(a.do)) || (a.kind === "self" && scene.yours);
    });
    // The button that deals stays where it is as long as the patience is played: a second tap on it is no tap on another.
    const deal = main.find((a) => a.kind === "deal");
    if (!scene.solo || lobby || over || this.dealer?.of !== scene.table + scene.lang) this.dealer = null;
    if (scene.solo && deal) this.dealer = { of: scene.table + scene.lang, at: main.indexOf(deal), act: { ...deal, later: true } };
    else if (this.dealer) main.splice(this.dealer.at, 0, this.dealer.act);
    const turned = scene.banked ? null : this.card("turned");
    // What a lesson of a patience says to do is seldom what stands out at other times.
    const gold = main.find((a) => a.look === "primary" && !a.later && !(turned && a.kind === "play") && !(scene.solo && scene.lesson));
    keyed(this.bar, main, (a) => a.kind + a.do + a.label, () => actButton((a) => this.act(a)), (b, a) => {
      const sign = this.slim && a.kind === "solo" && a.label.match(/^[↶↷]/)?.[0];
      dress(b, a, a.kind === "self" ? words.self : sign || a.label);
      b.classList.toggle("glyph", Boolean(sign));
      b.ariaLabel = sign ? a.label : null;
      b.classList.toggle("gold", a === gold);
      const key = scene.solo && (keys[a.do] || keys[a.kind]);
      if (key) Object.assign(b, { ariaKeyShortcuts: key, title: key.replace(" ", ", ") });
    });
    const quiet = acts.filter((a) => !main.some((m) => m.token === a.token) && /^(table|ask|play|solo)$/.test(a.kind) && !(over && /^(again|same|check|replay|learn|begin|another)$/.test(a.do)) && !(over && scene.lesson && a.do === "patience"));
    if (scene.solo && scene.seat >= 0 && !scene.lesson && this.does.look) quiet.push({ kind: "look", do: "stats", label: words.stats, line: "/stats" });
    keyed(this.quiet, quiet, (a) => a.kind + a.do + a.label, () => actButton((a) => (a.line ? this.does.look(a.line) : this.act(a))), (b, a) => dress(b, a));
    this.log.hidden = lobby || scene.phase === "cutting" || (scene.solo && this.slim && !over); // One row is all there is.
    if (this.log.hidden) this.fold(false);
    this.stage.bets(scene, this.bets);
  }

  // act makes a move, after what has to be asked. A move that was offered by an older scene is made as the newest offers it.
  async act(act) {
    this.finish();
    const { words, all } = this;
    const like = (a) => a.token === act.token || ["kind", "do", "from", "to", "at", "amount", "label"].every((name) => a[name] === act[name]);
    const now = (this.scene.acts || []).find(like) || (act.own ? act : null);
    if (!now || now.later) return false;
    this.last = now;
    let text;
    if (now.ask && !act.own) {
      text = await this.asks.ask(now.ask, true, all.cancel, all.send);
      if (!text) return false;
    } else if (now.look === "danger" && !(await this.asks.ask(say(words.sure, { what: now.label }), false, all.cancel, now.label))) {
      return false;
    }
    if (now.kind === "move") this.mover.from = now.from || 0;
    return this.does.press(act.own ? act.token : now.token, text);
  }

  // anew gives up where no move is left, and lays the next deal.
  async anew(act) {
    this.then = this.scene.table;
    if (!(await this.act(act))) this.then = "";
  }

  // picked tells that a card was taken up, and where it can go.
  picked(source) {
    const { words } = this;
    const goals = source.acts.map((a) => this.piles[a.to || 0]).map((p) => p.called || words.piles[p.role] || p.name);
    this.speak(say(words.picked, { card: this.spell(codesOf(this.piles[source.from])[source.at] || "--"), goals: goals.join(", ") }));
  }

  // hint shows on the cards what is advised by the token of an act, with the words for it, and says whether it could.
  hint(token, advice) {
    this.finish();
    const act = (this.scene?.acts || []).find((a) => a.token === token);
    if (!act || !this.scene.solo) return false;
    this.speak(advice);
    write(this.news, advice);
    const source = this.mover.sources.find((s) => s.acts.includes(act) || (!s.heap.spot.fan && s.from === (act.from || 0) && !s.deals));
    if (!source) return false;
    this.light([source.deals ? source.heap.el : source.heap.card(source.at)], "hinted");
    if (act.kind === "move") this.light([this.heaps[act.to || 0].top()], "aim");
    return true;
  }

  // counted are the buttons that digits press: also those that can't be pressed now, so that none has another digit for that.
  counted() {
    return [...this.el.querySelectorAll(".act")].filter((b) => b.offsetParent && b.act && !b.closest(".foot"));
  }

  // number writes the digits on them.
  number() {
    const on = !this.scene.solo && this.does.setting("keys") !== false;
    for (const b of this.el.querySelectorAll(".act[data-digit]")) delete b.dataset.digit;
    for (const [i, b] of on ? this.counted().slice(0, 9).entries() : []) Object.assign(b.dataset, { digit: i + 1 });
  }

  // press does what is called so now, if there is such a thing.
  press(name) {
    const act = (this.scene.acts || []).find((a) => name && (a.do === name || a.kind === name) && !a.later);
    return act && this.act(act);
  }

  // key presses what a key stands for.
  key(e) {
    if (e.repeat || e.altKey || e.target.closest("dialog,input,summary")) return;
    const held = e.ctrlKey || e.metaKey;
    const digit = !held && Number(e.key);
    const press = (a) => a && (e.preventDefault(), this.act(a));
    if (this.scene?.solo) {
      // A key that types no Latin letter is known by its place.
      const key = (/[^ -~]/.test(e.key) && e.code.startsWith("Key") ? e.code.slice(3) : e.key).toLowerCase();
      const by = held ? { z: e.shiftKey ? "redo" : "undo", y: "redo" }[key] : Object.keys(keys).find((name) => keys[name].toLowerCase().split(" ").includes(key));
      if (this.press(by)) e.preventDefault();
    } else if (digit && this.does.setting("keys") !== false) {
      press(this.counted()[digit - 1]?.act);
    }
  }
}

// progress says how many cards lie in the middle, or on the foundations of a patience: so far has it come.
function progress({ solo, banked, phase, piles = [] }, words) {
  const count = (all) => all.reduce((n, p) => n + codesOf(p).length, 0);
  const built = piles.filter((p) => p.role === "foundation");
  return banked || phase !== "playing" || !built.length ? "" : say(solo ? words.built : words.centre, { n: count(built), all: count(piles) });
}

// decided is the card that was turned last at a table with chips, and what a hand has brought the viewer: the card turned for it,
// and the chips won.
function decided(scene, steps, before, { card, own } = {}) {
  const net = (s) => s.seats[s.seat]?.net || 0;
  const turned = steps.findLast((s) => s.turned)?.turned;
  const won = before && turned ? net(scene) - net(before) : 0;
  return { card: turned || (before && card), own: won ? { card: turned, won } : before && own };
}
