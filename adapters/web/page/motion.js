// What moves beside the cards: chips that change hands, somebody who yawns, and the end of a patience.

import { drawCard } from "./cards.js";
import { still } from "./heap.js";
import { make, pause } from "./make.js";

// middle is where an element's middle is, as a translation within root.
function middle(root, el) {
  const [base, r] = [root, el].map((e) => e.getBoundingClientRect());
  return [r.left + r.width / 2 - base.left + root.scrollLeft, r.top + r.height / 2 - base.top + root.scrollTop];
}

const at = ([x, y]) => `translate(${x}px, ${y}px)`;

// passing puts something in root that is there only as long as it moves.
function passing(root, el, way, timing) {
  el.ariaHidden = true;
  root.append(el);
  const gone = () => el.remove();
  el.animate(way, { fill: "backwards", ...timing }).finished.then(gone, gone);
}

// pay has so many chips slide from one element to another.
export function pay(root, from, to, n) {
  if (still()) return;
  const [a, b] = [from, to].map((e) => middle(root, e));
  for (let i = 0; i < n; i++) {
    const over = [(a[0] + b[0]) / 2 + 22 * ((i % 3) - 1), (a[1] + b[1]) / 2 - 26 - 7 * (i % 4)];
    passing(root, make("i", "coin"), [a, over, b].map((p) => ({ transform: at(p) })), { duration: 620, delay: 60 * i, easing: "ease-in-out" });
  }
}

// svg is an element of a drawing.
export const svg = (tag, as) => {
  const el = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const name in as) el.setAttribute(name, as[name]);
  return el;
};

// yawner is a face that yawns.
export function yawner() {
  const head = svg("svg", { viewBox: "0 0 48 48", class: "yawner", "aria-hidden": "true" });
  head.append(
    svg("circle", { cx: 24, cy: 24, r: 21 }), svg("path", { d: "M12 20q4 4 9 0M27 20q5 4 9 0M11 12q4-4 9-1M37 12q-4-4-9-1" }), svg("ellipse", { cx: 24, cy: 34, rx: 7, ry: 8 }),
  );
  return head;
}

// yawn has somebody yawn who sits there.
export function yawn(root, seat) {
  if (still()) return;
  const [x, y] = middle(root, seat);
  const box = make("div", "yawn");
  box.append(yawner());
  passing(root, box, [
    { transform: at([x, y]) + "scale(0.2)", opacity: 0 }, { transform: at([x, y - 14]) + "scale(1)", opacity: 1, offset: 0.2 }, { transform: at([x, y - 26]) + "scale(1) rotate(-6deg)", opacity: 1, offset: 0.8 },
    { transform: at([x, y - 50]) + "scale(0.8)", opacity: 0 },
  ], { duration: 1700 });
}

// shake says no.
export function shake(el) {
  if (!still()) el.animate([0, -7, 6, -4, 3, 0].map((x) => ({ transform: `translateX(${x}px)` })), { duration: 360 });
}

// shine has what has won stand out for a while, and what has lost step back.
export async function shine(el, won) {
  el.classList.add(won ? "wins" : "loses");
  await pause(1600);
  el.classList.remove("wins", "loses");
}

// cascade throws the cards of a patience that has come out over the table: each hops off its pile, bounces and is gone.
export function cascade(root, piles, ranks) {
  if (still()) return;
  const { height } = root.getBoundingClientRect();
  const most = Math.min(52, piles.reduce((n, p) => n + p.cards.length, 0));
  for (let i = 0; i < most; i++) {
    const { heap, cards } = piles[i % piles.length];
    const code = cards[cards.length - 1 - (Math.floor(i / piles.length) % cards.length)];
    const box = make("div", "thrown");
    box.style.setProperty("--cw", heap.clientWidth + "px");
    box.append(drawCard(code, ranks));
    const [x, y] = middle(root, heap);
    const [dx, up] = [(i % 2 ? 1 : -1) * (60 + 37 * (i % 5)), 70 + 19 * (i % 4)];
    const floor = height - heap.clientHeight / 2;
    passing(root, box, [
      { transform: at([x, y]), easing: "cubic-bezier(.2,.6,.5,1)" }, { transform: at([x + dx * 0.5, y - up]) + `rotate(${dx / 9}deg)`, offset: 0.25, easing: "cubic-bezier(.5,0,.9,.5)" },
      { transform: at([x + dx * 1.5, floor]) + `rotate(${dx / 3}deg)`, offset: 0.6, easing: "cubic-bezier(.1,.6,.5,1)" }, { transform: at([x + dx * 2.2, floor - up]) + `rotate(${dx / 2}deg)`, offset: 0.78, easing: "cubic-bezier(.5,0,.9,.6)" },
      { transform: at([x + dx * 3, height + 2 * heap.clientHeight]) + `rotate(${dx}deg)` },
    ], { duration: 1700, delay: 45 * i });
  }
}
