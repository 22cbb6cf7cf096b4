// npm run bench:compare -- <commit>: this tree against another commit and against itself, in rounds one right after the
// other.
//
//   --rounds <n>    how many rounds of each measure (9)
//   --only <names>  some of receiver-by-id, create-receiver, payout, delivery
//   --quick         two short rounds, a smoke run whose results are not kept
//
// Two processes of the same code can differ by several per cent while they run, so each round has new processes, and a
// third side runs this tree once more: a difference within its spread counts as none. The other commit is checked out in
// a folder of its own, and each side runs its own bench modules. What counts is processor time: the load shares the cores.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkOut } from "./checkout.ts";
import {
  type ComparedName,
  type ComparedRound,
  compared,
  comparedNames,
  type Extent,
} from "./compare-measures.ts";
import { openSide, type Side } from "./compare-sides.ts";
import { say, sayDone } from "./progress.ts";
import { machineFacts, table } from "./report.ts";
import type { Requirement } from "./requirement.ts";
import { median } from "./rounds.ts";

const keptShare = 0.97;
const wholeExtent: Extent = { warmUpMs: 2_000, roundMs: 3_000, deliveries: 20_000 };
const quickExtent: Extent = { warmUpMs: 500, roundMs: 500, deliveries: 2_000 };

type Round = Record<Side["name"], ComparedRound>;
type Result = { name: ComparedName; rounds: Round[] };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "9" },
    only: { type: "string" },
    quick: { type: "boolean", default: false },
  },
});
const [revision] = positionals;
if (!revision)
  throw new Error("name the commit to compare with: npm run bench:compare -- <commit>");
const extent = values.quick ? quickExtent : wholeExtent;
const roundsCount = values.quick ? 2 : Number(values.rounds);
const wanted = values.only?.split(",") ?? comparedNames;
const root = join(import.meta.dirname, "..");

const checkout = checkOut(revision);
const { commit } = checkout;

const sides: Side[] = [];
try {
  sides.push(await openSide("before", checkout.folder));
  sides.push(await openSide("now", root), await openSide("again", root));
  const text = await compareAll();
  sayDone();
  process.stdout.write(text);
} finally {
  for (const { servers, postgres } of sides) await servers.stopAll().then(() => postgres.stop());
  checkout.close();
}

async function compareAll(): Promise<string> {
  const results: Result[] = [];
  for (const name of comparedNames.filter((one) => wanted.includes(one))) {
    results.push({ name, rounds: await compareRounds(name) });
  }
  const requirements = results.map(requirementOf);
  const facts = machineFacts((sides[0] as Side).postgres.version);
  const text = [
    `# This tree against ${commit}`,
    Object.entries(facts)
      .map(([name, value]) => `${name} ${value}`)
      .join(" · "),
    `${roundsCount} rounds of each side, one right after the other, each with processes of its own. The ratio is of ` +
      "processor time per operation, service and database together: the median of the rounds' ratios, with their middle " +
      `half; above 1 is faster. At least ${keptShare} is required, or what this tree reaches against itself. Times are ` +
      "microseconds of processor time per operation, medians.",
    table(
      [
        "",
        "ratio",
        "middle half",
        "against itself",
        "middle half",
        "before / s",
        "now / s",
        "service before",
        "service now",
        "database before",
        "database now",
      ],
      results.map(cells),
    ),
  ].join("\n\n");
  const missed = requirements.filter(({ holds }) => !holds);
  if (missed.length > 0 && !values.quick) {
    process.stderr.write(`not reached: ${missed.map((one) => one.text).join("; ")}\n`);
    process.exitCode = 1;
  }
  if (!values.quick) {
    writeFileSync(join(root, "bench", "results", "compared.md"), `${text}\n`);
    const kept = { commit, machine: facts, rounds: roundsCount, requirements, results };
    const json = `${JSON.stringify(kept, null, 2)}\n`;
    writeFileSync(join(root, "bench", "results", "compared.json"), json);
  }
  return `${text}\n`;
}

async function compareRounds(name: ComparedName): Promise<Round[]> {
  const measures: { side: Side; run: () => Promise<ComparedRound> }[] = [];
  for (const side of sides) measures.push({ side, run: await compared[name](side, extent) });
  const all: Round[] = [];
  for (let round = 0; round < roundsCount; round++) {
    const done: Partial<Round> = {};
    // Each round starts with another side, so that none always follows.
    const first = round % measures.length;
    for (const { side, run } of [...measures.slice(first), ...measures.slice(0, first)]) {
      say(`${name}, round ${round + 1} of ${roundsCount}: ${side.name}`);
      done[side.name] = await run();
    }
    all.push(done as Round);
  }
  return all;
}

/** How many times the processor time of `side` the other one needs, in each round, sorted. */
function ratios(rounds: readonly Round[], other: Side["name"], side: Side["name"]): number[] {
  const cost = ({ perSecond, serviceUs, databaseUs }: ComparedRound) =>
    // Processor time is known on Linux only.
    serviceUs === undefined || databaseUs === undefined ? 1 / perSecond : serviceUs + databaseUs;
  return rounds
    .map((round) => cost(round[other]) / cost(round[side]))
    .toSorted((left, right) => left - right);
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.round(share * (sorted.length - 1))] ?? 0;
}

function requirementOf({ name, rounds }: Result): Requirement {
  const ratio = median(ratios(rounds, "before", "now")) as number;
  const least = Math.min(keptShare, at(ratios(rounds, "again", "now"), 0.25));
  return {
    text: `${name}: processor time before / now`,
    ratio,
    required: `≥ ${least.toFixed(3)}`,
    holds: ratio >= least,
  };
}

function cells({ name, rounds }: Result): string[] {
  const middle = (side: Side["name"], field: keyof ComparedRound) => {
    const value = median(rounds.flatMap((round) => round[side][field] ?? []));
    return value === undefined ? "–" : Math.round(value).toLocaleString("en");
  };
  const ratioCells = (other: Side["name"]) => {
    const sorted = ratios(rounds, other, "now");
    const half = `${at(sorted, 0.25).toFixed(2)} – ${at(sorted, 0.75).toFixed(2)}`;
    return [(median(sorted) as number).toFixed(3), half];
  };
  return [
    name,
    ...ratioCells("before"),
    ...ratioCells("again"),
    middle("before", "perSecond"),
    middle("now", "perSecond"),
    middle("before", "serviceUs"),
    middle("now", "serviceUs"),
    middle("before", "databaseUs"),
    middle("now", "databaseUs"),
  ];
}
