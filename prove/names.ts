// Tries the matcher of names: labelled pairs, and people that are or are not on a list. The folder has names/pairs.csv,
// names/positives-*.csv, names/negatives.csv and a list of the United Nations.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { compareNames, matchThreshold } from "../packages/name-matching/src/compare.ts";
import { indexNames, type NameIndex } from "../packages/name-matching/src/name-index.ts";
import { prepareName } from "../packages/name-matching/src/prepare.ts";
import { carryOver, type MatchFigures, matchFigures, type ScoredPair } from "./match-figures.ts";
import { readUnNames, type UnName } from "./un-names.ts";

const results = join(import.meta.dirname, "results");
const seed = 17;

type Pair = { schema: string; name1: string; name2: string; is_match: string };
type Requirement = { text: string; value: number; required: string; holds: boolean };

export function proveNames(folder: string): void {
  const pairs = readCsv<Pair>(join(folder, "names", "pairs.csv")).map(scorePair);
  const people = pairs.filter(({ isPerson }) => isPerson);
  const figures = {
    all: matchFigures(pairs, matchThreshold, seed),
    people: matchFigures(people, matchThreshold, seed),
    organisations: matchFigures(
      pairs.filter(({ isPerson }) => !isPerson),
      matchThreshold,
      seed,
    ),
  };
  const screened = screenAll(folder);
  const requirements: Requirement[] = [
    atLeast("F1 of all pairs", figures.all.f1, 0.8),
    atLeast("F1 of pairs of people", figures.people.f1, 0.76),
    atLeast("found: plain names", screened.plain, 0.99),
    atLeast("found: names with typing errors", screened.typos, 0.97),
    {
      text: "false alarms among made-up people",
      value: screened.falseAlarms,
      required: "≤ 0.001",
      holds: screened.falseAlarms <= 0.001,
    },
  ];
  const facts = {
    date: new Date().toISOString().slice(0, 10),
    result: requirements.every(({ holds }) => holds) ? "kept" : "failed",
    threshold: matchThreshold,
    figures,
    halves: carryOver(pairs, seed),
    screened,
    requirements,
  };
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, "names.json"), `${JSON.stringify(facts, null, 2)}\n`);
  const text = toMarkdown(facts);
  writeFileSync(join(results, "names.md"), text);
  process.stdout.write(text);
  if (facts.result !== "kept") process.exitCode = 1;
}

function readCsv<Row>(file: string): Row[] {
  return parse(readFileSync(file), { columns: true });
}

function scorePair({ schema, name1, name2, is_match }: Pair): ScoredPair & { isPerson: boolean } {
  const isPerson = schema === "Person";
  const kind = isPerson ? "person" : "organisation";
  const { score } = compareNames(prepareName(name1, kind), prepareName(name2, kind));
  return { score, isMatch: is_match === "true", isPerson };
}

/** Names only: without dates of birth and countries, and aliases of low quality count like others. */
function screenAll(folder: string) {
  const lists = join(folder, "lists");
  const list = readdirSync(lists).find((name) => /^un-.*\.xml$/.test(name));
  if (!list) throw new Error(`${lists} has no un-….xml`);
  const names = readUnNames(join(lists, list));
  const index = indexNames(
    names.map((entry) => ({ entry, name: prepareName(entry.text, entry.kind) })),
  );
  const share = (file: string) => shareFound(index, join(folder, "names", file));
  const before = process.cpuUsage();
  const falseAlarms = share("negatives.csv");
  const { user, system } = process.cpuUsage(before);
  const { length } = readCsv(join(folder, "names", "negatives.csv"));
  return {
    names: names.length,
    plain: share("positives-plain.csv"),
    typos: share("positives-typos.csv"),
    falseAlarms,
    microsecondsEach: Math.round((user + system) / length),
  };
}

function shareFound(index: NameIndex<UnName>, file: string): number {
  const people = readCsv<{ full_name: string }>(file);
  const found = people.filter(
    ({ full_name }) => index.find(prepareName(full_name, "person")).length > 0,
  );
  return found.length / people.length;
}

function atLeast(text: string, value: number, min: number): Requirement {
  return { text, value, required: `≥ ${min}`, holds: value >= min };
}

type Facts = {
  date: string;
  result: string;
  threshold: number;
  figures: Record<string, MatchFigures>;
  halves: ReturnType<typeof carryOver>;
  screened: ReturnType<typeof screenAll>;
  requirements: Requirement[];
};

function toMarkdown({ date, result, threshold, figures, halves, screened, requirements }: Facts) {
  const fixed = (value: number) => value.toFixed(3);
  const rows = Object.entries(figures).map(
    ([name, { pairs, precision, recall, f1, f1Low, f1High }]) =>
      `| ${name} | ${pairs} | ${[precision, recall, f1].map(fixed).join(" | ")} | ${fixed(f1Low)} – ${fixed(f1High)} |`,
  );
  const required = requirements.map(
    ({ text, value, required: bound, holds }) =>
      `| ${text} | ${value.toFixed(4)} | ${bound} | ${holds ? "yes" : "**no**"} |`,
  );
  return `# The matcher of names

Made by \`npm run prove -- --material <folder> --only names\` on ${date}: ${result}. The threshold is ${threshold} for everything.

| | value | required | reached |
|---|---|---|---|
${required.join("\n")}

| labelled pairs | pairs | precision | recall | F1 | 95 % interval |
|---|---|---|---|---|---|
${rows.join("\n")}

The interval comes from drawing the pairs again ${2_000} times. With the threshold chosen on a random half of the pairs and tried on the other,
${halves.splits} times: F1 ${fixed(halves.chosenOn)} on the first half, ${fixed(halves.triedOn)} on the other, mean threshold ${fixed(halves.threshold)}.

People were looked for among ${screened.names} names of a list of the United Nations, by name only. One search took ${screened.microsecondsEach} µs of processor time.
`;
}
