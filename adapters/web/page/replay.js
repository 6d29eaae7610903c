// A game that has ended, once more: its moves one after the other on the table, at the reader's pace. The page loads this only when
// somebody asks for it, and gives it what it needs of its own parts.

const paces = [1600, 800, 400]; // how long a move is to be seen, in ms, by speed
const lastTold = 3; // how many of the moves before are told in words

// Replay is the game at a table, and what one goes through it with. place is the page's own, parts are its make, write and say;
// words are those of this module.
class Replay {
  constructor(place, { make, write, say }, words, n) {
    Object.assign(this, { place, make, write, say, words, wanted: n, n: -1, version: 0, pace: 1, eyes: -1, id: place.at });
    this.el = make("section", "replay");
    this.el.ariaLabel = words.title;
    const steps = this.add("div", "bar");
    const button = (sign, name, click, at = steps) => {
      const b = Object.assign(make("button", "act", sign), { type: "button", onclick: click });
      b.ariaLabel = name;
      b.title = name;
      at.append(b);
      return b;
    };
    this.buttons = [
      button("«", words.first, () => this.jump(0)), button("‹", words.back, () => this.jump(this.n - 1)), button("", words.play, () => this.toggle()),
      button("›", words.next, () => this.jump(this.n + 1)), button("»", words.last, () => this.jump(Infinity)),
    ];
    this.buttons[2].classList.add("gold");
    this.speed = button("", words.speed, () => this.faster());
    this.paced();
    button("✕", words.close, () => this.close()).classList.add("away");
    this.slider = Object.assign(this.add("input"), { type: "range", min: 0, max: 0, value: 0, oninput: () => this.jump(Number(this.slider.value)) });
    this.slider.ariaLabel = words.title;
    const about = this.add("p", "row");
    this.where = about.appendChild(make("output"));
    this.look = about.appendChild(make("select"));
    this.look.ariaLabel = words.eyes;
    this.look.onchange = () => this.ask(Number(this.look.value));
    this.more = this.add("details");
    this.more.append(make("summary", "", words.moves), make("ol", "log"));
    if (place.linkTo) this.give(button);
    this.el.addEventListener("keydown", (e) => this.key(e));
    const { table } = place;
    table.el.classList.add("replayed");
    table.side.prepend(this.el);
    this.ask(this.eyes);
  }

  // give offers what leads others to the game, and files of it: in a platform's client there would be nowhere to put those.
  give(button) {
    const { place, words } = this;
    const row = this.add("div", "row");
    const press = (what) => () => place.press(`1.${this.id.replace("/", ".")}.0.!${what}`);
    button(words.link, words.link, () => this.share(), row);
    button(words.film, words.film, press("film"), row);
    button(words.record, words.record, press("record"), row);
  }

  add(tag, name) {
    return this.el.appendChild(this.make(tag, name));
  }

  // ask asks for the game as a seat saw it.
  ask(eyes) {
    this.eyes = eyes;
    this.place.live.wish({ past: eyes });
  }

  // take takes the game, or says that there is none.
  take({ table, eyes, past }) {
    if (table !== this.id || eyes !== this.eyes) return;
    if (!past) {
      this.place.toast(this.words.none, true);
      if (!this.base) this.close();
      return;
    }
    const { scene, steps } = past;
    this.base = scene;
    this.moves = steps;
    const kept = ["turn", "task", "note", "seats", "bank"];
    this.states = [Object.fromEntries(["piles", ...kept].map((k) => [k, scene[k]]))];
    for (const step of steps) {
      const before = this.states.at(-1);
      const now = { ...before, turn: step.turn, task: step.task, note: step.note, seats: step.seats || before.seats, bank: step.bank || before.bank };
      now.piles = before.piles.map((p, i) => step.piles?.[i] || p);
      this.states.push(now);
    }
    this.slider.max = steps.length;
    this.choices(scene);
    this.list(steps);
    const n = this.n < 0 ? this.wanted : this.n;
    this.n = -1;
    this.jump(n);
  }

  // choices are through whose eyes one can look.
  choices(scene) {
    const { words, make } = this;
    const seats = scene.banked ? scene.seats.map((s, i) => [i, this.say(words.by, { who: s.name })]) : [];
    this.look.replaceChildren(...[[-1, words.everybody], ...seats, [-2, words.allCards]].map(([value, text]) => Object.assign(make("option", "", text), { value })));
    this.look.value = this.eyes;
  }

  // list is all moves in words, each of which leads to where it was made.
  list(steps) {
    const { make } = this;
    this.lines = steps.map((step) => {
      const li = make("li");
      const text = (step.said || []).join(" ");
      if (text) li.append(Object.assign(make("button", "plain", text), { type: "button", onclick: () => this.jump(step.n) }));
      li.hidden = !text;
      return li;
    });
    this.more.lastChild.replaceChildren(...this.lines);
  }

  // jump shows the game after n moves, once it is there, and stops playing.
  jump(n) {
    if (!this.base) return (this.wanted = n);
    this.stop();
    this.show(n);
    this.place.moment(this.n);
  }

  show(to) {
    if (!this.base) return;
    const { table } = this.place;
    const n = Math.min(Math.max(to, 0), this.moves.length);
    const forward = n === this.n + 1 && n > 0;
    table.finish();
    Object.assign(this, { n, version: this.version + 1 });
    const scene = { ...this.base, ...this.states[n], table: this.base.table + "~", version: this.version, phase: "playing", acts: [] };
    scene.last = this.moves.slice(Math.max(0, n - lastTold), n).flatMap((s) => s.said || []);
    scene.steps = forward ? [this.moves[n - 1]] : [];
    if (scene.solitaire) scene.solitaire = { ...scene.solitaire, moves: n, ended: true };
    Object.assign(table, { seen: Math.max(0, n - 1), pointed: n - 1 });
    table.show(scene, this.place.words());
    this.write(this.where, this.say(this.words.at, { n, all: this.moves.length }));
    this.slider.value = n;
    for (const b of this.buttons.slice(0, 2)) b.disabled = n === 0;
    for (const b of this.buttons.slice(3)) b.disabled = n === this.moves.length;
    this.face();
    this.lines.forEach((li, i) => (li.ariaCurrent = i === n - 1 ? "step" : null));
    if (this.more.open) this.lines[n - 1]?.scrollIntoView({ block: "nearest" });
  }

  face() {
    const [, , play] = this.buttons;
    play.textContent = this.timer ? "❚❚" : "►";
    const name = this.timer ? this.words.pause : this.words.play;
    play.title = name;
    play.ariaLabel = name;
  }

  // toggle plays the moves one after the other, from the deal again where all were seen; or stops.
  toggle() {
    if (this.timer) {
      this.stop();
      return this.place.moment(this.n);
    }
    if (this.n >= this.moves?.length) this.show(0);
    this.play();
  }

  play() {
    this.timer = setTimeout(() => {
      this.show(this.n + 1);
      if (this.n < this.moves.length) this.play();
      else this.toggle();
    }, paces[this.pace - 1]);
    this.face();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.face();
  }

  faster() {
    this.pace = (this.pace % paces.length) + 1;
    this.paced();
  }

  paced() {
    this.write(this.speed, this.pace + "×");
    this.speed.ariaLabel = `${this.words.speed}: ${this.pace}×`;
  }

  async share() {
    const link = this.place.linkTo(this.id, this.n);
    try {
      await navigator.clipboard.writeText(link);
      this.place.toast(this.words.copied);
    } catch {
      prompt(this.words.link, link);
    }
  }

  key(e) {
    const to = { ArrowLeft: this.n - 1, ArrowRight: this.n + 1, Home: 0, End: Infinity }[e.key];
    if (to === undefined || e.target.matches("input,select") || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    this.jump(to);
  }

  // close brings back the table as it ended.
  close() {
    const { place } = this;
    this.stop();
    this.el.remove();
    place.table.el.classList.remove("replayed");
    place.past = null;
    place.moment();
    if (place.scene && place.at === this.id) place.show();
  }
}

window.Replay = Replay;
