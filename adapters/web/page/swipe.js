// A swipe over the cloth of a patience, where no card is taken: to the left takes a move back, to the right makes it again.

const far = 60; // pixels
const quick = 700; // milliseconds
const edge = 24; // pixels at the sides of the window, where a swipe is the browser's own

export function swipe(field, free, does) {
  let from = null;
  visualViewport.onresize = () => (field.style.touchAction = visualViewport.scale < 1.1 ? "" : "manipulation"); // Then fingers move the page.
  field.addEventListener("pointerdown", (e) => {
    const inside = e.clientX > edge && e.clientX < innerWidth - edge && visualViewport.scale < 1.1;
    from = e.isPrimary && e.pointerType === "touch" && inside && free() ? e : null;
  });
  field.addEventListener("pointercancel", () => (from = null));
  field.addEventListener("pointerup", (e) => {
    if (from?.pointerId !== e.pointerId) return;
    const dx = e.clientX - from.clientX;
    const flat = Math.abs(dx) > Math.max(far, 2 * Math.abs(e.clientY - from.clientY));
    if (flat && e.timeStamp - from.timeStamp < quick) does(dx < 0 ? "undo" : "redo");
    from = null;
  });
}
