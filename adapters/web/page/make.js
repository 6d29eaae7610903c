// el is the element with an id.
export const el = (id) => document.getElementById(id);

// make makes an element.
export function make(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));
