// The small pictures of the games: each is laid as on the table, from a deal that is always the same.

import { Heap } from "./heap.js";
import { make } from "./make.js";
import { Seats } from "./seats.js";
import { arrange } from "./spots.js";

const sized = new ResizeObserver((all) => all.forEach(({ target, contentRect }) => target.style.setProperty("--frame", contentRect.width)));

// frame is an empty frame for the picture of a game.
export function frame(game) {
  const el = make("span", "pic");
  el.dataset.game = game;
  el.ariaHidden = true;
  sized.observe(el);
  return el;
}

let samples;

// hang fills the frames that are empty, once the page has nothing else to do.
export function hang() {
  const idle = window.requestIdleCallback || setTimeout;
  idle(async () => {
    samples ??= fetch(document.querySelector("script[type=module]").src.replace("page.js", "samples.json")).then((r) => r.json());
    const all = await samples.catch(() => ({}));
    const next = () => {
      const el = [...document.querySelectorAll(".pic:empty")].find((e) => all[e.dataset.game]);
      if (!el) return;
      el.append(draw(el.dataset.game, all[el.dataset.game]));
      idle(next);
    };
    next();
  });
}

function draw(game, { solo, banked, seats, piles }) {
  const width = solo ? 480 : 330; // What the table measures before it is made as small as its frame.
  const height = 0.7 * width;
  const el = make("span", solo ? "tbl mini solo" : "tbl mini");
  el.style.setProperty("--whole", width);
  el.dataset.phase = "playing";
  const field = el.appendChild(make("span", "field"));
  const heaps = piles.map(() => new Heap());
  const lays = new Seats({ field, words: {}, offers: [], decided: {} });
  const scene = { solo, banked, piles, seat: seats - 1, seats: Array.from({ length: seats }, () => ({ name: "" })) };
  lays.build(scene, heaps);
  const plan = solo && arrange(game, piles, width - 8, height - 8);
  if (plan) field.style.setProperty("--cw", plan.card + "px");
  else lays.fit(width, height + 85); // There are no names.
  piles.forEach((p, i) => heaps[i].show(p, plan ? plan.spots[p.name] : lays.spot(p), "", ""));
  if (!plan) lays.draw(scene);
  return el;
}
