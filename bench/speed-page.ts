// The table of docs/reference/speed.md, from the stored results.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Measured } from "./measure.ts";

/** The rate of a variant, and the ratios of it that are required. */
type Row = {
  operation: string;
  measure: string;
  variant: string;
  /** What it is compared with, and the text of the requirement. */
  ratios: [other: string, requirement: string][];
};

const rows: Row[] = [
  {
    operation: "signed read of a receiver",
    measure: "Receiver by id",
    variant: "batched",
    ratios: [
      ["bare node:http, same bytes", "receiver by id: batched / bare node:http"],
      ["one statement per request", "receiver by id: batched / one statement per request"],
    ],
  },
  {
    operation: "create a receiver, committed",
    measure: "Create receiver",
    variant: "batched",
    ratios: [
      ["one statement per request", "create receiver: batched / one statement per request"],
      ["pgbench inserting the same rows", "create receiver: batched / pgbench"],
    ],
  },
  {
    operation: "create a receiver with an idempotency key",
    measure: "Create receiver",
    variant: "batched, with idempotency keys",
    ratios: [["without the key", "create receiver: with idempotency keys / without"]],
  },
  {
    operation: "import receivers from CSV",
    measure: "Import of receivers",
    variant: "imported",
    ratios: [["creating them over HTTP", "import: rows a second / created over HTTP"]],
  },
  {
    operation: "create payouts on one subaccount",
    measure: "Create payout",
    variant: "one subaccount, batched",
    ratios: [
      [
        "one transaction per request",
        "payout, one subaccount: batched / one transaction per request",
      ],
      ["pgbench running that transaction", "payout, one subaccount: batched / pgbench"],
    ],
  },
  {
    operation: "deliver events to 100 webhook endpoints",
    measure: "Delivery",
    variant: "Disburse",
    ratios: [
      ["bare undici, no database", "delivery: Disburse / bare undici"],
      ["pg-boss", "delivery: Disburse / pg-boss"],
      ["graphile-worker", "delivery: Disburse / graphile-worker"],
    ],
  },
  {
    operation: "signed read with the request log",
    measure: "Request log",
    variant: "receiver by id, logged",
    ratios: [["without the request log", "receiver by id: with the request log / without"]],
  },
];

const pagePath = join(import.meta.dirname, "..", "docs", "reference", "speed.md");
const begin = "<!-- speeds: written by npm run bench -->";
const end = "<!-- end of speeds -->";

/** The page with the table of these results. */
export function pageWith(measures: readonly Measured[], page: string): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`speed.md lacks "${begin}"`);
  return `${before}${begin}\n\n${speedTable(measures)}\n\n${end}${after}`;
}

export function writeSpeedPage(measures: readonly Measured[]): void {
  writeFileSync(pagePath, pageWith(measures, readFileSync(pagePath, "utf8")));
}

function speedTable(measures: readonly Measured[]): string {
  const lines = [
    "| measure | per second | compared with | ratio | processor |",
    "|---|---:|---|---:|---|",
  ];
  for (const { operation, measure, variant, ratios } of rows) {
    const measured = measures.find(({ title }) => title === measure);
    const figure = measured?.figures.find((one) => one.variant === variant);
    if (!measured || !figure) throw new Error(`the results lack "${variant}" of "${measure}"`);
    const rate = Math.round(figure.perSecond).toLocaleString("en");
    for (const [index, [other, text]] of ratios.entries()) {
      const requirement = measured.requirements.find((one) => one.text === text);
      if (!requirement) throw new Error(`the results lack "${text}"`);
      const first = index === 0 ? [operation, rate] : ["", ""];
      const processor = index === 0 ? (measured.processor ?? "") : "";
      lines.push(`| ${[...first, other, requirement.ratio.toFixed(2), processor].join(" | ")} |`);
    }
  }
  return lines.join("\n");
}
