// npm run bench:compare -- <commit>: this tree against another commit, in pairs of rounds one right after the other.
//
//   --pairs <n>     how many pairs of each measure (11)
//   --only <names>  some of receiver-by-id, create-receiver, payout, delivery
//   --quick         two short pairs, a smoke run whose results are not kept
//
// Two processes of the same code can differ by several per cent while they run, so each pair has new processes. The
// other commit is checked out beside this one, and both sides run their own bench modules.

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
import { atLeast } from "./requirement.ts";
import { median } from "./rounds.ts";

const keptShare = 0.97;
const wholeExtent: Extent = { warmUpMs: 2_000, roundMs: 3_000, deliveries: 20_000 };
const quickExtent: Extent = { warmUpMs: 500, roundMs: 500, deliveries: 2_000 };

type Pair = Record<Side["name"], ComparedRound>;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: "string", default: "11" },
    only: { type: "string" },
    quick: { type: "boolean", default: false },
  },
});
const [revision] = positionals;
if (!revision)
  throw new Error("name the commit to compare with: npm run bench:compare -- <commit>");
const extent = values.quick ? quickExtent : wholeExtent;
const pairs = values.quick ? 2 : Number(values.pairs);
const wanted = values.only?.split(",") ?? comparedNames;
const root = join(import.meta.dirname, "..");

const checkout = checkOut(revision);
const { commit } = checkout;

const sides: Side[] = [];
try {
  sides.push(await openSide("before", checkout.folder), await openSide("now", root));
  const text = await compareAll();
  sayDone();
  process.stdout.write(text);
} finally {
  for (const { servers, postgres } of sides) await servers.stopAll().then(() => postgres.stop());
  checkout.close();
}

async function compareAll(): Promise<string> {
  const results = [];
  for (const name of comparedNames.filter((one) => wanted.includes(one))) {
    results.push({ name, rounds: await comparePairs(name) });
  }
  const requirements = results.map(({ name, rounds }) =>
    atLeast(
      `${name}: now / before`,
      medianRatio(rounds, (round) => round.perSecond),
      keptShare,
    ),
  );
  const facts = machineFacts((sides[0] as Side).postgres.version);
  const text = [
    `# This tree against ${commit}`,
    Object.entries(facts)
      .map(([name, value]) => `${name} ${value}`)
      .join(" · "),
    `${pairs} pairs of rounds, one right after the other, each with processes of its own; the ratio is the median of the ` +
      "pairs' ratios. Times are microseconds of processor time per operation, medians.",
    table(
      [
        "",
        "ratio",
        "middle half",
        "before / s",
        "now / s",
        "service before",
        "service now",
        "database before",
        "database now",
      ],
      results.map(({ name, rounds }) => cells(name, rounds)),
    ),
  ].join("\n\n");
  const missed = requirements.filter(({ holds }) => !holds);
  if (missed.length > 0 && !values.quick) {
    process.stderr.write(`not reached: ${missed.map((one) => one.text).join("; ")}\n`);
    process.exitCode = 1;
  }
  if (!values.quick) {
    writeFileSync(join(root, "bench", "results", "compared.md"), `${text}\n`);
    const kept = { commit, machine: facts, pairs, requirements, results };
    const json = `${JSON.stringify(kept, null, 2)}\n`;
    writeFileSync(join(root, "bench", "results", "compared.json"), json);
  }
  return `${text}\n`;
}

async function comparePairs(name: ComparedName): Promise<Pair[]> {
  const rounds = [];
  for (const side of sides) rounds.push({ side, run: await compared[name](side, extent) });
  const all: Pair[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const done: Partial<Pair> = {};
    // Each pair starts with the other side, so that neither always follows.
    for (const { side, run } of pair % 2 === 0 ? rounds : rounds.toReversed()) {
      say(`${name}, pair ${pair + 1} of ${pairs}: ${side.name}`);
      done[side.name] = await run();
    }
    all.push(done as Pair);
  }
  return all;
}

function medianRatio(all: readonly Pair[], pick: (round: ComparedRound) => number): number {
  return median(all.map(({ before, now }) => pick(now) / pick(before))) as number;
}

function cells(name: string, all: readonly Pair[]): string[] {
  const ratios = all.map(({ before, now }) => now.perSecond / before.perSecond);
  const sorted = ratios.toSorted((left, right) => left - right);
  const at = (share: number) => (sorted[Math.round(share * (sorted.length - 1))] ?? 0).toFixed(2);
  const middle = (side: Side["name"], field: keyof ComparedRound) =>
    median(all.flatMap((pair) => pair[side][field] ?? []));
  const whole = (value: number | undefined) =>
    value === undefined ? "–" : Math.round(value).toLocaleString("en");
  return [
    name,
    (median(ratios) as number).toFixed(3),
    `${at(0.25)} – ${at(0.75)}`,
    whole(middle("before", "perSecond")),
    whole(middle("now", "perSecond")),
    whole(middle("before", "serviceUs")),
    whole(middle("now", "serviceUs")),
    whole(middle("before", "databaseUs")),
    whole(middle("now", "databaseUs")),
  ];
}
