// A report: as text, as JSON, and as JUnit, which tools of continuous integration read.

import type { Line, Report } from "./conform.ts";
import { publishedDocument } from "./table.ts";

const outcomes = ["kept", "broken", "not tried"] as const;

const countOf = (lines: readonly Line[]) => (outcome: Line["outcome"]) =>
  lines.filter((line) => line.outcome === outcome).length;

export const isKept = ({ lines }: Report) => countOf(lines)("broken") === 0;

export function reportText({ url, marker, lines }: Report): string {
  const words = lines.map(({ outcome, section, name, promise, request, expected, seen }) => {
    const line = `${outcome.padEnd(9)}  ${section}  ${name}: ${promise}`;
    if (outcome === "kept") return line;
    const why = outcome === "broken" ? [`request   ${request}`, `expected  ${expected}`] : [];
    return [line, ...[...why, `seen      ${seen}`].map((text) => `           ${text}`)].join("\n");
  });
  const count = countOf(lines);
  const sum = outcomes.map((outcome) => `${count(outcome)} ${outcome}`).join(", ");
  return [
    `${publishedDocument} at ${url}`,
    `The emails of this run's receivers have ${marker}.`,
    "",
    ...words,
    "",
    `${lines.length} promises: ${sum}.`,
    "",
  ].join("\n");
}

export function reportJson({ url, marker, startedAt, lines }: Report): string {
  const count = countOf(lines);
  const counts = { kept: count("kept"), broken: count("broken"), not_tried: count("not tried") };
  const about = { document: publishedDocument, url, marker, started_at: startedAt };
  return `${JSON.stringify({ ...about, ...counts, promises: lines }, null, 2)}\n`;
}

export function reportJunit({ startedAt, lines }: Report): string {
  const suites = [...Map.groupBy(lines, ({ section }) => section)].map(([section, group]) => {
    const cases = group.map(testcase).join("\n");
    return `  <testsuite ${attributes({ name: section, ...sums(group), timestamp: startedAt })}>\n${cases}\n  </testsuite>`;
  });
  const about = attributes({ name: publishedDocument, ...sums(lines) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${about}>\n${suites.join("\n")}\n</testsuites>\n`;
}

function sums(lines: readonly Line[]) {
  const count = countOf(lines);
  return { tests: lines.length, failures: count("broken"), errors: 0, skipped: count("not tried") };
}

function testcase({ section, name, promise, outcome, request, expected, seen }: Line): string {
  const start = `    <testcase ${attributes({ classname: section, name: `${name}: ${promise}` })}`;
  if (outcome === "kept") return `${start}/>`;
  if (outcome === "not tried")
    return `${start}><skipped ${attributes({ message: seen })}/></testcase>`;
  const text = inXml(`request: ${request}\nexpected: ${expected}\nseen: ${seen}`);
  return `${start}><failure ${attributes({ message: `seen ${seen}` })}>${text}</failure></testcase>`;
}

const attributes = (values: Record<string, string | number>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${inXml(String(value))}"`)
    .join(" ");

const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** XML has no control characters but tabs and line ends. */
const inXml = (text: string) =>
  text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\u{fffd}")
    .replaceAll(/[&<>"]/g, (sign) => signs[sign] ?? sign);
