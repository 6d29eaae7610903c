package browsertest

// Player is a script that plays Зевака on a page as an attentive person does, by what the page shows: whenever it is their turn, they
// lay the card on the centre or on somebody's pile if it fits there, and else turn a card, or keep it. Where
// window.anySuit is set the centre takes the next rank in any suit. The script waits while window.hold is set, and ends when the game
// does.
const Player = `
window.playing = (async () => {
  const ranks = "6789TJQKA";
  const top = (el) => [...(el?.querySelectorAll(".card[data-card]") ?? [])].at(-1)?.dataset.card;
  const fits = (card, on) => card && on && ranks.indexOf(card[0]) === (ranks.indexOf(on[0]) + 1) % 9;
  const wish = (tbl) => {
    const can = [...tbl.querySelectorAll(".act, .go")].filter((b) => b.act && b.getAttribute("aria-disabled") === "false" && b.checkVisibility());
    const by = (ok) => can.find((b) => ok(b.act, b));
    const turned = top(tbl.querySelector(".place.turned")), card = turned || top(tbl.querySelector(".mine .place.waste"));
    const centre = top(tbl.querySelector(".place.foundation"));
    const lay = card && !document.querySelector("#alerts p") &&
      ((centre ? (window.anySuit || centre[1] === card[1]) && fits(card, centre) : card === "6S") && by((a) => a.do === "centre") ||
      by((a, b) => a.kind === "seat" && fits(card, top(b.closest(".seat")?.querySelector(".place.waste")))));
    return lay || by((a) => a.kind === "cut") || (turned ? by((a) => a.kind === "self") : by((a) => a.do === "flip")) || by((a) => a.look === "primary");
  };
  for (;;) {
    const tbl = document.querySelector(".tbl");
    if (tbl.dataset.phase === "ended") break;
    const b = !window.hold && tbl.matches(".yours") && wish(tbl);
    b?.click?.();
    await new Promise((done) => setTimeout(done, b ? 20 : 15));
  }
})();
0`

// Punter is a script that plays Польский банчок by what the page shows: whose turn it is stakes, or opens, and some bet along. It
// ends when the session does.
const Punter = `
window.playing = (async () => {
  let bets = 0;
  for (;;) {
    const tbl = document.querySelector(".tbl");
    if (tbl.dataset.phase === "ended" && tbl.querySelector(".stage .act")?.act.do !== "next") break;
    const can = [...tbl.querySelectorAll(".act, .go")].filter((b) => b.act && b.getAttribute("aria-disabled") === "false" && b.checkVisibility());
    const by = (ok) => can.find((b) => ok(b.act));
    const amount = by((a) => a.kind === "amount" && a.amount);
    const yours = tbl.matches(".yours"), playing = tbl.dataset.phase !== "ended";
    const b = !playing ? by((a) => a.do === "next") : yours ? by((a) => a.kind === "cut") || [...can].filter((b) => b.act.kind === "amount").at(1) || amount || by((a) => a.look === "primary") || by((a) => a.kind === "play") : amount && bets++ % 9 === 0 && amount;
    b?.click?.();
    await new Promise((done) => setTimeout(done, 60));
  }
})();
0`
