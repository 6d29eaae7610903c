// Opens the live connection before the page's script is there. It stands in the document itself, which policies allow by its hash.

window.early = new WebSocket(new URL(document.currentScript.dataset.live, location).href.replace("http", "ws").replace(/[?#].*/, ""));
