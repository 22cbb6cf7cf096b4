// A spreadsheet runs a cell that begins like a formula. In files that we write, such a cell gets an apostrophe, and
// files that we read lose it again. Pure.

/** With apostrophes before it as well, so that reading takes away exactly what writing has added. */
const beginsLikeFormula = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
/** A phone number or a negative number: a spreadsheet makes nothing else of it. */
const isPlain = /^(?:\+[\d ]+|-\d+(?:\.\d+)?)$/;

export function guardFormula(text: string): string {
  return beginsLikeFormula.test(text) && !isPlain.test(text) ? `'${text}` : text;
}

export function withoutFormulaGuard(cell: string): string {
  const text = cell.slice(1);
  return cell.startsWith("'") && beginsLikeFormula.test(text) ? text : cell;
}
