// pain.001 files: written as the golden files are, read again as they were written, whatever the payments hold.

import fc from "fast-check";
import { iso31661, iso31661Alpha3ToAlpha2 } from "iso-3166";
import { describe, expect, test } from "vitest";
import { checkBankFile } from "../src/check.ts";
import type { FileFacts, FileTotals, Payment } from "../src/format.ts";
import { readIsoMessage } from "../src/iso/iso-messages.ts";
import type { Pain001Settings } from "../src/iso/pain-001-profiles.ts";
import type {
  CreditTransfer,
  InitiationBlock,
  InitiationHeader,
  InitiationRecord,
} from "../src/iso/pain-001-reader.ts";
import { pain001v03Format, pain001v09Format, uetrOf } from "../src/iso/pain-001-writer.ts";
import {
  audSettings,
  dublin,
  eurPayments,
  eurSettings,
  gbpPayments,
  gbpSettings,
  goldenFiles,
  nzdPayments,
  nzdSettings,
  readGolden,
  zurich,
} from "./pain-001-examples.ts";
import { anyAmount, anyName, exampleFacts, examplePayment, writeFile } from "./payments.ts";

const runs = 100;

function check(file: string) {
  return checkBankFile(new TextEncoder().encode(file));
}

describe.each(goldenFiles)("$name", ({ name, format, settings, payments }) => {
  test("is written as the golden file", () => {
    expect(payments.flatMap((payment) => format.problemsOf(payment, settings))).toEqual([]);
    expect(writeFile(format, settings, payments)).toBe(readGolden(name));
  });

  test("is read with its count and sum", () => {
    const { total } = exampleFacts(payments);
    const { format: found, valid, problems, count, credit, debit } = check(readGolden(name));
    expect({ found, valid, problems }).toEqual({ found: format.name, valid: true, problems: [] });
    expect({ count, credit, debit }).toEqual({
      count: payments.length,
      credit: Number(total),
      debit: 0,
    });
  });

  test("is written again with the same bytes from what was read", () => {
    const golden = readGolden(name);
    const { facts, settings: read, payments: again } = restore(golden);
    expect(writeFile(format, { ...read, clearing: settings.clearing }, again, facts)).toBe(golden);
  });
});

/** What a file was written from, as far as the file tells. */
function restore(file: string) {
  const records = [...(readIsoMessage(file) ?? [])] as InitiationRecord[];
  const header = records.find(({ kind }) => kind === "header") as InitiationHeader;
  const block = records.find(({ kind }) => kind === "block") as InitiationBlock;
  const transfers = records.filter(
    (record): record is CreditTransfer => record.kind === "transfer",
  );
  const facts: FileFacts & FileTotals = {
    fileId: header.messageId,
    sequence: 1,
    processDate: block.executionDate,
    createdAtMs: Date.parse(header.createdAt),
    count: Number(header.count),
    total: transfers.reduce((sum, { amount }) => sum + amount, 0n),
  };
  const settings: Pain001Settings = {
    currency: block.accountCurrency as Pain001Settings["currency"],
    clearing: "bacs",
    debtorName: block.debtorName,
    debtorAddress: addressOf(block),
    organisationId: header.organisationId,
    accountNumber: block.iban || block.account,
    clearingCode: block.memberId,
    bic: block.bic,
    isBatchBooked: block.batchBooking === "true",
    hasUetr: transfers.some(({ uetr }) => uetr !== ""),
  };
  return { facts, settings, payments: transfers.map(toPayment) };
}

function toAlpha3(alpha2: string): string {
  return iso31661.find((country) => country.alpha2 === alpha2)?.alpha3 ?? "";
}

function addressOf({
  street,
  addressLines,
  town,
  region,
  postcode,
  country,
}: InitiationBlock | CreditTransfer) {
  if (town === "") return undefined;
  const lines = addressLines.replace("\n", " ");
  return {
    street: street || lines,
    city: town,
    state: region,
    postcode,
    country: toAlpha3(country),
  };
}

const countries: Record<string, string> = { AUBSB: "AUS", NZNCC: "NZL", GBDSC: "GBR" };

function toPayment(transfer: CreditTransfer): Payment {
  const { clearingSystem, memberId, iban, account } = transfer;
  return examplePayment({
    payoutId: transfer.endToEndId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    amount: transfer.amount,
    currency: transfer.currency,
    country: countries[clearingSystem] ?? toAlpha3(iban.slice(0, 2)),
    bsb: clearingSystem === "GBDSC" ? "" : memberId,
    bankCode: clearingSystem === "GBDSC" ? memberId : transfer.bic,
    accountNumber: iban || account,
    payeeName: transfer.name,
    address: addressOf(transfer),
    statementReference: transfer.remittance,
    statementName: transfer.ultimateDebtor,
    purpose: transfer.purpose,
  });
}

describe("random payments", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 90 });
  const address = fc.option(
    fc.record({
      street: text,
      city: anyName,
      state: text,
      postcode: text,
      country: fc.constantFrom("AUS", "DEU", "CHE", "GBR"),
    }),
    { nil: undefined },
  );
  const anyPayment = fc.record({
    payoutId: fc.uuid({ version: 7 }),
    payeeName: anyName,
    statementReference: fc.oneof(anyName, fc.string({ unit: "grapheme", maxLength: 300 })),
    statementName: text,
    purpose: fc.constantFrom("", "SALA", "SUPP"),
    address,
  });
  const [, swissPayment] = eurPayments;
  const connections = [
    {
      format: pain001v03Format,
      settings: audSettings,
      base: examplePayment(),
      max: 9_999_999_999n,
    },
    { format: pain001v09Format, settings: nzdSettings, base: nzdPayments[0], max: 99_999_999_999n },
    { format: pain001v09Format, settings: eurSettings, base: eurPayments[0], max: 99_999_999_999n },
    { format: pain001v09Format, settings: eurSettings, base: swissPayment, max: 99_999_999_999n },
    { format: pain001v09Format, settings: gbpSettings, base: gbpPayments[0], max: 100_000_000n },
  ];

  test.each(connections)(
    "$settings.currency in $format.name is read as it was written",
    ({ format, settings, base, max }) => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(anyPayment, anyAmount(max)), { minLength: 1, maxLength: 5 }),
          (made) => {
            const payments = made
              .map(([changes, amount]) => ({ ...examplePayment(base), ...changes, amount }))
              .filter((payment) => format.problemsOf(payment, settings).length === 0);
            fc.pre(payments.length > 0);
            const file = writeFile(format, settings, payments);
            const { valid, problems, count, credit } = check(file);
            expect({ valid, problems }).toEqual({ valid: true, problems: [] });
            expect(count).toBe(payments.length);
            expect(BigInt(credit ?? 0)).toBe(exampleFacts(payments).total);
            const { facts, settings: read, payments: again } = restore(file);
            const clearing = settings.clearing;
            expect(writeFile(format, { ...read, clearing }, again, facts)).toBe(file);
          },
        ),
        { numRuns: runs },
      );
    },
  );
});

describe("fields", () => {
  test("a UETR is a version 4 UUID, and always the same for a payout", () => {
    const id = "0193a5f2-7c1e-7d3a-9b0c-5e2f4a6b8c1d";
    expect(uetrOf(id)).toBe(uetrOf(id));
    fc.assert(
      fc.property(fc.uuid(), (payoutId) => {
        expect(uetrOf(payoutId)).toMatch(
          /^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$/,
        );
      }),
    );
  });

  test("version 03 has no UETR", () => {
    const settings = { ...audSettings, hasUetr: true };
    expect(writeFile(pain001v03Format, settings, [examplePayment()])).not.toContain("UETR");
    expect(writeFile(pain001v09Format, settings, [examplePayment()])).toContain("<UETR>");
  });

  test("a street that is too long for its field becomes two address lines", () => {
    const street = `${"Long Street ".repeat(9)}99`;
    const payment = { ...examplePayment(eurPayments[1]), address: { ...zurich, street } };
    const file = writeFile(pain001v09Format, eurSettings, [payment]);
    expect(file.match(/<AdrLine>/g)).toHaveLength(2);
    expect(check(file).problems).toEqual([]);
  });

  test("an address without a town is left out where it is optional", () => {
    const payment = { ...examplePayment(eurPayments[0]), address: { ...dublin, city: "" } };
    expect(pain001v09Format.problemsOf(payment, eurSettings)).toEqual([]);
    const file = writeFile(pain001v09Format, { ...eurSettings, debtorAddress: undefined }, [
      payment,
    ]);
    expect(file).not.toContain("PstlAdr");
  });

  test("Bacs and Faster Payments differ in their service level", () => {
    const bacs = writeFile(pain001v09Format, { ...gbpSettings, clearing: "bacs" }, gbpPayments);
    expect(bacs).toContain("<SvcLvl><Cd>NURG</Cd></SvcLvl>");
    expect(writeFile(pain001v09Format, gbpSettings, gbpPayments)).toContain("<Cd>URNS</Cd>");
  });

  test("every country has two letters", () => {
    expect(iso31661.every(({ alpha2, alpha3 }) => iso31661Alpha3ToAlpha2[alpha3] === alpha2)).toBe(
      true,
    );
  });
});

describe("payments that the format can't carry", () => {
  const eur = examplePayment(eurPayments[0]);
  const swiss = examplePayment(eurPayments[1]);
  const refusals: [string, Partial<Payment>, keyof Payment][] = [
    ["another currency", { currency: "AUD" }, "currency"],
    ["an amount of zero", { amount: 0n }, "amount"],
    ["an amount above the limit", { amount: 100_000_000_000n }, "amount"],
    ["an account outside SEPA", { country: "USA" }, "country"],
    ["a wrong IBAN", { accountNumber: "DE89370400440532013001" }, "accountNumber"],
    ["a bank code that is no BIC", { bankCode: "12345" }, "bankCode"],
    ["a name without a letter", { payeeName: "\u0007" }, "payeeName"],
    ["a reference without a letter", { statementReference: "\u0007" }, "statementReference"],
    ["a purpose that is no code", { purpose: "salary" }, "purpose"],
    ["a payout id that is too long", { payoutId: "x".repeat(36) }, "payoutId"],
  ];

  test.each(refusals)("%s", (_, changes, field) => {
    const problems = pain001v09Format.problemsOf({ ...eur, ...changes }, eurSettings);
    expect(problems.map((problem) => problem.field)).toContain(field);
    for (const { message } of problems) expect(message).toMatch(/^[A-Z].*\.$/);
  });

  test("EUR in version 03", () => {
    expect(pain001v03Format.problemsOf(eur, eurSettings)).toEqual([
      { field: "currency", message: "Payments in EUR need pain.001.001.09." },
    ]);
  });

  test("outside the EEA without the receiver's address, or without ours", () => {
    const without = { ...swiss, address: undefined };
    expect(pain001v09Format.problemsOf(without, eurSettings)[0]?.field).toBe("address");
    const settings = { ...eurSettings, debtorAddress: undefined };
    expect(pain001v09Format.problemsOf(swiss, settings)[0]?.field).toBe("country");
  });

  test("bank details of another country", () => {
    const fields = (payment: Payment, settings: Pain001Settings) =>
      pain001v09Format.problemsOf(payment, settings).map(({ field }) => field);
    expect(fields(examplePayment({ bsb: "1" }), audSettings)).toEqual(["accountNumber"]);
    expect(fields(examplePayment({ accountNumber: "000000" }), audSettings)).toEqual([
      "accountNumber",
    ]);
    expect(fields(examplePayment({ country: "NZL" }), audSettings)).toEqual(["country"]);
    const nzd = examplePayment(nzdPayments[0]);
    expect(fields({ ...nzd, accountNumber: "123" }, nzdSettings)).toEqual(["accountNumber"]);
    const split = { ...nzd, bsb: "123140", accountNumber: "0171323-50" };
    expect(fields(split, nzdSettings)).toEqual([]);
    const gbp = examplePayment(gbpPayments[0]);
    expect(fields({ ...gbp, bankCode: "" }, gbpSettings)).toEqual(["accountNumber"]);
    expect(fields({ ...gbp, amount: 100_000_001n }, gbpSettings)).toEqual(["amount"]);
    expect(fields({ ...gbp, amount: 100_000_001n }, { ...gbpSettings, clearing: "bacs" })).toEqual(
      [],
    );
  });
});
