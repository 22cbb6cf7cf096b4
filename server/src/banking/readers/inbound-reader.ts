// Reads a file from a bank in a thread: what it is, whether it can be applied, and its records in pages. Pure.

import {
  type CsvMapping,
  decodeBankFile,
  type FileProblem,
  type FileReport,
  isValid,
  looksLikeCsv,
  readStatement,
  recognisesStatement,
  type StatementEnd,
  type StatementRecord,
} from "../../../../packages/bank-formats/src/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { findInboundFormat, type InboundFormat } from "./inbound-formats.ts";
import type { FileOwner, InboundLine } from "./inbound-line.ts";

export type InboundRecord = InboundLine | StatementRecord;

/** What a first reading found. Without problems the file can be applied. */
type ReadThrough = {
  format: string;
  /** The first errors. */
  problems: FileProblem[];
};

export type OpenedFile =
  | { kind: "binary" }
  /** It says of itself no format. */
  | { kind: "unknown"; looksLikeCsv: boolean }
  | ({
      kind: "reports";
      source: InboundFormat["source"];
      isEmpty: boolean;
      owner: FileOwner;
    } & ReadThrough)
  | ({ kind: "statements"; ends: StatementEnd[] } & ReadThrough);

type Records = Generator<InboundRecord, FileReport, void>;

/** One file. It is read to its end before anything is applied: balances, totals and control sums come last. */
export class InboundReader {
  readonly #text: string | undefined;
  #read: (() => Records) | undefined;
  #kept: InboundRecord[] | undefined;
  #records: Iterator<InboundRecord, unknown, void> | undefined;

  constructor(bytes: Uint8Array) {
    this.#text = decodeBankFile(bytes);
  }

  /** `receivedOn` is YYYY-MM-DD, for files without a date of their own. */
  open(receivedOn: string): OpenedFile {
    const text = this.#text;
    if (text === undefined) return { kind: "binary" };
    const format = findInboundFormat(text);
    if (format) return this.#readReports(format, () => format.read(text, receivedOn));
    if (recognisesStatement(text)) return this.#readStatements(() => readStatement(text));
    return { kind: "unknown", looksLikeCsv: looksLikeCsv(text) };
  }

  openCsv(csv: CsvMapping): OpenedFile {
    return this.#readStatements(() => readStatement(this.#text ?? "", { csv }));
  }

  #readReports(
    { source }: Pick<InboundFormat, "source">,
    read: () => Generator<InboundLine, FileReport, void>,
  ): OpenedFile {
    const owner: FileOwner = { ours: new Set(), batchId: "", payoutId: "" };
    let isEmpty = true;
    const through = this.#readThrough(read, (line) => {
      isEmpty = false;
      noteOwner(owner, line);
    });
    return { kind: "reports", source, isEmpty, owner, ...through };
  }

  #readStatements(read: () => Generator<StatementRecord, FileReport, void>): OpenedFile {
    const ends: StatementEnd[] = [];
    let more = 0;
    const through = this.#readThrough(read, (record) => {
      if (record.kind !== "statement") return;
      if (ends.length < limits.bankStatementsMax) ends.push(record);
      else more += 1;
    });
    if (more > 0) {
      const count = ends.length + more;
      const message = `a file must have at most ${limits.bankStatementsMax} statements, but has ${count}`;
      through.problems.push({ severity: "error", line: 0, column: 0, message });
    }
    return { kind: "statements", ends: through.problems.length > 0 ? [] : ends, ...through };
  }

  #readThrough<Record extends InboundRecord>(
    read: () => Generator<Record, FileReport, void>,
    note: (record: Record) => void,
  ): ReadThrough {
    this.#read = read;
    const kept: Record[] = [];
    const found: FileProblem[] = [];
    const sums = new Map<string, bigint>();
    const records = read();
    for (let count = 1; ; count += 1) {
      const { done, value } = records.next();
      if (done) {
        this.#kept = count <= limits.statementRecordsKeptMax ? kept : undefined;
        const errors = [...(isValid(value) ? [] : value.problems), ...found].filter(
          ({ severity }) => severity === "error",
        );
        const problems = errors.slice(0, limits.bankProblemsShownMax);
        return { format: value.format, problems };
      }
      const problem = tooLongProblem(value) ?? addToSum(sums, value);
      if (problem && found.length < limits.bankProblemsShownMax) found.push(problem);
      note(value);
      if (count < limits.statementRecordsKeptMax) kept.push(value);
      else kept.length = 0;
    }
  }

  /** The first page comes next, from the first reading where the records are few enough to keep, else by reading again. */
  rewind(): void {
    this.#records = this.#kept?.values() ?? this.#read?.();
  }

  /** Empty at the end. */
  nextPage(): InboundRecord[] {
    const page: InboundRecord[] = [];
    let characters = 0;
    while (page.length < limits.bankReadPageMax && characters < limits.bankReadPageChars) {
      const next = this.#records?.next();
      if (!next || next.done) break;
      page.push(next.value);
      characters += charactersOf(next.value);
    }
    return page;
  }
}

function noteOwner(owner: FileOwner, { ours, batchId, payoutId }: InboundLine): void {
  // A file with more is about none of our accounts.
  if (ours !== "" && owner.ours.size < limits.bankOwnNamesMax) owner.ours.add(ours);
  owner.batchId ||= batchId;
  owner.payoutId ||= payoutId;
}

function charactersOf(record: InboundRecord): number {
  let characters = 0;
  for (const value of Object.values(record)) {
    if (typeof value === "string") characters += value.length;
  }
  return characters;
}

/** What is kept of a record is hashed and searched at once, so it is bounded. */
function tooLongProblem(record: InboundRecord): FileProblem | undefined {
  const characters = charactersOf(record);
  if (characters <= limits.bankRecordChars) return undefined;
  const message = `an entry must have at most ${limits.bankRecordChars} characters, but has ${characters}`;
  return { severity: "error", ...placeOf(record), message };
}

/** The books hold the sums of amounts, so those of one file are bounded as each amount is. */
function addToSum(sums: Map<string, bigint>, record: InboundRecord): FileProblem | undefined {
  if (record.kind === "statement" || record.amount === undefined) return undefined;
  const { amount, currency } = record;
  const before = sums.get(currency) ?? 0n;
  const after = before + (amount < 0n ? -amount : amount);
  sums.set(currency, after);
  if (after <= limits.amountMax || before > limits.amountMax) return undefined;
  const message = `the amounts in ${currency} up to here must come to at most ${limits.amountMax} in minor units`;
  return { severity: "error", ...placeOf(record), message };
}

function placeOf(record: InboundRecord): { line: number; column: number } {
  const { line, column } = "place" in record ? record.place : { line: record.line, column: 1 };
  return { line, column };
}
