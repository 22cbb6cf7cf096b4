// Reads the comma-separated files of BNZ, Kiwibank and ANZ. Yields records, and reports all that is wrong.

import { printableAscii } from "../characters.ts";
import { quoteField } from "../quoting.ts";
import { readDelimited } from "../record-reader.ts";
import type { Sums } from "../report.ts";
import { readNzAccount } from "./batch.ts";
import { type MtsProfile, mtsBatchTypes, mtsCreditCodes, mtsDebitCode } from "./mts-layouts.ts";
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

const mtsReader = (profile: MtsProfile): NzReader => ({
  format: profile.format,
  typeOf: firstField,
  kinds: numberedKinds,
  types: "1, 2 or 3",
  header(line, { problems }) {
    const { header, dateOrder, usesHeader, accountLengths } = profile;
    const record = readDelimited(line, header, problems);
    record.characters(printableAscii, "error");
    const has = (name: Parameters<typeof record.text>[0]) => usesHeader || record.text(name) !== "";
    if (has("ourAccount")) readNzAccount(record, "ourAccount", accountLengths);
    const batchType = record.text("batchType");
    if (usesHeader && !Object.values(mtsBatchTypes).includes(batchType)) {
      record.mustBe("batchType", "7 for credits or 6 for debits");
    }
    const dueDate = has("dueDate") ? record.date("dueDate", dateOrder) : "";
    if (usesHeader && record.text("createdDate") === "") record.shouldBe("createdDate", "given");
    const hasCreatedDate = record.text("createdDate") !== "";
    const own = ["authorisation", "batchNumber", "batchSequence", "batchType"] as const;
    return headerOf(record, {
      ourAccount: record.text("ourAccount"),
      dueDate,
      dueDateOrder: dateOrder,
      createdDate: hasCreatedDate ? record.date("createdDate", dateOrder) : "",
      other: textsOf(record, ...own, "indicator"),
    });
  },
  payment(line, { header, problems }) {
    const record = readDelimited(line, profile.payment, problems);
    checkCharacters(record, profile.characters);
    const transactionCode = record.text("transactionCode");
    const direction: keyof Sums = transactionCode === mtsDebitCode ? "debit" : "credit";
    const batchType = header?.other.batchType ?? "";
    if (direction === "credit" && !mtsCreditCodes.has(transactionCode)) {
      const isPossible = profile.hasOtherCodes && /^\d\d$/.test(transactionCode);
      record[isPossible ? "shouldBe" : "mustBe"]("transactionCode", "50, 52 or 00");
    } else if (profile.usesHeader && batchType !== "" && batchType !== mtsBatchTypes[direction]) {
      record.mustBe("transactionCode", `that of a batch of type ${quoteField(batchType)}`);
    }
    const account = readNzAccount(record, "account", profile.accountLengths);
    const payment = paymentOf(record, { account, transactionCode, direction });
    record.requireText("payeeName");
    return { ...payment, other: textsOf(record, "payeeAlphaReference") };
  },
  trailer(line, { batch, problems }) {
    const record = readDelimited(line, profile.trailer, problems);
    const total = batch.compareTotal(record, "total");
    const count = batch.compareCount(record, "count");
    const hashTotal = batch.compareHash(record, "hashTotal");
    if (profile.fillsHashTotal && hashTotal !== "" && hashTotal.length < 11) {
      record.shouldBe("hashTotal", "11 digits, with zeros before it");
    }
    const place = { line: record.line, fieldCount: record.fieldCount };
    return { kind: "trailer", ...place, credit: total, debit: 0n, count, hashTotal };
  },
});

export const readMts = (text: string, profile: MtsProfile) => readNzFile(text, mtsReader(profile));
