// Reads ANZ's full file import. Yields records, and reports all that is wrong.

import { printableAscii } from "../characters.ts";
import { quoteField } from "../quoting.ts";
import { readDelimited } from "../record-reader.ts";
import type { Sums } from "../report.ts";
import {
  anzBatchTypes,
  anzFullHeaderLayout,
  anzFullPaymentLayout,
  anzFullTrailerLayout,
  anzReportingMethods,
} from "./anz-full-layouts.ts";
import { readNzAccount } from "./batch.ts";
import { anzProfile, mtsCreditCodes, mtsDebitCode } from "./mts-layouts.ts";
import {
  checkCharacters,
  firstField,
  headerOf,
  type NzReader,
  numberedKinds,
  paymentOf,
  readNzFile,
  textsOf,
} from "./reader.ts";

const anzFullReader: NzReader = {
  format: "nz-anz",
  typeOf: firstField,
  kinds: numberedKinds,
  types: "1, 2 or 3",
  hasBatches: true,
  header(line, { problems }) {
    const record = readDelimited(line, anzFullHeaderLayout, problems);
    record.characters(printableAscii, "error");
    record.blanks();
    const batchType = record.text("batchType");
    if (!Object.values(anzBatchTypes).includes(batchType)) record.mustBe("batchType", "C or D");
    if (batchType === anzBatchTypes.debit) record.requireText("authorisation");
    if (!/^(?:|([01]\d|2[0-3])[0-5]\d)$/.test(record.text("time"))) {
      record.mustBe("time", "empty or HHMM");
    }
    if (!Object.values(anzReportingMethods).includes(record.text("reporting"))) {
      record.mustBe("reporting", "S or M");
    }
    record.requireText("batchName");
    const hasCreatedDate = record.text("createdDate") !== "";
    const own = ["batchType", "time", "authorisation", "reporting", "batchName"] as const;
    const texts = textsOf(record, ...own, "ourParticulars", "ourCode", "ourReference");
    return headerOf(record, {
      ourAccount: readNzAccount(record, "ourAccount", [15, 16]),
      dueDate: record.date("dueDate", "YYYYMMDD"),
      dueDateOrder: "YYYYMMDD",
      createdDate: hasCreatedDate ? record.date("createdDate", "YYYYMMDD") : "",
      other: {
        ...texts,
        dishonourAccount: readNzAccount(record, "dishonourAccount", [15, 16]),
      },
    });
  },
  payment(line, { header, problems }) {
    const record = readDelimited(line, anzFullPaymentLayout, problems);
    checkCharacters(record, anzProfile.characters);
    record.blanks();
    const transactionCode = record.text("transactionCode");
    const direction: keyof Sums = transactionCode === mtsDebitCode ? "debit" : "credit";
    const batchType = header?.other.batchType ?? "";
    if (direction === "credit" && !mtsCreditCodes.has(transactionCode)) {
      record.mustBe("transactionCode", "50, 52 or 00");
    } else if (batchType !== "" && batchType !== anzBatchTypes[direction]) {
      record.mustBe("transactionCode", `that of a batch of type ${quoteField(batchType)}`);
    }
    const account = readNzAccount(record, "account", anzProfile.accountLengths);
    const payment = paymentOf(record, { account, transactionCode, direction });
    record.requireText("payeeName");
    return payment;
  },
  trailer(line, { batch, problems }) {
    const record = readDelimited(line, anzFullTrailerLayout, problems);
    record.blanks();
    return {
      kind: "trailer",
      line: record.line,
      fieldCount: record.fieldCount,
      debit: batch.compareTotal(record, "debit", "debit"),
      credit: batch.compareTotal(record, "credit", "credit"),
      count: batch.compareCount(record, "count"),
      // ANZ does not ask for it.
      hashTotal: record.text("hashTotal") === "" ? "" : batch.compareHash(record, "hashTotal"),
    };
  },
};

/** A file holds one or more batches. */
export const readAnzFull = (text: string) => readNzFile(text, anzFullReader);
