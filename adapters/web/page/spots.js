// Where the piles of a patience lie. Measures are in widths of a card; a card is 1.4 high. A spot is where a pile's first
// card lies, how the others lie on it, and how much room they have: d downwards, r to the right, a in arcs; without that
// only the uppermost is seen. Room left out goes on to the edge of the table.

const tall = 1.4;
const step = 1.07;
const line = 1.48;
const legible = 0.42; // of a card's width: of the one under another that much must be seen above it

function lay(w, h, put) {
  const spots = {};
  const row = (kind, from, to, x, y, dx, dy, fan, room) => {
    for (let k = from; k <= to; k++) spots[kind + k] = { x: x + (k - from) * dx, y: y + (k - from) * dy, fan, room };
  };
  const at = (name, x, y, fan, room) => (spots[name] = { x, y, fan, room });
  put(at, row);
  return { w, h, spots };
}

// shelf has the reserves, of so many cards at most, as columns where each card can be read or else as lines, and five piles under the
// foundations; on a wide table beside them.
function shelf(reserves, most) {
  return [
    Object.assign(lay(8.5, 8.05, (at, row) => {
      row("f", 1, 8, 0, 0, step, 0);
      row("r", 1, reserves, 0, line + 0.05, step, 0, "d");
      row("w", 1, 5, reserves * step, line + 0.05, step, 0, "d");
      at("stock", 7 * step, line + 0.05);
      if (reserves > 1) at("turned", 7 * step, 2 * line + 0.05);
      else at("turned", 6 * step, line + 0.05);
    }), { open: line + tall + legible * (most - 1) }),
    lay(8.5, (reserves + 2) * line + 2.5, (at, row) => {
      row("r", 1, reserves, 0, 0, 0, line, "r", 8.5);
      const y = (reserves + 1) * line + 0.3;
      row("f", 1, 8, 0, y - line - 0.15, step, 0);
      row("w", 1, 5, 0, y, step, 0, "d");
      at("turned", 6 * step, y);
      at("stock", 7 * step, y);
    }),
    Object.assign(lay(9.7 + (reserves + 1) * step, tall + legible * (most - 1) + 0.1, (at, row) => {
      const x = reserves * step + 0.3;
      row("r", 1, reserves, 0, 0, step, 0, "d");
      row("f", 1, 4, x, 0, step, 0);
      row("f", 5, 8, x, line, step, 0);
      at("stock", x, 2 * line);
      at("turned", x + step, 2 * line);
      row("w", 1, 5, x + 4 * step + 0.3, 0, step, 0, "d");
    }), { good: 68 }),
  ];
}

// star has the five piles as rays below the reserve.
const star = (at, x, y) => {
  at("r1", x + 2 * step, y);
  [0, 0.75, line, 0.75, 0].forEach((down, k) => at("w" + (k + 1), x + k * step, y + down, "d"));
};

const tomb = (at, x, y) => {
  const cell = (name, col, down) => at(name, x + col * 1.05, y + down * 1.45);
  [[2, 1], [3, 2], [2, 3], [1, 2]].forEach((c, k) => cell("a" + (k + 1), ...c));
  [[2, 0], [4, 2], [2, 4], [0, 2]].forEach((c, k) => cell("b" + (k + 1), ...c));
  [[1, 1], [3, 1], [3, 3], [1, 3]].forEach((c, k) => cell("f" + (k + 1), ...c));
  cell("centre", 2, 2);
  cell("stock", 0, 0);
};

const layouts = {
  tecza: () => [
    lay(8.5, 7.4, (at, row) => {
      row("f", 1, 8, 0, 0, step, 0);
      at("r1", 0, line + 0.05, "a", 8.5);
      at("stock", 0, 4.6);
      at("turned", step, 4.6);
      row("w", 1, 3, 2.5, 4.6, 2, 0, "d");
    }),
    Object.assign(lay(13.5, 6.1, (at, row) => {
      at("r1", 0, 0, "b", 13.5);
      at("stock", 2.6, 1.75);
      at("turned", 3.75, 1.75);
      row("w", 1, 3, 6, 1.75, 1.75, 0, "d", 2.75);
      row("f", 1, 8, 2.5, 4.65, step, 0);
    }), { good: 64 }),
  ],
  sklep: () => shelf(1, 18),
  zaba: (piles) => shelf(piles.r2 ? 2 : 1, 13),
  gwiazda: () => [
    lay(5.35, 7.2, (at, row) => {
      row("f", 1, 4, 0, 0, step, 0);
      row("f", 5, 8, 0, line, step, 0);
      at("stock", 4.35, 0);
      at("turned", 4.35, line);
      star(at, 0, 3.02);
    }),
    lay(9.9, 4.5, (at, row) => {
      star(at, 0, 0.05);
      row("f", 1, 4, 5.65, 0, step, 0);
      row("f", 5, 8, 5.65, line, step, 0);
      at("turned", 7.79, 2 * line);
      at("stock", 8.86, 2 * line);
    }),
  ],
  polusharia: () => [
    lay(8.5, 7, (at, row) => {
      row("f", 1, 8, 0, 0, step, 0);
      at("stock", 0, line);
      at("turned", step, line);
      at("w1", 2 * step, line, "r", 8.5 - 2 * step);
      row("t", 1, 10, 0, 2 * line + 0.05, 7.5 / 9, 0, "d");
    }),
    Object.assign(lay(10.65, 6.6, (at, row) => {
      row("f", 1, 8, 2 * step, 0, step, 0);
      at("stock", 0, 0);
      at("turned", step, 0);
      row("t", 1, 10, 0, line, step, 0, "d", 3.6);
      at("w1", 0, 5.15, "r", 10.6);
    }), { good: 52 }),
  ],
  grobnitsa: () => [
    lay(5.2, 9.5, (at, row) => {
      tomb(at, 0, 0);
      row("w", 1, 5, 0, 7.4, 1.05, 0, "d");
    }),
    lay(10.9, 7.2, (at, row) => {
      tomb(at, 0, 0);
      row("w", 1, 5, 5.6, 0, step, 0, "d");
    }),
  ],
  // Rows of a grid may close up: of a card under another the head is enough.
  paganini: () => [
    Object.assign(lay(14.6, 6.2, (at) => {
      for (let r = 0; r < 8; r++) for (let c = 0; c < 14; c++) at(`g${r + 1}.${c}`, c * 1.046, r);
    }), { rows: 8, good: 44 }),
    Object.assign(lay(8.4, 9.6, (at) => {
      for (let r = 0; r < 8; r++) for (let c = 0; c < 14; c++) at(`g${r + 1}.${c}`, r * 1.057, c);
    }), { rows: 14 }),
  ],
  pauk: () => [
    lay(4.5, 8.7, (at, row) => {
      row("f", 1, 4, 1.2, line, 0, 1.45);
      row("f", 5, 8, 2.3, line, 0, 1.45);
      row("t", 1, 2, 1.2, 0, 1.1, 0);
      row("t", 3, 6, 0, line, 0, 1.45);
      row("t", 7, 8, 1.2, 7.28, 1.1, 0);
      row("t", 9, 12, 3.5, 5.83, 0, -1.45);
      at("stock", 0, 0);
    }),
    lay(6.7, 5.9, (at, row) => {
      row("f", 1, 4, 1.2, line, 1.1, 0);
      row("f", 5, 8, 1.2, 2 * line, 1.1, 0);
      row("t", 1, 2, 0, line, 0, line);
      row("t", 3, 6, 1.2, 0, 1.1, 0);
      row("t", 7, 8, 5.7, line, 0, line);
      row("t", 9, 12, 4.5, 3 * line, -1.1, 0);
      at("stock", 0, 0);
    }),
  ],
};

// unknown is where the piles lie of a game that has no layout of its own: those that are built up above, the others below.
function unknown(piles) {
  const above = piles.filter((p) => /stock|turned|foundation/.test(p.role));
  const cells = piles.filter((p) => p.role === "cell");
  const rest = piles.filter((p) => !above.includes(p) && !cells.includes(p));
  const across = Math.max(7, Math.min(12, Math.max(above.length, rest.length)), ...cells.map((p) => (p.column || 0) + 1));
  let y = 0;
  return lay(across * step, 8, (at) => {
    for (const [list, fan] of [[above], [rest, "d"]]) {
      list.forEach((p, k) => at(p.name, (k % across) * step, y + Math.floor(k / across) * 2.6, fan, k + across < list.length ? 2.5 : undefined));
      if (list.length) y += line + Math.floor((list.length - 1) / across) * 2.6;
    }
    for (const p of cells) at(p.name, (p.column || 0) * step, y + ((p.row || 1) - 1) * line);
  });
}

const good = 44; // pixels that a card should be wide: for that there may be no gaps beside it
const least = 40; // pixels that a card is wide at least; rather than that a table is longer than the screen

// arrange finds the layout for a table of that size: the first in which cards are as large as is good for it, or else the
// one with the largest. Small cards are smaller than there is room for; large ones take the whole width, however long the table gets. For the
// left hand the stock lies on the left. It says how wide a card is, how large the table gets, and the spot of each pile by its name.
export function arrange(game, piles, width, height, size, left) {
  const names = Object.fromEntries(piles.map((p) => [p.name, p]));
  let all = layouts[game]?.(names) || [];
  if (!all.length || piles.some((p) => !all[0].spots[p.name])) all = [unknown(piles)];
  const tallest = size === "large" ? Infinity : height;
  const fits = (l) => l.rows || l.card * (l.open || l.h) <= tallest + 1;
  for (const l of all) l.card = Math.min(width / l.w, Math.max(tallest / l.h, least), Math.max(size === "large" ? 220 : 160, width / 10));
  const larger = (a, b) => (!a || b.card > a.card + 0.5 ? b : a);
  const better = (a, b) => ((b.card > a.card + 0.5 && !(b.good > b.card && a.card >= least)) || (b.card > a.card - 0.5 && !fits(a) && fits(b)) ? b : a);
  const fit = all.filter(fits);
  const { card: most, spots, rows, open, w: loose, h } =
    fit.find((l) => l.card >= l.good) || fit.filter((l) => l.card >= least).reduce(larger, null) || all.find((l) => l.card >= l.good) || all.reduce(better);
  const fill = (card, w) => (width / card - 1) / (w - 1);
  const close = most < good ? Math.min(1, Math.max(1 / step, fill(good, loose))) : 1;
  const tight = (loose - 1) * close + 1;
  const card = (close < 1 ? Math.min(width / tight, Math.max(tallest / h, least)) : most) * (size === "small" ? 0.8 : 1);
  // Where there is room left the piles stand further apart, but for a small margin.
  const apart = close * Math.max(1, Math.min(1.5, fill(card, tight + 0.3)));
  const w = (loose - 1) * apart + 1;
  const high = Math.max(height / card, h);
  const air = rows || open ? 1 : Math.min(1.55, high / h);
  const pitch = rows ? Math.min(line, (high - tall) / (rows - 1)) : air;
  for (const s of Object.values(spots)) {
    if (s.fan && s.fan !== "d") s.room = (s.room - 1) * apart + 1;
    Object.assign(s, { x: s.x * apart, y: s.y * pitch, air });
  }
  const margin = (width / card - w) / 2;
  const turned = left && spots.stock?.x > (w - 1) / 2;
  for (const s of Object.values(spots)) {
    if (s.fan === "d") s.room = s.room ? (s.room - tall) * air + tall : high - s.y;
    if (turned) s.x = w - s.x - (s.fan && s.fan !== "d" ? s.room : 1);
    s.x += margin;
  }
  return { card, spots, high };
}

// fanned says where the cards of a fan lie from the first one, in widths of a card. A long fan closes up; where that would
// make every card hard to read, the upper ones stay readable and of those beneath the edges show.
export function fanned(spot, n) {
  const { fan, room } = spot;
  if (fan === "a" || fan === "b") return arcs(spot, n);
  const [open, ok, size] = fan === "d" ? [0.8, legible, tall] : [0.5, 0.4, 1];
  const all = room - size;
  let wide = open;
  let tight = 0;
  let narrow = 0;
  if ((n - 1) * open > all) {
    wide = all / (n - 1);
    if (wide < ok) {
      const edge = Math.min(0.1, all / n);
      tight = n - 1 - Math.max(1, Math.min(n - 1, Math.floor((all - (n - 1) * edge) / (ok - edge))));
      wide = Math.min(ok, (all - tight * edge) / Math.max(1, n - 1 - tight));
      narrow = edge;
    }
  }
  return Array.from({ length: n }, (_, i) => {
    const d = Math.min(i, tight) * narrow + Math.max(0, i - tight) * wide;
    return fan === "d" ? [0, d] : [d, 0];
  });
}

// arcs are the rainbow: one high arch, or as many flat ones as it takes to read each card.
function arcs({ fan, room, air }, n) {
  const bands = fan === "b" ? 1 : Math.max(2, Math.ceil(n / 17));
  const each = Math.max(Math.ceil(n / bands), 13);
  const rise = fan === "b" ? 3.1 : 0.35;
  return Array.from({ length: n }, (_, i) => {
    const many = fan === "b" ? Math.max(n, 26) : each;
    const t = (1.94 * (i % many)) / (many - 1) - 0.97;
    return [((room - 1) * (t + 0.97)) / 1.94, rise * (1 - Math.sqrt(1 - t * t)) + Math.floor(i / many) * (fan === "b" ? 0 : (2.1 * air + (air - 1)) / bands)];
  });
}
