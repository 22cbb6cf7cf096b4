// Checks a whole file of receivers before any is created: the form of each row, and emails that come twice, in the file
// or among the receivers of the subaccount.

import { emailKey, findTakenEmails } from "../../people/receivers/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { deleteExpiredAnswers, findKeptAnswers } from "../../platform/idempotency/index.ts";
import { refusals } from "../../platform/refusals/index.ts";
import type { Sheet } from "../sheets/index.ts";
import { importKey } from "./create-rows.ts";
import { importLimits } from "./import-limits.ts";
import { type ReadingPlan, type Row, type RowProblem, readRows } from "./import-rows.ts";
import { type GivenFile, openFile, type ReadingOfFile } from "./opened-file.ts";
import { ProblemFile } from "./problem-file.ts";
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

export type CheckedReceivers = ReadingOfFile & {
  rows: number;
  counts: Record<RowVerdict, number>;
  /** The rows without problems. */
  toCreate: Row[];
  /** The first rows, those with problems before the others. */
  preview: ReceiverPreview[];
  /** By country, the receivers that would be created. */
  countries: Map<string, number>;
  /** The rows with problems as CSV, with a column that names them. Empty if there are none. */
  problemFile: string;
};

type ReceiverFile = GivenFile & { subaccountId: string };

export function checkReceivers(db: Db, file: ReceiverFile): Promise<CheckedReceivers> {
  const { subaccountId } = file;
  const kind = { subaccountId, kind: "receivers", format: receiverFormat } as const;
  return openFile(db, file, kind, async ({ sheet, plan, ...reading }) => {
    const counts = { ready: 0, problem: 0, duplicate: 0, already_imported: 0 };
    const countries = new Map<string, number>();
    const toCreate: Row[] = [];
    const wrong: ReceiverPreview[] = [];
    const right: ReceiverPreview[] = [];
    const problemFile = new ProblemFile(sheet.header);
    const checkedFile = () => ({
      ...reading,
      rows: sheet.count,
      counts,
      toCreate,
      countries,
      preview: [...wrong, ...right].slice(0, importLimits.previewMax),
      problemFile: problemFile.text(),
    });
    // Without its columns no row can be read.
    if (reading.missing.length > 0) return checkedFile();
    for await (const checked of checkedRows(db, subaccountId, { sheet, plan })) {
      for (const { row, verdict, problems } of checked) {
        counts[verdict] += 1;
        const isWrong = problems.length > 0;
        const preview = { ...shownOf(row, plan), verdict, problems };
        const list = isWrong ? wrong : right;
        if (list.length < importLimits.previewMax) list.push(preview);
        if (verdict === "ready") {
          countries.set(preview.country, (countries.get(preview.country) ?? 0) + 1);
        }
        if (isWrong) problemFile.add(row, problems);
        else toCreate.push({ ...row, cells: [] });
      }
    }
    return checkedFile();
  });
}

type CheckedRow = { row: Row; verdict: RowVerdict; problems: RowProblem[] };

async function* checkedRows(
  db: Db,
  subaccountId: string,
  { sheet, plan }: { sheet: Sheet; plan: ReadingPlan },
): AsyncGenerator<CheckedRow[]> {
  const duplicatesOf = emailCheck();
  // An expired key counts as unused.
  await deleteExpiredAnswers(db, Date.now());
  for await (const { rows } of readRows(sheet, receiverFormat, plan)) {
    const inFile = rows.map((row) => ({ row, duplicates: duplicatesOf(row) }));
    const sound = inFile
      .filter(({ row, duplicates }) => row.problems.length + duplicates.length === 0)
      .map(({ row }) => row);
    const keys = sound.map(({ fields }) => ({ subaccountId, key: importKey(fields).key }));
    // In this order: a row that another import creates meanwhile has its key when its email is taken.
    const taken = await findTakenEmails(db, subaccountId, sound.map(emailKeyOf));
    const answers = await db.transaction((tx) => findKeptAnswers(tx, keys));
    const imported = new Set(sound.filter((_, index) => answers[index]));
    yield inFile.map(({ row, duplicates }): CheckedRow => {
      if (row.problems.length > 0) return { row, verdict: "problem", problems: row.problems };
      if (duplicates.length > 0) return { row, verdict: "duplicate", problems: duplicates };
      if (imported.has(row)) return { row, verdict: "already_imported", problems: [] };
      if (!taken.has(emailKeyOf(row))) return { row, verdict: "ready", problems: [] };
      const message = `${refusals.REVR201[1]}: one of your receivers has it`;
      const value = String(row.fields.email);
      const problem = { row: row.number, column: "email", code: "REVR201", message, value };
      return { row, verdict: "duplicate", problems: [problem] };
    });
  }
}

const emailKeyOf = ({ fields }: Row) => emailKey(String(fields.email));

/** Also of a row with problems, as the file has it. */
function shownOf(
  { number, cells, fields }: Row,
  { places, fixed, edits }: ReadingPlan,
): Pick<ReceiverPreview, "row" | "name" | "email" | "country"> {
  const textOf = (field: string) => {
    const given = edits.get(number)?.[field] ?? cells[places[field] ?? -1] ?? fixed[field] ?? "";
    return String(fields[field] ?? given)
      .trim()
      .slice(0, 200);
  };
  const name = `${textOf("first_name")} ${textOf("last_name")}`.trim() || textOf("full_name");
  return { row: number, name, email: textOf("email"), country: textOf("country") };
}
