// What an exception is, in one sentence. Pure.

import type { ExceptionLine } from "@server/doors/console/statements/schema.ts";
import { moneyText } from "../state/money.ts";
import { calendarDayText } from "../state/time.ts";
import { daysText, reportTitle } from "../texts/bank-inbound.ts";

/** "Unidentified credit 480.00 AUD from J SMITH, 3 days" */
export function exceptionText(exception: ExceptionLine): string {
  return `${whatOf(exception)}, ${daysText(exception.age_days)}`;
}

function whatOf(exception: ExceptionLine): string {
  const { kind, report, amount, currency, party, day } = exception;
  const size = amount === null ? "" : moneyText(String(amount).replace("-", ""), currency);
  const isDebit = amount !== null && Number(amount) < 0;
  const move = `${isDebit ? "debit" : "credit"} ${size}`;
  const other = party && ` ${isDebit ? "to" : "from"} ${party}`;
  switch (kind) {
    case "line":
      return `Unexplained ${move}${other}`;
    case "repetition":
      return `Possibly repeated ${move}${other}`;
    case "suspense":
      return reportTitle(report ?? "", exception);
    case "gap":
      return `Missing statement: ${size} between two balances`;
    case "overlap":
      return `Overlapping statements: ${size} between two balances`;
    case "batch":
      return `File that the bank has not debited: ${size}`;
    case "transit":
      return `In the books and on no statement: ${size}`;
    case "opening":
      return `Opening balance ${size} that is not in the books`;
    default:
      return `No statement after ${calendarDayText(day)}`;
  }
}
