// Writes NACHA files of credits: PPD for individuals, CCD for businesses, standard settlement.

import { isRoutingNumber } from "../account-numbers/index.ts";
import { bankingCalendar, nextBankingDay, wallClockAt } from "../calendars/index.ts";
import { printableAscii } from "../characters.ts";
import { writeFileDate } from "../file-dates.ts";
import type { FileFacts, FileWriter, Payment, PaymentFormat, PaymentProblem } from "../format.ts";
import { toFieldText } from "../record-layout.ts";
import { NachaAssembly } from "./assembly.ts";
import { nachaCreditCodes } from "./codes.ts";
import { nachaBatchHeaderLayout, nachaEntryLayout, nachaFileHeaderLayout } from "./layouts.ts";

/** What the bank told us about our account. */
export type NachaSettings = {
  /** The routing number of the bank or operator that takes the file: 9 digits. */
  immediateDestination: string;
  destinationName: string;
  /** Who sends the file: 9 or 10 digits, as the bank wants it. */
  immediateOrigin: string;
  originName: string;
  /** The payer's name that receivers see. */
  companyName: string;
  /** Up to 10 characters, often 1 and the tax number. */
  companyId: string;
  /** What receivers see beside the name, such as PAYROLL. */
  entryDescription: string;
  /** The first 8 digits of our bank's routing number. */
  odfi: string;
};

const amountMax = 9_999_999_999n;

export const nachaFormat: PaymentFormat<NachaSettings> = {
  name: "nacha",
  problemsOf,
  // Counts of a batch have 6 digits, totals 12.
  limits: { count: 999_999, total: 999_999_999_999n },
  separatesBusinesses: true,
  toReference: (text) => entryText("identification", text),
  open,
};

function problemsOf(payment: Payment): PaymentProblem[] {
  const problems: PaymentProblem[] = [];
  const refuse = (field: keyof Payment, message: string) => problems.push({ field, message });
  if (payment.currency !== "USD") refuse("currency", "NACHA files carry USD only.");
  if (payment.country !== "USA") {
    refuse("country", "NACHA files reach accounts in the United States only.");
  }
  if (payment.amount <= 0n || payment.amount > amountMax) {
    refuse("amount", "NACHA files carry amounts from 0.01 to 99,999,999.99.");
  }
  if (!isRoutingNumber(payment.bankCode)) {
    refuse("bankCode", "A routing number has 9 digits, and the last one fits the others.");
  }
  if (!/^[0-9A-Za-z-]{1,17}$/.test(payment.accountNumber)) {
    refuse("accountNumber", "NACHA files carry account numbers of up to 17 digits or letters.");
  }
  if (entryText("name", payment.payeeName) === "") {
    refuse("payeeName", "Nothing of the name can be written in the characters of NACHA files.");
  }
  if (entryText("identification", payment.statementReference) === "") {
    const message = "Nothing of the reference can be written in the characters of NACHA files.";
    refuse("statementReference", message);
  }
  return problems;
}

/** The day and time at which a file was made are those of the clearing houses. */
const timeZone = "America/New_York";

/** Tell the files of one day apart. */
const modifiers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

function open(facts: FileFacts, settings: NachaSettings): FileWriter {
  const assembly = new NachaAssembly();
  const ourName = batchText("companyName", settings.companyName);
  // Standard settlement. The process date itself would ask for settlement on the same day.
  const effectiveDate = nextBankingDay(bankingCalendar("fedach"), facts.processDate);
  let batch = { count: 0, entryClass: "", companyName: "" };
  let entryCount = 0;

  function header(): string {
    const { date, time } = wallClockAt(facts.createdAtMs, timeZone);
    return assembly.openFile({
      recordType: "1",
      priorityCode: "01",
      immediateDestination: settings.immediateDestination.padStart(10),
      immediateOrigin: settings.immediateOrigin.padStart(10),
      creationDate: writeFileDate(date, "YYMMDD"),
      creationTime: time.replaceAll(":", "").slice(0, 4),
      fileIdModifier: modifiers[(facts.sequence - 1) % modifiers.length] ?? "A",
      recordSize: "094",
      blockingFactor: "10",
      formatCode: "1",
      destinationName: headerText("destinationName", settings.destinationName),
      originName: headerText("originName", settings.originName),
    });
  }

  /** A batch has one entry class and one company name, so another of either opens another batch. */
  function batchFor({ isBusiness, statementName }: Payment): string {
    const entryClass = isBusiness ? "CCD" : "PPD";
    const companyName = batchText("companyName", statementName) || ourName;
    if (entryClass === batch.entryClass && companyName === batch.companyName) return "";
    batch = { count: batch.count + 1, entryClass, companyName };
    const values = {
      recordType: "5",
      serviceClass: "220",
      companyName,
      companyId: batchText("companyId", settings.companyId),
      entryClass,
      entryDescription: batchText("entryDescription", settings.entryDescription),
      effectiveDate: writeFileDate(effectiveDate, "YYMMDD"),
      // Our bank is bound by the rules of the clearing houses.
      originatorStatus: "1",
      odfi: settings.odfi,
      batchNumber: batch.count.toString(),
    };
    return assembly.openBatch({ layout: nachaBatchHeaderLayout, values });
  }

  function payment(payment: Payment): string {
    const start = batchFor(payment);
    entryCount += 1;
    const values = {
      recordType: "6",
      transactionCode: nachaCreditCodes[payment.accountType],
      rdfi: payment.bankCode.slice(0, 8),
      checkDigit: payment.bankCode.slice(8),
      accountNumber: payment.accountNumber,
      amount: payment.amount.toString(),
      identification: entryText("identification", payment.statementReference),
      name: entryText("name", payment.payeeName),
      addendaIndicator: "0",
      traceNumber: `${settings.odfi}${entryCount.toString().padStart(7, "0")}`,
    };
    return start + assembly.addEntry({ layout: nachaEntryLayout, values }, "credit");
  }

  return { header, payment, trailer: () => assembly.closeFile() };
}

function headerText(name: "destinationName" | "originName", text: string): string {
  return toFieldText(nachaFileHeaderLayout, name, text, printableAscii);
}

function batchText(name: "companyName" | "companyId" | "entryDescription", text: string): string {
  return toFieldText(nachaBatchHeaderLayout, name, text, printableAscii);
}

function entryText(name: "identification" | "name", text: string): string {
  return toFieldText(nachaEntryLayout, name, text, printableAscii);
}
