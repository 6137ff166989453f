// Search over the index that docs/make_site.py writes (search_index.js), without a server, and the switch between dark and light.
"use strict";

const input = document.getElementById("search");
const found = document.getElementById("found");
const root = document.documentElement.dataset.root;

const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean);

/** Sections that contain every word asked for; a word in the heading counts more than one in the text. */
function search(query) {
  const asked = words(query);
  if (asked.length === 0) return [];
  const hits = [];
  for (const section of SEARCH_INDEX) {
    const title = section.title.toLowerCase(), text = section.text.toLowerCase();
    let score = 0;
    for (const word of asked) {
      const inTitle = title.includes(word), at = text.indexOf(word);
      if (!inTitle && at < 0) { score = 0; break; }
      const whole = words(section.title).includes(word) ? 8 : 0;
      score += (inTitle ? 10 : 0) + whole + (at >= 0 ? 1 + Math.min(text.split(word).length - 1, 5) : 0);
    }
    if (score > 0) hits.push({ section, score: score / Math.sqrt(1 + text.length / 4000) });
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, 12);
}

function show(query) {
  found.replaceChildren();
  for (const { section } of search(query)) {
    const link = document.createElement("a");
    link.href = root + section.link;
    link.textContent = section.title;
    const small = document.createElement("small");
    const first = words(query)[0], at = Math.max(0, section.text.toLowerCase().indexOf(first) - 40);
    small.textContent = section.page + " — " + section.text.slice(at, at + 140);
    link.append(small);
    found.append(link);
  }
}

input.addEventListener("input", () => show(input.value));
input.addEventListener("keydown", (event) => {
  const links = [...found.children], now = links.findIndex((link) => link.classList.contains("chosen"));
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") { input.value = ""; show(""); }
  if (event.key === "Enter" && links.length > 0) location.href = links[Math.max(now, 0)].href;
  if (step && links.length > 0) {
    event.preventDefault();
    links[now]?.classList.remove("chosen");
    links[(now + step + links.length) % links.length].classList.add("chosen");
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== input) { event.preventDefault(); input.focus(); }
});

const themes = { "": "dark", dark: "light", light: "" };
const theme = document.getElementById("theme");
function apply(name) {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  theme.textContent = name || "auto";
}
let chosen = "";
try { chosen = localStorage.getItem("theme") || ""; } catch { /* pages from disk may have no storage */ }
apply(chosen);
theme.addEventListener("click", () => {
  chosen = themes[chosen];
  apply(chosen);
  try { localStorage.setItem("theme", chosen); } catch { /* as above */ }
});

for (const block of document.querySelectorAll("main .highlight > pre")) {
  const button = document.createElement("button");
  button.className = "copy";
  button.textContent = "copy";
  const text = block.textContent;
  button.addEventListener("click", () => navigator.clipboard?.writeText(text).then(() => { button.textContent = "copied"; }));
  block.prepend(button);
}
if (location.search.startsWith("?q=")) {
  input.value = decodeURIComponent(location.search.slice(3));
  show(input.value);
}
