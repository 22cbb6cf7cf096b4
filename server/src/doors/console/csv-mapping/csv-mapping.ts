// The mapping for CSV statements of a bank connection: shown, and tried with a sample.

import type {
  StatementEnd,
  StatementLine,
} from "../../../../../packages/bank-formats/src/index.ts";
import {
  type CsvMappingRow,
  checkedMapping,
  findCsvMapping,
  requireConnection,
} from "../../../banking/connections/index.ts";
import { tryCsvInThread } from "../../../banking/readers/index.ts";
import { toSum } from "../../../platform/base/index.ts";
import type { Fields } from "../../../platform/fields/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import type { WriteParts } from "../write-parts.ts";
import type { CsvMappingPreview, SavedCsvMapping } from "./schema.ts";

type ReadParts = Pick<WriteParts, "db" | "seal">;

export async function findSavedMapping(parts: ReadParts, id: string): Promise<SavedCsvMapping> {
  await requireConnection(parts, id);
  return presentMapping(await findCsvMapping(parts.db, id));
}

export function presentMapping(row: CsvMappingRow | undefined): SavedCsvMapping {
  return {
    mapping: row?.mapping ?? null,
    version: row?.version ?? 0,
    saved_at: row ? Number(row.saved_at_ms) : null,
    saved_by: row?.saved_by ?? "",
  };
}

/** Nothing is kept. */
export async function tryMapping(
  parts: ReadParts,
  id: string,
  { content, mapping: given }: { content: string; mapping?: Fields | undefined },
): Promise<CsvMappingPreview> {
  const { row } = await requireConnection(parts, id);
  const tried = await tryCsvInThread({
    bytes: Buffer.from(content, "base64"),
    mapping: given && checkedMapping(given),
    currency: row.currency,
  });
  if (!tried) throw new Refusal("BANK402");
  const { guess, preview } = tried;
  if (!guess.mapping || !preview) {
    const { notes } = guess;
    return {
      mapping: null,
      notes,
      columns: [],
      samples: [],
      lines: [],
      statements: [],
      problems: [],
    };
  }
  const { columns, samples, lines, statements, problems } = preview;
  return {
    mapping: guess.mapping,
    notes: guess.notes,
    columns,
    samples: samples.map((cells) => cells.map(presentSample)),
    lines: lines.map(presentLine),
    statements: statements.map(presentEnd),
    problems,
  };
}

function presentLine(line: StatementLine): CsvMappingPreview["lines"][number] {
  return {
    line: line.place.line,
    day: line.day,
    value_day: line.valueDay,
    amount: toSum(line.amount),
    currency: line.currency,
    text: line.text,
    reference: line.customerReference,
    bank_reference: line.bankReference,
    party: line.partyName,
    party_account: tailOf(line.partyAccount),
  };
}

const tailOf = (account: string) => (account === "" ? "" : `…${account.slice(-3)}`);

const date = /^((19|20)\d\d[-/.]?[01]\d[-/.]?[0-3]\d|[0-3]?\d[-/.][0-3]?\d[-/.]\d{2,4})$/;

/** Any column may have account numbers before it is known what it has. */
function presentSample(cell: string): string {
  const plain = cell.replace(/[\s/-]/g, "");
  const isAccount =
    /^([A-Z]{2}\d{2}[A-Z\d]{10,}|[\dX*]{6,})$/i.test(plain) && !date.test(cell.trim());
  return isAccount ? tailOf(plain) : cell;
}

function presentEnd(end: StatementEnd): CsvMappingPreview["statements"][number] {
  const orNull = (balance: bigint | undefined) => (balance === undefined ? null : toSum(balance));
  return {
    currency: end.currency,
    from_day: end.fromDay,
    to_day: end.toDay,
    lines: end.lines,
    opening: orNull(end.opening),
    closing: orNull(end.closing),
  };
}
