// Finds the columns of a table by the names in its header row, whatever their order. Pure.

/** The column of each field, from 0. A field that the file does not have is absent. */
export type Columns<Field extends string> = Partial<Record<Field, number>>;

/** By field: the names that publishers have used for it. */
export type ColumnNames<Field extends string> = Record<Field, readonly string[]>;

/** The header may stand below a title or a date. */
const headerWithin = 20;

export function findHeader<Field extends string>(
  rows: readonly { cells: readonly string[] }[],
  names: ColumnNames<Field>,
  required: readonly Field[],
): { index: number; columns: Columns<Field> } | { missing: Field[] } {
  let missing: Field[] = [...required];
  for (const [index, { cells }] of rows.slice(0, headerWithin).entries()) {
    const columns = columnsOf(cells, names);
    const absent = required.filter((field) => columns[field] === undefined);
    if (absent.length === 0) return { index, columns };
    if (absent.length < missing.length) missing = absent;
  }
  return { missing };
}

function columnsOf<Field extends string>(
  cells: readonly string[],
  names: ColumnNames<Field>,
): Columns<Field> {
  const keys = cells.map(keyOf);
  const columns: Columns<Field> = {};
  for (const field of Object.keys(names) as Field[]) {
    const known = new Set(names[field].map(keyOf));
    const column = keys.findIndex((key) => known.has(key));
    if (column >= 0) columns[field] = column;
  }
  return columns;
}

/** Without case, space and punctuation. */
function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
