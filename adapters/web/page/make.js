// make makes an element.
export function make(tag, name, text) {
  const el = document.createElement(tag);
  if (name) el.className = name;
  if (text) el.textContent = text;
  return el;
}

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));
