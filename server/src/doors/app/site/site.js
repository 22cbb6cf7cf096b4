// @ts-check
// What the documentation site does with script: the colours, the search, copying, and the reader's own key and ids in samples.
// Everything can be read without it.

/** The console keeps the choice under the same name. */
const schemeKey = "disburse-scheme";
const schemes = ["auto", "light", "dark"];

const scheme = () => localStorage.getItem(schemeKey) ?? "auto";

/** Before the page is painted. */
function applyScheme() {
  document.documentElement.dataset.scheme = scheme();
}
applyScheme();

// Addresses of the reference from before, which is a page of its own.
if (
  location.pathname.replace(/\/$/, "") === "/docs" &&
  /^#(tag|model|description|webhook)/.test(location.hash)
)
  location.replace(`/docs/send${location.hash}`);

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * @param {string} name
 * @param {string} text
 */
function element(name, text, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

function startScheme() {
  const button = byId("site-scheme");
  const show = () => {
    button.textContent = { light: "Light", dark: "Dark" }[scheme()] ?? "System";
    button.setAttribute("aria-label", `Colours: ${button.textContent}`);
    applyScheme();
  };
  button.addEventListener("click", () => {
    localStorage.setItem(schemeKey, schemes[(schemes.indexOf(scheme()) + 1) % 3] ?? "auto");
    show();
  });
  show();
  button.hidden = false;
}

/** On a wide screen the list of pages is open. */
function startMenu() {
  const menu = /** @type {HTMLDetailsElement} */ (byId("site-menu"));
  const wide = matchMedia("(min-width: 60rem)");
  const follow = () => {
    menu.open = wide.matches;
  };
  wide.addEventListener("change", follow);
  follow();
  menu.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
}

function startCopying() {
  for (const block of document.querySelectorAll("pre")) {
    const frame = element("div", "", "code");
    const button = /** @type {HTMLButtonElement} */ (element("button", "Copy"));
    button.type = "button";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.textContent?.trimEnd() ?? "");
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2_000);
    });
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

/** The chosen language stays for the next page. */
function startTabs() {
  const key = "disburse-docs-language";
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (
    document.querySelectorAll(".tabs input")
  )) {
    if (input.value === localStorage.getItem(key)) input.checked = true;
    input.addEventListener("change", () => localStorage.setItem(key, input.value));
  }
}

const foundMax = 12;
const excerptChars = 150;

/** @typedef {[title: string, heading: string, address: string, body: string]} Found */

/** @type {Promise<Found[]> | undefined} */
let index;

const indexUrl = () => new URL(byId("site-search").dataset.index ?? "", location.href);

function loadIndex() {
  index ??= fetch(indexUrl()).then((answer) => answer.json());
  return index;
}

/**
 * All words have to be there. One in a heading counts more than one in the text.
 * @param {Found} entry
 * @param {string[]} words
 */
function scoreOf([title, heading, address, body], words) {
  const [head, text] = [`${title} ${heading}`.toLowerCase(), body.toLowerCase()];
  let score = 0;
  for (const word of words) {
    if (!head.includes(word) && !text.includes(word)) return 0;
    score += (head.includes(word) ? 5 : 0) + (text.includes(word) ? 1 : 0);
    if ((heading || title).toLowerCase() === word) score += 10;
  }
  // Guides come before lists of fields.
  return /operations\/|errors\//.test(address) ? score - 2 : score;
}

/**
 * @param {string} body
 * @param {string} word
 */
function excerptOf(body, word) {
  const start = Math.max(0, body.toLowerCase().indexOf(word) - 40);
  return `${start > 0 ? "… " : ""}${body.slice(start, start + excerptChars)}${body.length > start + excerptChars ? " …" : ""}`;
}

async function showFound() {
  const query = /** @type {HTMLInputElement} */ (byId("site-query")).value.toLowerCase();
  const words = query.split(/\s+/).filter(Boolean);
  const found = byId("site-found");
  found.hidden = words.length === 0;
  if (words.length === 0) return;
  const ranked = (await loadIndex())
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, foundMax);
  const links = ranked.map(({ entry: [title, heading, address, body] }) => {
    const link = /** @type {HTMLAnchorElement} */ (element("a", "", "hit"));
    link.href = new URL(address, indexUrl()).href;
    const name = element("strong", heading ? `${title} › ${heading}` : title, "hit-title");
    link.append(name, element("span", excerptOf(body, words[0] ?? ""), "hit-text"));
    return link;
  });
  found.replaceChildren(
    ...(links.length > 0 ? links : [element("p", "Nothing has all these words.")]),
  );
}

function startSearch() {
  const [box, query, found] = [byId("site-search"), byId("site-query"), byId("site-found")];
  box.hidden = false;
  query.addEventListener("focus", () => void loadIndex());
  query.addEventListener("input", () => void showFound());
  /** @param {number} step */
  const move = (step) => {
    const stops = [query, ...found.querySelectorAll("a")];
    const at = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    /** @type {HTMLElement} */ (stops[at + step] ?? query).focus();
  };
  box.addEventListener("keydown", (event) => {
    const link = found.querySelector("a");
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && event.target === query && link) link.click();
    else if (event.key === "Escape") found.hidden = true;
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Node && box.contains(target))) found.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    query.focus();
  });
}

/** The console leads here with the subaccount behind the "#". The session reads the rest; nothing of it is in an address. */
async function startValues() {
  const key = "disburse-docs-subaccount";
  const [, given] = /^#subaccount=([\w-]+)$/.exec(location.hash) ?? [];
  if (given) {
    sessionStorage.setItem(key, given);
    history.replaceState(null, "", location.pathname);
  }
  const places = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-value]"));
  /** @type {Record<string, string | null | undefined>} */
  const values = { base_url: location.origin };
  const subaccount = sessionStorage.getItem(key);
  if (subaccount && places.length > 0) Object.assign(values, await ownValues(subaccount));
  for (const place of places) {
    const value = values[place.dataset.value ?? ""];
    if (value) place.textContent = value;
  }
}

/** @param {string} subaccount */
async function ownValues(subaccount) {
  /** @param {string} path */
  const read = async (path) => {
    const answer = await fetch(`/console/api/s/${subaccount}/${path}`);
    return answer.ok ? answer.json() : {};
  };
  const [start, payouts, receivers] = await Promise.all(
    ["quickstart", "payouts?limit=1", "receivers?limit=1"].map(read),
  );
  const payout = payouts.rows?.[0];
  return {
    key: start.key,
    payout_id: payout?.id,
    receiver_id: payout?.receiver.id ?? receivers.rows?.[0]?.id,
    account_id: payout?.account.id,
  };
}

document.addEventListener("DOMContentLoaded", () => {
  startScheme();
  startMenu();
  startTabs();
  startCopying();
  startSearch();
  // Without a session the samples keep their own values.
  startValues().catch(() => undefined);
});
