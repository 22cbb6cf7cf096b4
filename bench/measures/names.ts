// Screening a name against a list of 30,000: its processor time against that of creating a receiver, and its memory.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { compareNames } from "../../packages/name-matching/src/compare.ts";
import { indexNames, type NameIndex } from "../../packages/name-matching/src/name-index.ts";
import { type PreparedName, prepareName } from "../../packages/name-matching/src/prepare.ts";
import { madeUpNames } from "../../packages/name-matching/test/made-up-names.ts";
import { creating } from "../creating.ts";
import type { Measure } from "../measure.ts";
import { atMost } from "../requirement.ts";
import { interleave, median } from "../rounds.ts";
import { timed } from "../service-times.ts";

const listed = 30_000;
const sought = 2_000;
const seed = 17;

export const measureNames: Measure = async ({ postgres, servers, scale }) => {
  const list = madeUpNames(listed, seed);
  const emptyBytes = usedBytes();
  const index = indexNames(
    list.map(({ text, kind }, entry) => ({ entry, name: prepareName(text, kind) })),
  );
  const indexBytes = usedBytes() - emptyBytes;
  const database = await postgres.createDatabase("names_receivers");
  const { port, pid: service, stop } = await servers.disburse(database);
  const create = timed({ service, postgres: postgres.pid }, creating({ port, database }));
  const us: Record<"find" | "compare" | "create", number[]> = { find: [], compare: [], create: [] };

  const working =
    (name: "find" | "compare", work: (durationMs: number) => number) =>
    async (durationMs: number) => {
      const before = process.cpuUsage();
      const done = work(durationMs);
      const { user, system } = process.cpuUsage(before);
      us[name].push((user + system) / done);
      return { perSecond: (done * 1e6) / (user + system) };
    };
  const figures = await interleave(
    [
      { name: `prepare and find a name among ${listed}`, run: working("find", finding(index)) },
      { name: "compare two names", run: working("compare", comparing()) },
      {
        name: "create a receiver",
        run: async (durationMs) => {
          const { serviceUs = 0, postgresUs = 0 } = await create(durationMs);
          const usEach = serviceUs + postgresUs;
          us.create.push(usEach);
          return { perSecond: 1e6 / usEach };
        },
      },
    ],
    scale,
  );
  await stop();

  const each = (name: keyof typeof us) => median(us[name]) ?? 0;
  const mebibytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);
  return {
    title: "Screening a name",
    how: `${listed} made-up names of people and organisations, ${sought} others; a second is one of processor time`,
    figures: Object.values(figures),
    requirements: [
      atMost(
        "processor time: screen a name / create a receiver (service and database)",
        each("find") / each("create"),
        1,
      ),
    ],
    notes: [
      `processor time: ${each("find").toFixed(0)} µs to prepare and find, ${each("compare").toFixed(1)} µs to compare, ` +
        `${each("create").toFixed(0)} µs to create a receiver; the index takes ${mebibytes(indexBytes)} MiB, ` +
        `${mebibytes(index.bytes)} MiB of it tables`,
    ],
  };
};

function finding(index: NameIndex<number>): (durationMs: number) => number {
  const names = madeUpNames(sought, seed + 1);
  return repeating((round) => {
    const { text, kind } = names[round % names.length] as (typeof names)[number];
    index.find(prepareName(text, kind));
  });
}

function comparing(): (durationMs: number) => number {
  const names = madeUpNames(sought, seed + 2).map(({ text, kind }) => prepareName(text, kind));
  return repeating((round) => {
    const [one, other] = [names[round % sought], names[(round * 7) % sought]];
    compareNames(one as PreparedName, other as PreparedName);
  });
}

/** Runs until the time is over, and returns how often. */
function repeating(work: (round: number) => void): (durationMs: number) => number {
  return (durationMs) => {
    const endMs = performance.now() + durationMs;
    let round = 0;
    while (performance.now() < endMs) work(round++);
    return round;
  };
}

/** Bytes in use after everything unused was freed. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
