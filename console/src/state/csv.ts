// Parses CSV (RFC 4180), also with the semicolons, tabs and line endings that banks use. Pure.

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

/** The separator that occurs most often in the first line. */
function separatorOf(text: string): string {
  const [line = ""] = text.split("\n", 1);
  const many = (sign: string) => line.split(sign).length;
  return [",", ";", "\t"].reduce((best, sign) => (many(sign) > many(best) ? sign : best));
}
