// The results as a table to read and as JSON to compare.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import type { Measured } from "./measure.ts";
import type { Requirement } from "./requirement.ts";
import type { Figure } from "./rounds.ts";
import { writeSpeedPage } from "./speed-page.ts";

const folder = join(import.meta.dirname, "results");

export type Report = {
  machine: Record<string, string | number>;
  quick: boolean;
  measures: Measured[];
};

export function machineFacts(postgresVersion: string): Report["machine"] {
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? "unknown",
    memory: `${Math.round(totalmem() / 1024 ** 3)} GiB`,
    platform: `${process.platform} ${process.arch}`,
    node: process.version.slice(1),
    postgresql: postgresVersion,
  };
}

/** In a few words, to stand beside each result. */
export function processorOf({ cpu, platform }: Report["machine"]): string {
  return `${String(cpu).replace(/\(R\)| Processor/g, "")}, ${platform}`;
}

export function requirementsOf({ measures }: Report): Requirement[] {
  return measures.flatMap(({ requirements }) => requirements);
}

/** The text of the report. Results of a quick run are not kept. */
export function writeReport(measured: Report): string {
  if (measured.quick) return toMarkdown(measured);
  mkdirSync(folder, { recursive: true });
  const report = withEarlier(measured);
  const text = toMarkdown(report);
  writeFileSync(join(folder, "latest.md"), text);
  writeFileSync(join(folder, "latest.json"), `${JSON.stringify(report, null, 2)}\n`);
  writeSpeedPage(report.measures);
  return text;
}

/** Measures that were not run this time keep their earlier results and dates. */
function withEarlier(report: Report): Report {
  const file = join(folder, "latest.json");
  if (!existsSync(file)) return report;
  const earlier = JSON.parse(readFileSync(file, "utf8")) as Report;
  const isNew = new Map(report.measures.map((measure) => [measure.title, measure]));
  const kept = earlier.measures.map((measure) => isNew.get(measure.title) ?? measure);
  const added = report.measures.filter(({ title }) => !kept.some((one) => one.title === title));
  return { ...report, measures: [...kept, ...added] };
}

function toMarkdown(report: Report): string {
  const { machine, quick, measures } = report;
  const facts = Object.entries(machine).map(([name, value]) => `${name} ${value}`);
  const parts = [
    "# Speed",
    `${facts.join(" · ")}`,
    "Load, service and database share the machine. Variants take turns, round by round; every figure is " +
      "the median of its rounds, with the lowest and the highest beside the rate. Columns in µs: processor time " +
      "per operation. Above is the machine of the last run; each part says on which it was measured.",
    ...(quick ? ["**A quick run: too short for conclusions.**"] : []),
    "## Required ratios",
    table(
      ["", "ratio", "required", "reached"],
      requirementsOf(report).map(({ text, ratio, required, holds }) => [
        text,
        ratio.toFixed(2),
        required,
        holds ? "yes" : "**no**",
      ]),
    ),
    ...measures.flatMap(({ title, date, processor, how, figures, notes }) => [
      `## ${title}`,
      `${[`${how}; ${figures[0]?.rounds} rounds`, date, processor].filter(Boolean).join(", ")}.`,
      figuresTable(figures),
      ...notes,
    ]),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The processor time per operation has columns where it was measured. */
function figuresTable(figures: readonly Figure[]): string {
  const head = ["", "per second", "lowest – highest", "p50 ms", "p99 ms"];
  const timed = figures.some(({ serviceUs, postgresUs }) => serviceUs ?? postgresUs);
  const rows = figures.map((figure) => [...cells(figure), ...(timed ? times(figure) : [])]);
  return table([...head, ...(timed ? ["service µs", "PostgreSQL µs"] : [])], rows);
}

const whole = (value: number) => Math.round(value).toLocaleString("en");

function cells(figure: Figure): string[] {
  const { variant, perSecond, perSecondLowest, perSecondHighest, p50Ms, p99Ms } = figure;
  const ms = (value: number | undefined) => value?.toFixed(2) ?? "–";
  const range = `${whole(perSecondLowest)} – ${whole(perSecondHighest)}`;
  return [variant, whole(perSecond), range, ms(p50Ms), ms(p99Ms)];
}

function times({ serviceUs, postgresUs }: Figure): string[] {
  return [serviceUs, postgresUs].map((us) => (us === undefined ? "–" : whole(us)));
}

/** Padded, so that a terminal also shows a table. The first column is aligned left, the others right. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => (row[column] ?? "").length)),
  );
  const line = (row: string[]) =>
    `| ${widths
      .map((width, column) =>
        column === 0 ? (row[column] ?? "").padEnd(width) : (row[column] ?? "").padStart(width),
      )
      .join(" | ")} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}
