// Reads Westpac's Deskbank files, with commas or fixed columns. Yields records, and reports all that is wrong.

import { printableAscii } from "../characters.ts";
import { type FileLine, firstLines } from "../file-lines.ts";
import { quoteAccount } from "../quoting.ts";
import type { RecordLayout } from "../record-layout.ts";
import { type RecordReader, readDelimited, readFixed } from "../record-reader.ts";
import type { FileProblems } from "../report.ts";
import { doubtAbout } from "./accounts.ts";
import {
  headerOf,
  type NzReader,
  type NzReading,
  paymentOf,
  readNzFile,
  textsOf,
} from "./reader.ts";
import {
  delimitedForm,
  westpacBank,
  westpacCharacters,
  westpacHeaderLayout,
  westpacPaymentLayout,
  westpacSources,
} from "./westpac-layouts.ts";

export function recognisesWestpac(text: string): boolean {
  const [first = ""] = firstLines(text, 1);
  return /^[AD](?:,[^,]{0,6},\d{1,2},\d{0,4},|\d{12})/.test(first);
}

function readEither<Name extends string>(
  line: FileLine,
  layout: RecordLayout<Name>,
  problems: FileProblems,
): RecordReader<Name> {
  const isDelimited = line.text[1] === ",";
  const record = isDelimited
    ? readDelimited(line, delimitedForm(layout), problems)
    : readFixed(line, layout, problems);
  if (!record.characters(printableAscii, "error")) record.characters(westpacCharacters, "error");
  record.blanks();
  return record;
}

const westpacReader: NzReader = {
  format: "nz-westpac",
  typeOf: (line) => line[0] ?? "",
  kinds: { A: "header", D: "payment" },
  types: "A or D",
  header(line, { previous, problems }) {
    const record = readEither(line, westpacHeaderLayout, problems);
    const bank = record.digits("bank").padStart(2, "0");
    if (bank !== westpacBank) record.mustBe("bank", westpacBank);
    return headerOf(record, {
      ourAccount: bank + record.digits("branch").padStart(4, "0"),
      ourName: record.text("customerName"),
      dueDate: record.date("dueDate", "DDMMYY"),
      dueDateOrder: "DDMMYY",
      other: {
        sequence: readSequence(record, previous),
        ...textsOf(record, "customerNumber", "description"),
      },
    });
  },
  payment(line, { previous, problems }) {
    const record = readEither(line, westpacPaymentLayout, problems);
    const transactionCode = record.digits("transactionCode").padStart(2, "0");
    const source = record.text("source");
    const expected = westpacSources.get(transactionCode);
    if (expected === undefined) record.mustBe("transactionCode", "50, 52 or 00");
    else if (source !== expected) record.mustBe("source", expected);
    const direction = transactionCode === "00" ? "debit" : "credit";
    const account = readAccount(record);
    return {
      ...paymentOf(record, { account, transactionCode, direction }),
      other: {
        sequence: readSequence(record, previous),
        source,
        ourAccount:
          record.digits("ourBank").padStart(2, "0") +
          record.digits("ourBranch").padStart(4, "0") +
          record.digits("ourBase", quoteAccount).padStart(8, "0") +
          record.digits("ourSuffix").padStart(4, "0"),
      },
    };
  },
};

export const readWestpac = (text: string) => readNzFile(text, westpacReader);

/** Between commas, zeros may be missing before a number. */
function readAccount(record: RecordReader<PaymentField>): string {
  const account = {
    bank: record.digits("bank").padStart(2, "0"),
    branch: record.digits("branch").padStart(4, "0"),
    base: record.digits("base", quoteAccount).padStart(8, "0"),
    suffix: record.digits("suffix").padStart(4, "0"),
  };
  const doubt = doubtAbout(account);
  if (doubt !== undefined) record.warning("bank", doubt);
  return account.bank + account.branch + account.base + account.suffix;
}

type PaymentField = (typeof westpacPaymentLayout)["fields"][number]["name"];

type SequenceReader = Pick<RecordReader<"sequence">, "digits" | "shouldBe">;

/** Banks ask for numbers that differ. Ours and those of other programs ascend. */
function readSequence(record: SequenceReader, previous: NzReading["previous"]): string {
  const sequence = record.digits("sequence").padStart(6, "0");
  if (Number(sequence) <= Number(previous?.other.sequence ?? -1))
    record.shouldBe("sequence", "above that of the record before");
  return sequence;
}
