// Reads CSV as RFC 4180 has it, and as banks do: with semicolons or tabs as well, and lines that end either way. Pure.

/** Rows of cells. Empty lines are left out. */
export function readCsv(text: string): string[][] {
  const clean = text.replace(/^\uFEFF/, "");
  const separator = separatorOf(clean);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    if (row.some((one) => one.trim() !== "")) rows.push(row);
    row = [];
    cell = "";
  };
  for (let place = 0; place < clean.length; place += 1) {
    const sign = clean[place] as string;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (clean[place + 1] === '"') {
        cell += '"';
        place += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell.trim() === "") {
      cell = "";
      isQuoted = true;
    } else if (sign === separator) {
      row.push(cell);
      cell = "";
    } else if (sign === "\n") endRow();
    else if (sign !== "\r") cell += sign;
  }
  endRow();
  return rows;
}

/** The one that the first line has most of. */
function separatorOf(text: string): string {
  const [line = ""] = text.split("\n", 1);
  const many = (sign: string) => line.split(sign).length;
  return [",", ";", "\t"].reduce((best, sign) => (many(sign) > many(best) ? sign : best));
}
