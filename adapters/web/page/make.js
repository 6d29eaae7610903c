// el is the element with an id.
export const el = (id) => document.getElementById(id);

// make makes an element.
export function make(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}

// button is one that does what onclick does, if it is given.
export const button = (name, text, onclick) => Object.assign(make("button", name, text), { type: "button", onclick });

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// copied copies a text to be pasted elsewhere, and answers whether it could; within is where it may stand for that. A page in a frame has
// the clipboard, and may be forbidden to use it.
export async function copied(text, within) {
  if (await navigator.clipboard?.writeText(text).then(() => true, () => false)) return true;
  const box = within.appendChild(Object.assign(make("textarea"), { value: text }));
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
}
