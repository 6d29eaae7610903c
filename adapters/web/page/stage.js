// What stands before and after a deal: who has come and what will be played, the cut, how it ended; and how much is staked.

import { button, make } from "./make.js";
import { yawner } from "./motion.js";
import { actButton, begun, clockText, dress, keyed, write } from "./parts.js";
import { say } from "./words.js";

// Stage is a panel that lies on the table.
export class Stage {
  constructor(table) {
    this.table = table;
    this.el = make("section", "stage");
    this.sign = this.el.appendChild(yawner());
    this.title = this.el.appendChild(make("h3"));
    this.text = this.el.appendChild(make("p"));
    this.list = this.el.appendChild(make("ol"));
    this.sum = this.el.appendChild(make("small"));
    this.main = this.el.appendChild(make("div", "bar"));
    this.sets = this.el.appendChild(make("div", "bar sets"));
    this.more = this.el.appendChild(make("details"));
    this.more.append(make("summary"), make("div", "bar sets"));
    this.fold = button("fold", "", () => this.toggle());
    this.el.append(this.fold);
    table.field.after(this.el);
  }

  draw(scene) {
    const { phase } = scene;
    const over = phase === "ended";
    const acts = scene.acts || [];
    const stuck = phase === "playing" && scene.solitaire?.stuck && acts.some((a) => a.do === "giveup");
    const of = scene.table + (stuck ? "stuck" : phase);
    if (of !== this.of) this.el.classList.remove("folded");
    this.of = of;
    this.el.hidden = phase === "playing" && !stuck;
    if (this.el.hidden) return;
    this.el.dataset.phase = phase;
    write(this.sum, over || stuck ? "" : "SHA-256: " + scene.checksum);
    this.sign.toggleAttribute("hidden", !over || scene.solo || scene.banked || !scene.result?.places?.some((p) => p.title));
    if (stuck) this.stuck(scene, acts);
    else if (phase === "lobby") this.lobby(scene, acts);
    else if (over) this.end(scene, acts);
    else this.cut(scene, acts);
    if (phase !== "lobby") {
      this.switches(this.sets, []);
      this.more.hidden = true;
    }
    this.fold.hidden = !(over || stuck) || !scene.piles?.length;
    write(this.fold, this.fold.hidden ? "" : !this.el.classList.contains("folded") ? this.table.words.showTable : stuck ? this.table.words.stuck : this.table.words.showEnd);
  }

  toggle() {
    this.el.classList.toggle("folded");
    this.draw(this.table.scene);
  }

  // buttons are the panel's own, the first of them golden.
  buttons(acts) {
    const { table } = this;
    keyed(this.main, acts, (a) => a.kind + a.do + a.label, () => actButton((a) => (a.go ? table.does.go?.(a.go) : a.anew ? table.anew(a) : table.act(a))), (b, a) => {
      dress(b, a);
      b.classList.toggle("gold", a === acts[0] && a.kind !== "cut");
    });
  }

  switches(at, acts) {
    keyed(at, acts, (a) => a.token, () => {
      const b = actButton((a) => this.table.act(a));
      b.append(make("b"), make("small"));
      return b;
    }, (b, a) => {
      dress(b, a, begun(a.label.replace(/^✓ /, "")), b.firstChild);
      write(b.lastChild, begun(a.about || ""));
    });
  }

  lobby(scene, acts) {
    const { words } = this.table;
    const n = scene.seats.length;
    const deal = acts.find((a) => a.do === "deal");
    write(this.title, say(words.lobby, { game: scene.title }));
    write(this.text, scene.task || (scene.kept?.length ? words.called : deal && !deal.later ? (scene.seats.filter((s) => !s.computer).length > 1 ? words.ready : words.readyAlone) : n === 1 && scene.seats[0].you ? words.alone : scene.seats.some((s) => s.you) ? words.waiting : words.welcome));
    const people = [...scene.seats, ...(scene.kept || []).map((name) => ({ name, kept: true }))];
    const free = scene.most - people.length;
    this.chairs([...people, ...(free > 0 ? [{ free }] : [])]);
    this.buttons([]);
    const sets = acts.filter((a) => a.kind === "set");
    const first = sets.filter((a) => a.do === "set");
    this.switches(this.sets, first);
    this.more.hidden = sets.length === first.length;
    write(this.more.firstChild, words.rules);
    this.switches(this.more.lastChild, sets.filter((a) => a.do !== "set"));
  }

  // chairs are who sits there, and how many seats are free.
  chairs(people) {
    const { words } = this.table;
    keyed(this.list, people, (s, i) => i, () => make("li", "chair"), (li, s, i) => {
      li.seat = i;
      li.classList.toggle("free", Boolean(s.free));
      write(li, s.free ? say(words.free, { n: s.free }) : [s.you ? say(words.you, s) : s.name, s.host && words.host, s.kept && words.kept].filter(Boolean).join(" · "));
    });
  }

  cut(scene, acts) {
    const { words } = this.table;
    write(this.title, scene.yours ? words.cutTitle : say(words.cuts, { who: scene.seats[scene.turn]?.name }));
    write(this.text, words.cutAbout);
    this.chairs(scene.yours ? [] : scene.seats);
    this.buttons(acts.filter((a) => a.kind === "cut"));
  }

  // stuck says that no move is left, and what can be done then.
  stuck(scene, acts) {
    const { words } = this.table;
    write(this.title, words.stuck);
    write(this.text, begun(this.counts(scene.solitaire)));
    this.chairs([]);
    const giveUp = acts.find((a) => a.do === "giveup");
    this.buttons([...["undo", "restart"].map((name) => acts.find((a) => a.do === name)), { ...giveUp, look: "", label: words.anew, anew: true }, { ...giveUp, look: "" }].filter(Boolean));
  }

  // counts are what a game for one has taken.
  counts(solo) {
    const { words } = this.table;
    const all = [
      say(words.time, { t: clockText(this.table.spent(solo)) }), say(words.moves, { n: solo.moves }),
      solo.undos && say(words.undos, { n: solo.undos }), solo.hints && say(words.hints, { n: solo.hints }), solo.deal && say(words.deal, { n: solo.deal }),
    ];
    return all.filter(Boolean).map((s) => s.replaceAll(" ", "\u00a0")).join(" · ");
  }

  end(scene, acts) {
    const { words } = this.table;
    const r = scene.result || {};
    const last = (r.places || []).filter((p) => p.title);
    const solo = scene.solitaire;
    const title = r.why || (solo ? (r.solved ? words.solved : r.said) : last.length ? say(words.loser, { who: last.map((p) => p.name).join(", "), title: last[0].title }) : words.over);
    write(this.title, begun(title || words.over));
    write(this.text, (scene.lesson && scene.about) || begun([solo && !r.solved && r.said !== title && r.said, solo && this.counts(solo)].filter(Boolean).join(" · ")));
    const places = [...(r.session?.length ? r.session : r.places || [])];
    keyed(this.list, places, (p) => p.place + p.name, () => make("li", "placed"), (li, p) => {
      if (!li.firstChild) li.append(make("b"), make("span"), make("i"));
      li.seat = p.seat;
      write(li.children[0], p.place + ".");
      write(li.children[1], p.seat >= 0 && p.seat === scene.seat ? say(words.you, p) : p.name);
      write(li.children[2], scene.banked ? (p.net > 0 ? "+" : p.net < 0 ? "−" : "") + Math.abs(p.net || 0).toLocaleString(scene.lang) : (p.title || "").replace(/^[–—-] /, ""));
      li.classList.toggle("won", p.place === 1 && (!scene.banked || p.net > 0));
    });
    const next = scene.next && { kind: "next", do: "next", label: words.next, go: scene.next };
    const again = acts.find((a) => a.do === "again");
    this.buttons([next, again && solo ? { ...again, label: words.anew } : again, ...acts.filter((a) => /^(same|learn|begin|another|patience|replay)$/.test(a.do)), acts.find((a) => a.do === "check")].filter(Boolean));
  }

  // bets is where an amount is named: by a slider, or by one of the amounts.
  bets(scene, el) {
    const { words } = this.table;
    const acts = scene.phase === "playing" ? scene.acts || [] : [];
    const amounts = acts.filter((a) => a.kind === "amount" && !a.later);
    const bet = acts.find((a) => a.kind === "bet" && !a.later && a.most);
    const hand = bet ? `${scene.table} ${scene.bank?.backed}` : "";
    const fresh = hand !== this.hand; // On the same hand others bet, too, and what was chosen stays.
    this.hand = hand;
    el.hidden = !amounts.length && !bet;
    if (el.hidden) return;
    const side = scene.bank?.backed !== scene.seat;
    if (!el.firstChild) {
      el.append(make("p"), make("div", "bar chips"), make("label"));
      el.lastChild.append(make("span", "unseen"), Object.assign(make("input"), { type: "range" }), actButton((a) => this.table.act(a)));
      el.lastChild.children[1].addEventListener("input", () => this.amount());
    }
    const [title, chips, label] = el.children;
    write(title, say(side ? words.betOn : words.stake, { who: scene.seats[scene.bank?.backed]?.name || "" }));
    keyed(chips, amounts, (a) => a.do + a.amount, () => actButton((a) => this.table.act(a)), (b, a) => dress(b, a, (a.amount || 0).toLocaleString(scene.lang)));
    label.hidden = !bet;
    if (!bet) return;
    const [name, slider, go] = label.children;
    write(name, bet.ask || bet.label);
    const step = bet.most < 100 ? 1 : 5; // Round sums, and the least and the most beside them.
    Object.assign(slider, { min: bet.least - (bet.least % step), max: bet.most + step - 1, step });
    if (fresh) slider.value = bet.amount || bet.least;
    Object.assign(this, { slider, go, betting: bet, words: side ? words.betGo : words.stakeGo });
    go.classList.add("gold");
    this.amount();
  }

  amount() {
    const { betting } = this;
    const n = Math.min(Math.max(this.slider.value, betting.least), betting.most);
    dress(this.go, { ...betting, own: true, token: betting.token + n }, say(this.words, { n: n.toLocaleString(this.table.scene.lang) }));
  }
}
