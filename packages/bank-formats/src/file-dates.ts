// Dates in bank files: digits in an order that each bank chose.

export type DateOrder = "DDMMYY" | "YYMMDD" | "YYYYMMDD" | "DDMMYYYY";

/** The date as YYYY-MM-DD; undefined where the text is no date. Two digits of a year mean 2000 to 2099. */
export function readFileDate(text: string, order: DateOrder): string | undefined {
  if (text.length !== order.length || !/^\d+$/.test(text)) return undefined;
  const part = (letter: string) => text.slice(order.indexOf(letter), order.lastIndexOf(letter) + 1);
  const year = part("Y").padStart(4, "20");
  const date = `${year}-${part("M")}-${part("D")}`;
  return isDay(date) ? date : undefined;
}

/** From YYYY-MM-DD. */
export function writeFileDate(date: string, order: DateOrder): string {
  const [year = "", month = "", day = ""] = date.split("-");
  return order
    .replace("YYYY", year)
    .replace("YY", year.slice(2))
    .replace("MM", month)
    .replace("DD", day);
}

/** Whether it is YYYY-MM-DD and in the calendar. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  return (
    month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
  );
}
