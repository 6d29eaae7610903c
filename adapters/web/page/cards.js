// Cards as vectors: each is drawn once and copied from then on.

const shapes = {
  S: "M50 0C58 17 98 38 98 63 98 78 87 86 76 86 67 86 60 82 55 74 56 86 61 94 71 100H29C39 94 44 86 45 74 40 82 33 86 24 86 13 86 2 78 2 63 2 38 42 17 50 0Z",
  C: "M26 24a24 24 0 1 1 41 17 24 24 0 1 1-12 28c1 16 5 24 16 31H29c11-7 15-15 16-31a24 24 0 1 1-12-28 24 24 0 0 1-7-17Z",
  D: "M50 0C60 19 74 36 91 50 74 64 60 81 50 100 40 81 26 64 9 50 26 36 40 19 50 0Z",
  H: "M50 100C42 80 2 60 2 30 2 12 14 3 27 3 38 3 46 10 50 22 54 10 62 3 73 3 86 3 98 12 98 30 98 60 58 80 50 100Z",
  K: "M16 39 5 11 28 24 50 4 72 24 95 11 84 39ZM16 43H84V50H16Z",
  Q: "M12 40C10 27 8 22 3 17 20 22 28 20 33 10 38 20 44 18 50 3 56 18 62 20 67 10 72 20 80 22 97 17 92 22 90 27 88 40 64 35 36 35 12 40ZM12 45C36 39 64 39 88 45V50C64 45 36 45 12 50Z",
  J: "M17 40C14 27 28 21 50 21 72 21 86 27 83 40 62 44 38 44 17 40ZM2 42C30 49 70 49 98 42V48C70 54 30 54 2 48ZM24 19C34 2 66-4 97 2 90 13 64 17 44 15 36 14 29 16 24 19Z",
};
const signs = { S: "♠", H: "♥", D: "♦", C: "♣" };
const drawn = new Map();

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
  if (!drawn.has(key)) drawn.set(key, fresh(code, ranks));
  return drawn.get(key).cloneNode(true);
}

function fresh(code, ranks) {
  const svg = vector("svg", { viewBox: "0 0 100 140", "aria-hidden": "true", class: "card back" });
  if (code === "--") return svg;
  const [rank, suit] = code;
  svg.setAttribute("class", "card " + suit);
  svg.dataset.card = code;
  const part = (name, shape, x, y, k) => vector("path", { class: name, d: shapes[shape], transform: `translate(${x} ${y})scale(${k})` });
  const text = vector("text", { x: 6, y: 43 });
  text.textContent = rankOf(code, ranks);
  const wide = text.textContent.length > 1 || text.textContent === "W"; // The Polish jack's letter is as wide as two figures.
  if (wide) for (const [name, value] of [["textLength", 50], ["lengthAdjust", "spacingAndGlyphs"], ["x", 4]]) text.setAttribute(name, value);
  svg.append(text, part("beside", suit, 60, 7, 0.34), part("below", suit, 9, 54, 0.3));
  if (shapes[rank] && rank > "A" && "JQK".includes(rank)) svg.append(part("pale", rank, 38, 60, 0.54), part("", suit, 47, 92, 0.37));
  else svg.append(part("", suit, 38, 72, 0.54));
  return svg;
}
