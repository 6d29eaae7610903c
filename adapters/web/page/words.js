// The page's own words, in each language a file of its own. What the bot says comes from the bot.

import { wordsEn } from "./words/en.js";
import { wordsRu } from "./words/ru.js";
import { wordsPl } from "./words/pl.js";

const all = { en: wordsEn, ru: wordsRu, pl: wordsPl };
const fallback = Object.keys(all)[0];

// languages are what each calls itself.
export const languages = Object.fromEntries(Object.entries(all).map(([tag, words]) => [tag, words.language]));

// speak is the words of a language; of the first, if we don't speak it.
export function speak(lang) {
  return all[lang] || all[fallback];
}

// known is the first of these tags that we speak.
export function known(tags) {
  for (const tag of tags) {
    const short = tag.toLowerCase().split("-")[0];
    if (all[short]) return short;
    if (short === "be" || short === "uk" || short === "kk") return "ru";
  }
  return fallback;
}

// say puts values into a phrase.
export function say(phrase, values) {
  return phrase.replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

// label writes the words into every element that names one.
export function label(root, words) {
  for (const el of root.querySelectorAll("[data-t]")) el.textContent = words[el.dataset.t];
  for (const el of root.querySelectorAll("[data-t-label]")) el.setAttribute("aria-label", words[el.dataset.tLabel]);
  for (const el of root.querySelectorAll("[data-t-placeholder]")) el.placeholder = words[el.dataset.tPlaceholder];
}
