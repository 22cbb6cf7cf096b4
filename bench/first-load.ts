// npm run bench:first-load -- <commit>: the first load of the console, this tree against another commit, in turns, in a
// browser over a link of 1.5 s latency.
//
//   --rounds <n>   first loads of each page and side (5)
//   --quick        one round, whose results are not kept

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launchBrowser } from "../server/test/support/browser.ts";
import { checkOut } from "./checkout.ts";
import { openSide, type Side } from "./compare-sides.ts";
import { consoleCookie } from "./console-user.ts";
import { loadPage, type PageLoad } from "./page-load.ts";
import { say, sayDone } from "./progress.ts";
import { machineFacts, table } from "./report.ts";
import { atMost } from "./requirement.ts";
import { median } from "./rounds.ts";

const latencyMs = 1_500;
const sideNames = ["before", "now"] as const;
const pages = {
  "sign-in": { isSignedIn: false, shown: "input[type=password]" },
  overview: { isSignedIn: true, shown: "figure svg, section svg rect" },
} as const;
type PageName = keyof typeof pages;
const pageNames = Object.keys(pages) as PageName[];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    quick: { type: "boolean", default: false },
  },
});
const [revision] = positionals;
if (!revision)
  throw new Error("name the commit to compare with: npm run bench:first-load -- <commit>");
const rounds = values.quick ? 1 : Number(values.rounds);
const root = join(import.meta.dirname, "..");

const checkout = checkOut(revision);
const sides: Side[] = [];
const launched = await launchBrowser();
try {
  if (!launched.browser) throw new Error(launched.reason);
  const { browser } = launched;
  const visits = [];
  for (const [index, folder] of [checkout.folder, root].entries()) {
    const name = sideNames[index] as Side["name"];
    say(`building the console of the side ${name}`);
    execFileSync(process.execPath, [join(folder, "console", "build.ts")], { stdio: "ignore" });
    const side = await openSide(name, folder);
    sides.push(side);
    const database = await side.postgres.createDatabase("first_load");
    const payer = await side.modules.payees.addPayee(database, database.caller);
    const { port } = await side.servers.serve(database, 1);
    await side.modules.paying.paying({ port, payers: [payer] })(200);
    const url = `http://127.0.0.1:${port}/console`;
    const cookie = await consoleCookie(database);
    // The roll-ups of the overview are made at the first visit.
    const { shown } = pages.overview;
    await loadPage(browser, { url, cookie, latencyMs: 0, shown });
    const visit = (page: PageName) =>
      loadPage(browser, {
        ...{ url, latencyMs, shown: pages[page].shown },
        cookie: pages[page].isSignedIn ? cookie : undefined,
      });
    visits.push({ name, visit });
  }
  const loads: { page: PageName; side: Side["name"]; load: PageLoad }[] = [];
  for (let round = 0; round < rounds; round++)
    for (const page of pageNames)
      for (const { name: side, visit } of round % 2 === 0 ? visits : visits.toReversed()) {
        say(`round ${round + 1} of ${rounds}: ${page}, ${side}`);
        loads.push({ page, side, load: await visit(page) });
      }
  sayDone();
  report(loads);
} finally {
  await launched.browser?.close();
  for (const { servers, postgres } of sides) await servers.stopAll().then(() => postgres.stop());
  checkout.close();
}

function report(loads: readonly { page: PageName; side: Side["name"]; load: PageLoad }[]): void {
  const of = (page: PageName, side: Side["name"], field: keyof PageLoad) =>
    median(
      loads.filter((one) => one.page === page && one.side === side).map(({ load }) => load[field]),
    ) as number;
  const requirements = pageNames.map((page) =>
    atMost(
      `first load of ${page}: now / before`,
      of(page, "now", "ms") / of(page, "before", "ms"),
      0.5,
    ),
  );
  const facts = machineFacts((sides[0] as Side).postgres.version);
  const text = [
    `# First load of the console, against ${checkout.commit}`,
    Object.entries(facts)
      .map(([name, value]) => `${name} ${value}`)
      .join(" · "),
    `A browser with an empty cache, over a link of ${latencyMs} ms latency for each request (Chrome's emulation, HTTP/1.1): ` +
      `seconds from the start of the navigation until the form, or the plots, are shown. Medians of ${rounds} rounds, in turns.`,
    table(
      [
        "",
        "before",
        "now",
        "ratio",
        "files before",
        "files now",
        "requests before",
        "requests now",
        "kB before",
        "kB now",
      ],
      pageNames.map((page, index) => [
        page,
        `${(of(page, "before", "ms") / 1000).toFixed(1)} s`,
        `${(of(page, "now", "ms") / 1000).toFixed(1)} s`,
        (requirements[index]?.ratio ?? 0).toFixed(2),
        String(of(page, "before", "files")),
        String(of(page, "now", "files")),
        String(of(page, "before", "requests")),
        String(of(page, "now", "requests")),
        String(Math.round(of(page, "before", "bytes") / 1000)),
        String(Math.round(of(page, "now", "bytes") / 1000)),
      ]),
    ),
  ].join("\n\n");
  process.stdout.write(`${text}\n`);
  const missed = requirements.filter(({ holds }) => !holds);
  if (missed.length > 0) {
    process.stderr.write(`not reached: ${missed.map((one) => one.text).join("; ")}\n`);
    if (!values.quick) process.exitCode = 1;
  }
  if (values.quick) return;
  const results = join(root, "bench", "results");
  writeFileSync(join(results, "first-load.md"), `${text}\n`);
  const kept = { commit: checkout.commit, machine: facts, latencyMs, rounds, requirements, loads };
  writeFileSync(join(results, "first-load.json"), `${JSON.stringify(kept, null, 2)}\n`);
}
