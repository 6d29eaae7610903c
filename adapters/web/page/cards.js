// Cards as vectors: each is drawn once and copied from then on. At first they are letters; what is drawn comes after the page.

const signs = { S: "♠", H: "♥", D: "♦", C: "♣" };
const drawn = new Map();
let art = null;

function vector(tag, at) {
  const el = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(at)) el.setAttribute(name, value);
  return el;
}

// rankOf is what stands on a card for its rank; ranks are those of the language, as "J=В Q=Д".
export function rankOf(code, ranks) {
  if (code[0] === "T") return "10";
  return ranks?.match(new RegExp(`(?:^| )${code[0]}=(\\S+)`))?.[1] || code[0];
}

// cardText is a card in a line of text.
export function cardText(code, ranks) {
  return rankOf(code, ranks) + signs[code[1]];
}

// drawCard makes a card; a back is "--".
export function drawCard(code, ranks) {
  const key = code + ranks;
  if (!drawn.has(key)) drawn.set(key, fresh(code, rankOf(code, ranks)));
  return drawn.get(key).cloneNode(true);
}

function fresh(code, label) {
  const svg = vector("svg", { viewBox: "0 0 100 140", "aria-hidden": "true", class: "card back" });
  if (code === "--") return svg;
  svg.setAttribute("class", "card " + code[1]);
  svg.dataset.card = code;
  // Browsers that darken pages by themselves change what is drawn in another way than what lies beneath it.
  svg.append(vector("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 8 }), ...(art ? [full(code, label)] : []), brief(code, label));
  return svg;
}

// placed is an outline so many times as large, with its corner at x and y.
function placed(outline, x, y, wide, high = wide) {
  return outline.replace(/([\d.]+) ([\d.]+)/g, (_, u, v) => (x + u * wide).toFixed(1) + " " + (y + v * high).toFixed(1));
}

const twice = (outline) => outline + placed(outline, 100, 140, -1);
const pip = (suit, x, y, wide) => placed(art.suits[suit], x - wide / 2, y - wide / 2, wide / 100);
const filled = (ink, d) => vector("path", { class: ink, d });

function letter(text, x, y, size, wide, more) {
  const el = vector("text", { x, y, "font-size": size, ...more });
  el.textContent = text;
  // The Polish jack's letter is as wide as two figures.
  if (text.length > 1 || text === "W") for (const [name, value] of [["textLength", wide], ["lengthAdjust", "spacingAndGlyphs"]]) el.setAttribute(name, value);
  return el;
}

// brief is a face that can be read however small it is.
function brief([rank, suit], label) {
  const g = vector("g", { class: "brief" });
  const sign = (name, x, y, wide) => (art ? filled(name, pip(suit, x, y, wide)) : letter(signs[suit] + "\uFE0E", x, y + wide * 0.4, wide * 1.3, 0, { class: name }));
  const head = art?.heads[rank];
  g.append(letter(label, 24, 41, 50, 40), sign("beside", 61, 23, 29), sign("below", 23, 70, 30));
  for (const { ink, path } of head || []) g.append(filled(ink, placed(path, -27.5, 46, 1.55, 1.25)));
  g.append(head ? sign("", 50, 122, 25) : sign("", 50, 96, 54));
  return g;
}

// full is a face as it is printed.
function full([rank, suit], label) {
  const g = vector("g", { class: "full" });
  // A head, its frame and the suit's ornament have their layers in the same inks.
  const layer = (head, i) => head.path + [art.frame, art.ornaments[suit]].map((all) => all[i]?.path || "").join("");
  for (const [i, head] of (art.heads[rank] || []).entries()) g.append(filled(head.ink, twice(layer(head, i))));
  const pips = art.pips[rank].map(([x, y, wide]) => (y === 70 ? pip(suit, x, y, wide) : twice(pip(suit, x, y, wide))));
  const corner = letter(label, 11.5, 23, 25, 16);
  const other = corner.cloneNode(true);
  other.setAttribute("transform", "rotate(180 50 70)");
  g.append(filled("", pips.join("") + twice(pip(suit, 11.5, 32, 12.5))), corner, other);
  return g;
}

// paint draws all cards anew once their outlines are there.
async function paint() {
  art = await (await fetch(new URL("cards.json", import.meta.url))).json();
  drawn.clear();
  for (const el of document.querySelectorAll(".card[data-card]")) el.replaceChildren(...fresh(el.dataset.card, el.textContent.match(/^[^♠♥♦♣]+/)[0]).childNodes);
}

requestAnimationFrame(() => setTimeout(() => paint().catch(() => {})));
