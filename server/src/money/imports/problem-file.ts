// The rows with problems as CSV, to be corrected and imported again: as the file has them, with the problem beside them.

import { csvPage, withoutFormulaGuard } from "../../platform/documents/index.ts";
import {
  isOurColumn,
  problemColumns,
  problemInWords,
  type Row,
  type RowProblem,
} from "./import-rows.ts";

export class ProblemFile {
  readonly #columns: { name: string; place: number }[];
  readonly #header: string[];
  #text = "";
  #rows: Record<string, string>[] = [];

  constructor(header: readonly string[]) {
    this.#columns = header
      .map((name, place) => ({ name: name === "" ? `column ${place + 1}` : name, place }))
      .filter(({ name }) => !isOurColumn(name));
    // A record has each name once.
    const names = this.#columns.map(({ name, place }) => keyOf(name, place));
    this.#header = [...names, ...problemColumns];
  }

  add({ number, cells }: Row, problems: readonly RowProblem[]): void {
    const given = this.#columns.map(({ name, place }) => [
      keyOf(name, place),
      withoutFormulaGuard(cells[place] ?? ""),
    ]);
    const problem = problems.map(problemInWords).join("; ");
    this.#rows.push({ ...Object.fromEntries(given), row: String(number), problem });
    if (this.#rows.length >= rowsAtOnce) this.#write();
  }

  /** Empty if no row has a problem. */
  text(): string {
    this.#write();
    return this.#text === "" ? "" : `${headerLine(this.#columns)}${this.#text}`;
  }

  #write(): void {
    if (this.#rows.length === 0) return;
    const page = csvPage(this.#header, this.#rows);
    // Without the header of the page.
    this.#text += page.slice(csvPage(this.#header, []).length);
    this.#rows = [];
  }
}

const rowsAtOnce = 500;

function keyOf(name: string, place: number): string {
  return `${place} ${name}`;
}

/** With the names of the file, of which two may be the same. */
function headerLine(columns: readonly { name: string }[]): string {
  const names = [...columns.map(({ name }) => name), ...problemColumns];
  const keys = names.map((_, index) => String(index));
  const record = Object.fromEntries(names.map((name, index) => [index, name]));
  const page = csvPage(keys, [record]);
  return page.slice(csvPage(keys, []).length);
}
