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

// copied copies a text to be pasted elsewhere, and answers whether it could; within is where it may stand for that.
export async function copied(text, within) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
  const box = within.appendChild(Object.assign(make("textarea"), { value: text }));
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
}
