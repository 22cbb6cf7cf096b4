// disburse screening compare: the scores of pairs of names. It needs no server and no database. The other commands are in
// files of their own.

import type { Command } from "commander";
import { parse } from "csv-parse/sync";
import {
  csvSettings,
  describeCsvError,
} from "../../../../packages/bank-formats/src/documents/index.ts";
import {
  compareNames,
  matchThreshold,
  type NameKind,
  type NameReason,
  prepareName,
} from "../../../../packages/name-matching/src/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { readFileSync } from "./local-files.ts";
import { oneLine, print } from "./output.ts";
import { addEmbargoCommands } from "./screening-embargo.ts";
import { addScreeningHitCommands } from "./screening-hits.ts";
import { addListCommands } from "./screening-lists.ts";

export function addScreeningCommands(screening: Command): void {
  addScreeningHitCommands(screening);
  addListCommands(screening);
  addEmbargoCommands(screening);
  screening
    .command("compare")
    .description("compare pairs of names: columns schema (Person, Company …), name1 and name2")
    .argument("<file>", "the CSV file; - for standard input")
    .option("--json", "print JSON, with the reasons of each score")
    .action((file: string, options: { json?: boolean }) => {
      const pairs = readPairs(file).map((pair) => ({ ...pair, ...comparePair(pair) }));
      if (!options.json) return print(pairs.map(inShort), options);
      print(
        pairs.map(({ score, is_match, reasons }) => ({ score, is_match, reasons })),
        options,
      );
    });
}

type NamePair = { kind: NameKind; name1: string; name2: string };

function comparePair({ kind, name1, name2 }: NamePair) {
  const { score, reasons } = compareNames(prepareName(name1, kind), prepareName(name2, kind));
  return { score: Math.round(score * 10_000) / 10_000, is_match: score >= matchThreshold, reasons };
}

function inShort(pair: NamePair & ReturnType<typeof comparePair>) {
  return {
    name1: pair.name1,
    name2: pair.name2,
    score: pair.score.toFixed(2),
    match: pair.is_match ? "yes" : "no",
    reasons: pair.reasons.map(describeReason).join("; "),
  };
}

function describeReason({ left, right, how }: NameReason): string {
  if (left === right || left === "" || right === "") return `${how} ${left || right}`;
  return `${how} ${left}/${right}`;
}

const columns = ["schema", "name1", "name2"] as const;

function readPairs(file: string): NamePair[] {
  const [header, ...rows] = readCsv(file);
  if (!header)
    return refuse(`${oneLine(file)} is empty: it needs a header with ${columns.join(", ")}.`);
  const names = header.cells.map((cell) => cell.trim().toLowerCase());
  const missing = columns.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    refuse(`${oneLine(file)}, line ${header.line}: there is no column ${missing.join(", ")}.`);
  }
  return rows.map(({ cells, line }) => {
    const cell = (column: (typeof columns)[number]) => cells[names.indexOf(column)]?.trim() ?? "";
    const empty = columns.filter((column) => cell(column) === "");
    if (empty.length > 0) refuse(`${oneLine(file)}, line ${line}: ${empty.join(", ")} is empty.`);
    // Companies, ships and bodies of all kinds are compared as organisations.
    const kind = cell("schema").toLowerCase() === "person" ? "person" : "organisation";
    return { kind, name1: cell("name1"), name2: cell("name2") };
  });
}

type CsvLine = { cells: string[]; line: number };

/** The rows that are not blank, each with the line of the file on which it ends. */
function readCsv(file: string): CsvLine[] {
  const rows: CsvLine[] = [];
  try {
    parse(readBytes(file), {
      ...csvSettings,
      on_record: (cells: string[], { lines }) => {
        if (cells.some((cell) => cell.trim() !== "")) rows.push({ cells, line: lines });
        return null;
      },
    });
  } catch (error) {
    const { lines } = error as { lines?: number };
    refuse(`${oneLine(file)}, line ${lines ?? "?"}: ${describeCsvError(error)}.`);
  }
  return rows;
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    return refuse(`${oneLine(file)} can't be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function refuse(message: string): never {
  throw new CliError(message, exitCodes.usage);
}
