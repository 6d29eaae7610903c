// A table for several: the seats around it, the viewer's own in front, what lies before each and in the middle.

import { cardText } from "./cards.js";
import { button, make } from "./make.js";
import { actButton, begun, dress, keyed, write } from "./parts.js";
import { idOf, isMuted } from "./signs.js";
import { say } from "./words.js";

// around is where so many others sit, from the left on: a and c beside the middle, d, b and e above it, f below.
const around = ["", "b", "ac", "abc", "adec", "adbec", "adbecf"];

// Seats draws into the table's field.
export class Seats {
  constructor(table) {
    this.table = table;
  }

  // build sets the table for that many seats.
  build(scene, heaps) {
    const { field } = this.table;
    field.replaceChildren();
    field.className = "field";
    this.all = [];
    if (scene.solo || !heaps.length) {
      field.append(...heaps.map((h) => h.el));
      return;
    }
    const n = scene.seats.length;
    const mine = scene.seat;
    const order = scene.seats.map((_, k) => (Math.max(mine, -1) + 1 + k) % n).filter((s) => s !== mine);
    const others = make("div", "others");
    this.ring = order.length <= 6 && !scene.banked;
    this.count = order.length;
    this.middle = make("div", "middle");
    this.bank = make("div", "bank");
    this.middle.append(this.bank);
    order.forEach((s, k) => {
      others.append(this.seat(s));
      if (this.ring) this.all[s].el.style.gridArea = around[order.length][k];
    });
    if (this.ring) others.append(this.middle);
    field.append(others);
    if (!this.ring) field.append(this.middle);
    if (mine >= 0) field.append(this.seat(mine, true));
    field.classList.add("group", this.ring ? "ring" : "rows");
    this.places = heaps.map((heap, i) => {
      const pile = scene.piles[i];
      const own = pile.seat >= 0 && pile.role !== "turned";
      const place = make("div", "place " + pile.role);
      place.append(heap.el);
      (own ? this.all[pile.seat].lies : this.middle).append(place);
      return place;
    });
  }

  seat(s, mine) {
    const el = make("div", mine ? "seat mine" : "seat");
    el.setAttribute("role", "group");
    const add = (tag, name, at = el) => at.appendChild(make(tag, name));
    const lies = add("div", "lies");
    const who = add("div", "who");
    const bets = add("div", "stakes");
    this.all[s] = { el, lies, who, face: add("i", "face", who), name: add("b", "", who), tags: add("small", "", who), bets };
    this.all[s].face.ariaHidden = true;
    return el;
  }

  // fit gives cards the size that there is room for. The base is what a card in the middle measures. Where there is too
  // little, the hands that nobody can look into are left out. It returns the base.
  fit(width, height, flat) {
    const { field } = this.table;
    const n = this.count;
    const bands = this.ring && !flat && width < 1.15 * height;
    field.classList.toggle("flat", flat && this.ring);
    field.classList.toggle("bands", bands);
    let across = Math.max(n, 3);
    let tight = false;
    let base;
    if (bands) {
      // The others stand above the middle in as many rows as make cards largest; those in the middle and one's own are larger.
      const common = Math.max(3, this.middle.childElementCount - 1);
      const most = (by) => Math.min((width / by - 10) / 1.45, (height - 46 * Math.ceil(n / by) - 74) / (1.4 * Math.ceil(n / by) + 3.85), (width - 20 - 8 * common) / (1.3 * common), (width - 130) / 2.95, 190);
      across = Array.from({ length: n }, (_, i) => i + 1).reduce((a, b) => (most(b) > most(a) ? b : a), 1);
      base = most(across);
    } else if (!this.ring) {
      across = Math.ceil(n / Math.ceil(n / Math.max(2, Math.floor(width / 100))));
      const rows = Math.ceil(n / across);
      const room = height - 47 * rows - 90;
      tight = room < 36 * (1.1 * rows + 3.8);
      base = Math.min((width / across - 16) / 1.6, room / ((tight ? 0 : 1.1 * rows) + 3.8), (width - 90) / 5.4, Math.max(170, width / 12));
    } else if (flat) {
      base = Math.min((width / across - 22) / 2.1, (height - 70) / 3.36, 104);
    } else {
      const rows = [1, 2, 1, 2, 2, 2, 3][n];
      const side = n === 1 ? (width - 60) / 4 : Math.min((width / 3.45 - 18) / 2, (width * 0.42 - 20) / 3);
      base = Math.min(side, (height - 34 * rows - 46) / (1.4 * rows + 1.96), Math.max(230, width / 10));
    }
    field.classList.toggle("tight", tight);
    field.classList.toggle("crowd", bands ? across > 4 : this.ring && !flat && width < 400);
    field.style.setProperty("--across", across);
    field.style.setProperty("--base", Math.max(base, 30).toFixed(1) + "px");
    return base;
  }

  // spot is how a pile lies.
  spot(pile) {
    if (pile.role === "hand") return { fan: "r", room: 2 };
    if (pile.role === "waste" && pile.seat < 0) return { fan: "r", room: 2.6 };
    return {};
  }

  // draw shows who sits there, and what can be pressed on the table.
  draw(scene) {
    if (!this.all.length) return;
    const { words } = this.table;
    const acts = this.table.offers.filter((a) => !a.later);
    scene.seats.forEach((seat, s) => {
      const { el, who, face, name, tags, bets } = this.all[s];
      const has = [
        seat.banker && words.banker, seat.computer && !seat.name.includes(words.bot) && words.computer, seat.away && words.away, seat.out && words.out,
        seat.host && words.host, seat.goes, !seat.you && !seat.computer && isMuted(idOf(seat)) && words.muted,
      ].filter(Boolean);
      const machine = seat.computer && seat.name.startsWith(words.bot + " ");
      write(name, seat.you ? say(words.you, { name: seat.name }) : machine ? seat.name.slice(words.bot.length + 1) : seat.name);
      write(face, machine ? "🤖" : [...seat.name].find((c) => /\p{L}|\p{N}/u.test(c)) || "♠");
      face.style.setProperty("--hue", [...seat.name].reduce((h, c) => (h * 31 + c.codePointAt(0)) % 360, 7));
      face.classList.toggle("machine", machine);
      this.introduce(who, seat);
      this.table.does?.portray?.(face, seat);
      if (scene.banked && seat.net && s !== scene.seat) has.unshift((seat.net > 0 ? "+" : "−") + Math.abs(seat.net));
      write(tags, begun(has.join(" · ")));
      el.classList.toggle("turn", s === scene.turn);
      el.classList.toggle("idle", Boolean(seat.out || seat.away));
      el.classList.toggle("backed", s === scene.bank?.backed);
      el.ariaLabel = [seat.name, ...has, s === scene.turn && say(words.turnOf, { who: seat.name })].filter(Boolean).join(", ");
      const laid = scene.seats.map((by, i) => ({ ...by, i })).filter((by) => by.stake && (by.on ?? by.i) === s);
      keyed(bets, laid, (by) => by.i, () => make("span", "chip"), (chip, by) => {
        write(chip, by.i === s ? String(by.stake) : by.name + " " + by.stake);
        chip.ariaLabel = say(words.staked, { who: by.name, n: by.stake });
      });
      if (s === scene.seat && scene.purse !== undefined && scene.purse !== null) {
        this.purse ??= make("small", "purse");
        tags.after(this.purse);
        write(this.purse, say(scene.practice ? words.practice : words.purse, { n: scene.purse.toLocaleString(scene.lang) }));
        const { own } = this.table.decided;
        this.outcome ??= make("small", "outcome");
        this.purse.after(this.outcome);
        write(this.outcome, own ? say(own.won > 0 ? words.won : words.lost, { card: cardText(own.card, scene.ranks), n: Math.abs(own.won).toLocaleString(scene.lang) }) : "");
      }
      this.go(el, acts.find((a) => a.kind === "seat" && (a.to || 0) === s));
    });
    scene.piles.forEach((pile, i) => {
      const place = this.places[i];
      const common = pile.seat < 0 || pile.role === "turned";
      if (common && pile.called && !place.caption) place.append((place.caption = make("small")));
      if (place.caption) write(place.caption, begun(pile.called || ""));
      const undealt = !common && pile.role === "stock" && scene.piles.some((p) => p.role === "stock" && p.seat < 0 && p.down);
      place.hidden = undealt || common && !pile.cards && !pile.down && pile.role !== "foundation" && pile.role !== "turned";
      place.classList.toggle("waits", pile.role === "turned" && Boolean(pile.cards));
      this.go(place, acts.find((a) => this.at(a, scene) === i));
    });
    this.showBank(scene);
  }

  // introduce has somebody's card be opened by their sign and name, where it is known whose account it is.
  introduce(who, { who: person, name }) {
    if (person && !who.card) who.card = who.appendChild(button("person", "", () => this.table.does.person(who.card.value)));
    if (who.card) Object.assign(who.card, { value: person, hidden: !person, ariaLabel: name });
  }

  // at is the pile at which an act is done; -1 where there is none.
  at(act, scene) {
    const { piles } = scene;
    if (act.kind === "self") return piles.findIndex((p) => p.seat === scene.seat && p.role === "waste");
    if (act.kind !== "play" && act.kind !== "deal") return -1;
    const own = piles.findIndex((p) => p.kind === act.do);
    if (own >= 0) return own;
    if (act.look !== "primary" || piles.some((p) => p.role === "turned" && p.cards)) return -1;
    const stock = (seat) => piles.findIndex((p) => p.role === "stock" && p.seat === seat && p.down);
    return stock(-1) >= 0 ? stock(-1) : stock(scene.seat);
  }

  // go makes a seat or a pile what is pressed for an act.
  go(el, act) {
    el.classList.toggle("can", Boolean(act));
    if (!act) {
      el.button?.remove();
      el.button = null;
      return;
    }
    if (!el.button) {
      el.button = actButton((a) => this.table.act(a));
      el.button.className = "go";
      el.append(el.button);
    }
    dress(el.button, act, "");
    el.button.hidden = false;
    el.button.ariaLabel = act.kind === "self" ? this.table.words.self : act.label;
  }

  // showBank draws the bank as a pile of chips, as high as it has come towards its goal.
  showBank({ bank, lang }) {
    this.bank.hidden = !bank;
    if (!bank) return;
    const { words } = this.table;
    const discs = Math.min(12, Math.ceil((12 * bank.chips) / (bank.goal || bank.chips || 1)));
    if (!this.bank.firstChild) this.bank.append(make("div", "discs"), make("b"), make("small"));
    const [stack, sum, goal] = this.bank.children;
    keyed(stack, Array.from({ length: discs }), (_, i) => i, () => make("i"), () => {});
    write(sum, bank.chips.toLocaleString(lang));
    write(goal, bank.goal ? say(words.goal, { n: bank.goal.toLocaleString(lang) }) : words.bank);
    this.bank.setAttribute("role", "img");
    this.bank.ariaLabel = [words.bank + ": " + bank.chips, bank.goal && say(words.goal, { n: bank.goal })].filter(Boolean).join(", ");
  }
}
