// The generator of statements with the truth known: the same seed makes the same bytes, balances follow on each other,
// every file is valid, and every kind of line occurs.

import { expect, test } from "vitest";
import { checkBankFile } from "../../../../packages/bank-formats/src/check.ts";
import { drawOf } from "../../scenarios/seeded-draw.ts";
import { weekdaysOf } from "../../scenarios/statement-days.ts";
import { generateMonth } from "../../scenarios/statement-generator.ts";
import type { OwnAccount, SentFile } from "../../scenarios/statement-movements.ts";
import { accountPlans, paymentsFor, planFiles } from "../../scenarios/statement-plan.ts";

const days = weekdaysOf("2026-10");

function accountOf(index: number, seed: number): OwnAccount {
  const draw = drawOf(seed);
  const payees = 50;
  let ids = 0;
  const newId = () => {
    ids += 1;
    const random = Array.from({ length: 20 }, () => draw.below(16).toString(16)).join("");
    const digits = `${random}${String(ids).padStart(12, "0")}`;
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  };
  const files = planFiles(draw, { days, payments: paymentsFor(2000), payees }).map(
    ({ day, payments }): SentFile => ({
      batchId: newId(),
      day,
      payments: payments.map(({ payee, amount, reference }) => ({
        payoutId: newId(),
        amount,
        account: String(30_000_000 + payee),
        name: `Payee & ${payee}`,
        reference,
      })),
    }),
  );
  return {
    ...(accountPlans[index] as (typeof accountPlans)[number]),
    number: `4000000${index}`,
    opening: 1_000_000_00n,
    files,
    depositors: [
      { subaccountId: newId(), reference: "7K3M9QWXY5" },
      { subaccountId: newId(), reference: "0N4T6B8V2C" },
    ],
  };
}

const monthOf = (index: number, seed: number) => generateMonth(accountOf(index, seed), seed);
const all = accountPlans.map((plan, index) => ({ ...plan, month: monthOf(index, 16) }));

test("the same seed makes the same bytes, and another one does not", () => {
  const bytesOf = (index: number, seed: number) =>
    monthOf(index, seed)
      .files.map(({ name, text }) => name + text())
      .join("\n");
  for (const index of accountPlans.keys()) {
    const first = bytesOf(index, 16);
    // As a fact: texts of this size make a failure unreadable.
    expect(first === bytesOf(index, 16)).toBe(true);
    expect(first === bytesOf(index, 17)).toBe(false);
  }
});

test.each(all)("$format in $currency: each statement opens where the one before closed", (one) => {
  const { files, movements } = one.month;
  const sum = (of: readonly { amount: bigint }[]) =>
    of.reduce((total, { amount }) => total + amount, 0n);
  const late = files.filter(({ kind }) => kind === "late");
  expect(late).toHaveLength(1);
  const chain = [...files.filter(({ kind }) => kind === "statement" || kind === "overlap"), ...late]
    .map((file) => ({ ...file, days: [...new Set(file.movements.map(({ day }) => day))] }))
    .sort((left, right) => ((left.days.at(-1) ?? "") < (right.days.at(-1) ?? "") ? -1 : 1));
  let balance = 1_000_000_00n;
  for (const { days: own, movements: lines, opening } of chain) {
    const last = lines.filter(({ day }) => day === own.at(-1));
    expect(opening).toBe(balance - (sum(lines) - sum(last)));
    balance += sum(last);
  }
  expect(balance).toBe(1_000_000_00n + sum(movements));
});

test.each(all)("$format in $currency: every file is valid, with its lines", ({ format, month }) => {
  // The service reads CSV by a mapping only.
  if (format === "csv") return;
  for (const { name, kind, text, movements } of month.files) {
    const report = checkBankFile(Buffer.from(text()));
    expect([name, report.problems]).toEqual([name, []]);
    const entries = new Set(movements.map((one) => (one.entry > 0 ? one.entry : one)));
    expect(report.count).toBe(entries.size);
    if (kind === "notification") expect(report.format).toContain("camt.054");
  }
});

test("CSV: the balance after each line follows from the one before", () => {
  for (const { text, opening } of all.at(-1)?.month.files ?? []) {
    let balance = opening;
    for (const row of text().trimEnd().split("\n").slice(1)) {
      const cells = row.split(";");
      balance += BigInt(cells[4]?.replace(",", "") ?? "");
      expect(cells[6]).toMatch(/^-?\d+,\d\d$/);
      expect(BigInt(cells[6]?.replace(",", "") ?? "")).toBe(balance);
    }
  }
});

test("every kind of file, of line and of truth occurs, matchable or not", () => {
  const files = new Set(all.flatMap(({ month }) => month.files.map(({ kind }) => kind)));
  expect([...files].sort()).toEqual(
    ["copy", "late", "notification", "overlap", "repeat", "statement"].sort(),
  );
  const movements = all.flatMap(({ month }) => month.movements);
  expect(movements.length).toBeGreaterThan(2000);
  const kinds = new Set(movements.map(({ truth, canMatch }) => `${truth.kind} ${canMatch}`));
  expect([...kinds].sort()).toEqual([
    "batch false",
    "batch true",
    "charge false",
    "funding true",
    "payout false",
    "payout true",
    "return false",
    "return true",
    "unknown false",
  ]);
  const variants = new Set(movements.map(({ variant }) => variant));
  expect(variants.size).toBeGreaterThanOrEqual(30);
  const share = movements.filter(({ canMatch }) => canMatch).length / movements.length;
  expect(share).toBeGreaterThan(0.7);
  expect(movements.some(({ day, valueDay }) => day.slice(0, 7) !== valueDay.slice(0, 7))).toBe(
    true,
  );
  expect(new Set(movements.map(({ day }) => day.slice(0, 7)))).toEqual(
    new Set(["2026-10", "2026-11"]),
  );
});

test("a line without an intact reference can be matched only where one open item and one line fit", () => {
  for (const { month } of all) {
    const debits = month.movements.filter(({ amount }) => amount < 0n);
    const isUnclear = ({ variant, truth }: (typeof debits)[number]) =>
      truth.kind === "payout" && /swapped|account/.test(variant);
    for (const line of debits.filter(isUnclear).filter(({ canMatch }) => canMatch)) {
      const rivals = debits.filter(
        (one) =>
          one.partyAccount === line.partyAccount &&
          one.amount === line.amount &&
          one.day === line.day &&
          /swapped|account/.test(one.variant),
      );
      expect(rivals).toEqual([line]);
    }
  }
});
