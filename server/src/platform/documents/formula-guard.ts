// The protection against formula injection: a cell that begins like a formula gets an apostrophe when we write it, and loses
// it when we read it.

/** Also with leading apostrophes, so that reading removes exactly what writing added. */
const beginsLikeFormula = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
/** A phone number or a negative number, which a spreadsheet shows as it is. */
const isPlain = /^(?:\+[\d ]+|-\d+(?:\.\d+)?)$/;

export function guardFormula(text: string): string {
  return beginsLikeFormula.test(text) && !isPlain.test(text) ? `'${text}` : text;
}

export function withoutFormulaGuard(cell: string): string {
  const text = cell.slice(1);
  return cell.startsWith("'") && beginsLikeFormula.test(text) ? text : cell;
}
