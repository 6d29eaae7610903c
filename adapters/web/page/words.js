// The page's own words, in each language a file of its own, of which a page loads those that it needs. What the bot says comes
// from the bot.

import { pause } from "./make.js";

// languages are what each calls itself.
export const languages = { en: "English", ru: "Русский", pl: "Polski" };

const all = {};

// learn has the words of a language come, and answers whether they have.
export async function learn(lang) {
  const asked = (window.words ||= { at: "words/" });
  try {
    all[lang] ||= await (asked[lang] || fetched(asked.at + lang + ".json"));
  } catch {
    // Without them the page goes on in the language that it has.
  }
  delete asked[lang];
  return lang in all;
}

// fetched is what a file says. Where it is gone the page is an old one.
export async function fetched(file) {
  const answer = await fetch(file);
  if (answer.status === 404) location.reload();
  return answer.json();
}

// begin waits until the page has words in a language.
export async function begin(lang) {
  while (!(await learn(lang))) await pause(1000);
}

// speak is the words of a language; of another, if they haven't come.
export function speak(lang) {
  return all[lang] || Object.values(all)[0];
}

// known is the first of these tags that we speak.
export function known(tags) {
  for (const tag of tags) {
    const short = tag.toLowerCase().split("-")[0];
    if (languages[short]) return short;
    if (short === "be" || short === "uk" || short === "kk") return "ru";
  }
  return "en";
}

// say puts values into a phrase.
export function say(phrase, values) {
  return phrase.replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

// label writes the words into every element that names one.
export function label(root, words) {
  for (const el of root.querySelectorAll("[data-t]")) el.textContent = words[el.dataset.t];
  for (const el of root.querySelectorAll("[data-t-label]")) el.ariaLabel = words[el.dataset.tLabel];
  for (const el of root.querySelectorAll("[data-t-placeholder]")) el.placeholder = words[el.dataset.tPlaceholder];
}
