// The pages, tabs and actions that the search offers for what was typed, best first. Pure.

import { type InSubaccount, isSeen, type Page, type Permitted, pageTitle } from "./pages.ts";
import { searchedPages } from "./search-items.ts";

/** Words that people type around what they look for. */
const fillers = new Set(
  "a an the my our of to for in on at and how do i we can where is".split(" "),
);

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/['’]s\b/g, "")
    .split(/[\s,.?!:]+/)
    .filter((word) => word !== "");

/** Every word that was typed, but for fillers, starts a word of the page. Without any, those of the navigation are listed. */
export function foundPages(me: Permitted, subaccount: InSubaccount, text: string): readonly Page[] {
  const all = wordsOf(text);
  const whole = all.join(" ");
  const meant = all.filter((word) => !fillers.has(word));
  const typed = meant.length > 0 ? meant : all;
  return searchedPages
    .filter((page) => isSeen(page, me, subaccount))
    .map((page) => ({
      page,
      score: pageTitle(page).toLowerCase() === whole ? 100 : scoreOf(page, typed),
    }))
    .filter(({ score }) => score > 0 || typed.length === 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ page }) => page);
}

/** A word of the name counts more than another, and a whole word more than its start. 0: a word fits nothing. */
function scoreOf(page: Page, typed: readonly string[]): number {
  if (typed.length === 0) return 0;
  const names = wordsOf(`${pageTitle(page)} ${page.label}`);
  const others = wordsOf(page.words ?? "");
  const scores = typed.map((word) =>
    Math.max(3 * fit(names, word), 2 * fit(others, word) - (others.length > 0 ? 0.5 : 0)),
  );
  if (scores.some((score) => score <= 0)) return 0;
  const sum = scores.reduce((a, b) => a + b, 0);
  // Among pages that fit equally well, the one whose name says no more than that.
  return sum - names.length / 100;
}

function fit(words: readonly string[], typed: string): number {
  if (words.some((word) => singular(word) === singular(typed))) return 1;
  return words.some((word) => word.startsWith(typed)) ? 0.6 : 0;
}

const singular = (word: string) => (word.length > 3 ? word.replace(/s$/, "") : word);
