// Opens the live connection, and asks for the words that will be wanted, before the page's script is there. It stands in the
// document itself, which policies allow by its hash.

{
  const { live, words } = document.currentScript.dataset;
  window.early = new WebSocket(new URL(live, location).href.replace("http", "ws").replace(/[?#].*/, ""));
  const tags = [location.hash.match(/language_code[%\dA]+([a-z]+)/)?.[1], ...navigator.languages];
  try {
    tags.unshift(sessionStorage["zevaka.lang"], localStorage["zevaka.lang"], JSON.parse(sessionStorage["zevaka.visit"] || "{}").lang);
  } catch {
    // What a browser forbids to read is asked for later.
  }
  const [tag] = tags.join().match(/\b(en|ru|pl|be|uk|kk)\b/) || ["en"];
  const lang = /be|uk|kk/.test(tag) ? "ru" : tag;
  window.words = { at: words, [lang]: fetch(words + lang + ".json").then((r) => r.json()) };
}
