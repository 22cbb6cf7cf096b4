// The documentation for agents: a search for sections, and a section as a whole. It comes with the package, so it says what
// this version does.

import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Section = { page: string; heading: string; text: string };

const foundMax = 8;
const excerptChars = 300;

/** In the packed file, and in a clone. */
const folders = ["docs", "../../../docs"].map((path) => join(import.meta.dirname, path));

let sections: readonly Section[] | undefined;

function readSections(): readonly Section[] {
  const folder = folders.find((path) => existsSync(path)) ?? "";
  return globSync("**/*.md", { cwd: folder })
    .sort()
    .flatMap((page) => sectionsOf(page, readFileSync(join(folder, page), "utf8")));
}

/** A heading begins a section, except in a block of code. */
function sectionsOf(page: string, text: string): Section[] {
  const found: Section[] = [];
  let isCode = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const [, heading] = (!isCode && /^#{1,4} (.+)$/.exec(line)) || [];
    if (heading !== undefined) found.push({ page, heading, text: "" });
    const last = found.at(-1);
    if (last && heading === undefined) last.text += `${line}\n`;
  }
  return found;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d_]{2,}/gu) ?? [];

/** The sections that have most of the words. One in the heading counts as three. */
export function searchDocs(query: string): string {
  sections ??= readSections();
  const words = [...new Set(wordsOf(query))];
  const ranked = sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, foundMax);
  if (ranked.length === 0) return "No section has these words. Try fewer, or others.";
  return ranked.map(({ section }) => excerptOf(section, words)).join("\n\n");
}

function scoreOf({ page, heading, text }: Section, words: readonly string[]): number {
  const [title, body] = [`${page} ${heading}`.toLowerCase(), text.toLowerCase()];
  return words.reduce(
    (sum, word) => sum + (title.includes(word) ? 3 : 0) + (body.includes(word) ? 1 : 0),
    0,
  );
}

function excerptOf({ page, heading, text }: Section, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - excerptChars / 3);
  const excerpt = text.slice(places.length > 0 ? start : 0).slice(0, excerptChars);
  return `${page} # ${heading}\n${excerpt.trim()}`;
}

/** Undefined if there is no such section. Without a heading: the whole page. */
export function readDocs(page: string, heading?: string): string | undefined {
  sections ??= readSections();
  const ofPage = sections.filter((section) => section.page === page);
  const found = heading === undefined ? ofPage : ofPage.filter((one) => one.heading === heading);
  if (found.length === 0) return undefined;
  return found.map(({ heading, text }) => `# ${heading}\n${text}`).join("\n");
}
