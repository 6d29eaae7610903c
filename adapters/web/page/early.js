// Opens the live connection, and asks for the words that will be wanted, before the page's script is there. It stands in the
// document itself, which policies allow by its hash.

{
  const { live, words } = document.currentScript.dataset;
  const person = location.hash.match(/id%(?:25)?22%(?:25)?3A(\d+)/);
  const guild = location.search.match(/\bguild_id=(\d+)/);
  let at = person ? "t" + Number(person[1]).toString(36) : guild ? "d" + BigInt(guild[1]).toString(36) : "";
  const tags = [location.hash.match(/language_code[%\dA]+([a-z]+)/)?.[1], ...navigator.languages];
  try {
    const visit = JSON.parse(sessionStorage["zevaka.visit"] || "{}");
    at ||= visit.at;
    tags.unshift(sessionStorage["zevaka.lang"], localStorage["zevaka.lang"], visit.lang);
  } catch {
    // What a browser forbids to read is asked for later.
  }
  // By which way the server's processes reach the one that is wanted: a guess, which the server puts right.
  window.early = new WebSocket(new URL(live, location).href.replace("http", "ws").replace(/[?#].*/, "") + (at ? "?at=" + at : ""));
  const [tag] = tags.join().match(/\b(en|ru|pl|be|uk|kk)\b/) || ["en"];
  const lang = /be|uk|kk/.test(tag) ? "ru" : tag;
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("old").hidden = Boolean([].toReversed && "ariaLabel" in document.body);
    // A browser of before 2024 doesn't know pairs of colours: it gets a stylesheet without them over the other.
    if (!CSS.supports("color", "light-dark(#000,#fff)")) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: words + "plain.css" }));
  });
  // What a document needs isn't there if a server of another version answers, as in a cluster that is being updated: a new one is asked for, or several.
  // What isn't the page's own, as a proxy or an extension puts it in, may fail.
  const own = new URL(words, location).href;
  addEventListener("error", ({ target }) => (target.src || target.href)?.startsWith?.(own) && document.readyState !== "complete" && setTimeout(() => location.reload(), 1000), true);
  window.words = { at: words, [lang]: fetch(words + lang + ".json").then((r) => r.json()) };
}
