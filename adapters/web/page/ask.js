// The dialog of a button that asks for something typed.

import { el } from "./make.js";

// ask puts the question and answers with what was typed; nothing if it was put off.
export function ask(question) {
  const dialog = el("ask");
  el("asktitle").textContent = question;
  el("answer").value = "";
  el("askcancel").onclick = () => dialog.close("");
  el("askform").onsubmit = () => dialog.close(el("answer").value.trim());
  dialog.returnValue = "";
  dialog.showModal();
  el("answer").focus();
  return new Promise((answered) => {
    dialog.onclose = () => answered(dialog.returnValue);
  });
}
