// Lines and fields of files with records of one length, and dates in digits.

/** All four line ends that banks allow. The last line may lack one. */
export function linesOfFile(text: string): string[] {
  const lines = text.split(/\r\n|\n\r|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The columns from `first` to `last`, counted from 1 as the specifications do. */
export function cut(line: string, first: number, last: number): string {
  return line.slice(first - 1, last);
}

/** YYYY-MM-DD; empty where there is no such day. Two digits of a year are of this century. */
export function dateFrom(year: string, month: string, day: string): string {
  const date = `${year.length === 2 ? "20" : ""}${year}-${month}-${day}`;
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(date) ? date : "";
}

export function digitsOf(value: bigint | number | string, length: number): string {
  return String(value).padStart(length, "0");
}

/** Left-justified, cut to the field. */
export function textOf(value: string, length: number): string {
  return value.slice(0, length).padEnd(length);
}
