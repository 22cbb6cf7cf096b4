// Checks a whole file of receivers before any is created: the form of each row, and emails that come twice, in the file
// or among the receivers of the subaccount.

import { emailKey, findTakenEmails } from "../../people/receivers/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { csvPage, withoutFormulaGuard } from "../../platform/documents/index.ts";
import { deleteExpiredAnswers, findKeptAnswers } from "../../platform/idempotency/index.ts";
import { type Code, refusals } from "../../platform/refusals/index.ts";
import { importKey } from "./create-rows.ts";
import { problemColumns, type Row, type RowProblem, type Rows, readRows } from "./csv-rows.ts";
import { chunksOf } from "./file-text.ts";
import { importLimits } from "./import-limits.ts";
import { emailCheck, receiverFormat } from "./receiver-file.ts";

/** What would become of a row. */
export type RowVerdict = "ready" | "problem" | "duplicate" | "already_imported";

export type ReceiverPreview = {
  row: number;
  name: string;
  email: string;
  country: string;
  verdict: RowVerdict;
  problems: RowProblem[];
};

export type CheckedReceivers = {
  counts: Record<RowVerdict, number>;
  /** The numbers of the rows without problems. */
  toCreate: Set<number>;
  /** The first rows, those with problems before the others. */
  preview: ReceiverPreview[];
  /** By country, the receivers that would be created. */
  countries: Map<string, number>;
  /** The rows with problems as CSV, with a column that names them. Empty if there are none. */
  problemFile: string;
};

type ReceiverFile = { subaccountId: string; csv: string };

function receiverRowsOf(csv: string): AsyncGenerator<Rows> {
  return readRows(chunksOf(csv), receiverFormat);
}

export async function checkReceivers(
  db: Db,
  { subaccountId, csv }: ReceiverFile,
): Promise<CheckedReceivers> {
  const counts = { ready: 0, problem: 0, duplicate: 0, already_imported: 0 };
  const countries = new Map<string, number>();
  const toCreate = new Set<number>();
  const wrong: ReceiverPreview[] = [];
  const right: ReceiverPreview[] = [];
  const wrongRows: Record<string, string>[] = [];
  let names: readonly string[] = [];
  for await (const { checked, columns } of checkedRows(db, { subaccountId, csv })) {
    names = columns;
    for (const { row, verdict, problems } of checked) {
      counts[verdict] += 1;
      const isWrong = problems.length > 0;
      const preview = { ...shownOf(row, names), verdict, problems };
      const list = isWrong ? wrong : right;
      if (list.length < importLimits.previewMax) list.push(preview);
      if (verdict === "ready") {
        countries.set(preview.country, (countries.get(preview.country) ?? 0) + 1);
      }
      if (!isWrong) toCreate.add(row.number);
      if (isWrong) wrongRows.push(problemRow(row, names, problems));
    }
  }
  const header = [...new Set([...names, ...problemColumns])];
  return {
    counts,
    toCreate,
    countries,
    preview: [...wrong, ...right].slice(0, importLimits.previewMax),
    problemFile: wrongRows.length > 0 ? csvPage(header, wrongRows) : "",
  };
}

type CheckedRow = { row: Row; verdict: RowVerdict; problems: RowProblem[] };

/** The rows with these numbers. */
export async function* receiversToCreate(
  csv: string,
  numbers: ReadonlySet<number>,
): AsyncGenerator<Row[]> {
  for await (const { rows } of receiverRowsOf(csv)) {
    yield rows.filter(({ number }) => numbers.has(number));
  }
}

async function* checkedRows(
  db: Db,
  { subaccountId, csv }: ReceiverFile,
): AsyncGenerator<{ checked: CheckedRow[]; columns: readonly string[] }> {
  const duplicatesOf = emailCheck();
  // An expired key counts as unused.
  await deleteExpiredAnswers(db, Date.now());
  for await (const { rows, columns } of receiverRowsOf(csv)) {
    const inFile = rows.map((row) => ({ row, duplicates: duplicatesOf(row) }));
    const sound = inFile
      .filter(({ row, duplicates }) => row.problems.length + duplicates.length === 0)
      .map(({ row }) => row);
    const keys = sound.map(({ fields }) => ({ subaccountId, key: importKey(fields).key }));
    // In this order: a row that another import creates meanwhile has its key when its email is taken.
    const taken = await findTakenEmails(db, subaccountId, sound.map(emailKeyOf));
    const answers = await db.transaction((tx) => findKeptAnswers(tx, keys));
    const imported = new Set(sound.filter((_, index) => answers[index]));
    const checked = inFile.map(({ row, duplicates }): CheckedRow => {
      if (row.problems.length > 0) return { row, verdict: "problem", problems: row.problems };
      if (duplicates.length > 0) return { row, verdict: "duplicate", problems: duplicates };
      if (imported.has(row)) return { row, verdict: "already_imported", problems: [] };
      if (!taken.has(emailKeyOf(row))) return { row, verdict: "ready", problems: [] };
      const message = `${refusals.REVR201[1]}: one of your receivers has it`;
      const problem = { row: row.number, column: "email", code: "REVR201", message };
      return { row, verdict: "duplicate", problems: [problem] };
    });
    yield { checked, columns };
  }
}

const emailKeyOf = ({ fields }: Row) => emailKey(String(fields.email));

/** Also of a row with problems, as the file has it. */
function shownOf(
  { number, cells }: Row,
  columns: readonly string[],
): Pick<ReceiverPreview, "row" | "name" | "email" | "country"> {
  const cellOf = (name: string) => (cells[columns.indexOf(name)] ?? "").trim().slice(0, 200);
  const name = `${cellOf("first_name")} ${cellOf("last_name")}`.trim();
  return { row: number, name, email: cellOf("email"), country: cellOf("country") };
}

function problemRow(
  { number, cells }: Row,
  columns: readonly string[],
  problems: readonly RowProblem[],
): Record<string, string> {
  const given = columns.map((name, index) => [name, withoutFormulaGuard(cells[index] ?? "")]);
  const problem = problems.map(problemInWords).join("; ");
  return { ...Object.fromEntries(given), row: String(number), problem };
}

/** With its cure, except where the message says what to do. */
export function problemInWords({ column, code, message }: RowProblem): string {
  const cure = code === "" || code === "REVR201" ? "" : refusals[code as Code][2];
  const isPlain = cure === "" || message.endsWith("required");
  return `${column && `${column}: `}${isPlain ? message : `${message}. ${cure}`}`;
}
