// The movements of a bank account in a month, made at random, each with the truth: what it is, and whether it can be matched
// without a user. Pure: the same seed makes the same movements.

import { type Draw, drawOf, swapNeighbours } from "./seeded-draw.ts";
import { addDays, nextWeekday } from "./statement-days.ts";

/** One payment of a file that was sent to the bank. */
export type SentPayment = {
  payoutId: string;
  amount: bigint;
  account: string;
  name: string;
  /** What the receiver sees. */
  reference: string;
};

export type SentFile = {
  batchId: string;
  /** The process date, YYYY-MM-DD. */
  day: string;
  payments: SentPayment[];
};

export const generatedFormats = [
  "camt.053.001.02",
  "camt.053.001.04",
  "camt.053.001.08",
  "bai2",
  "csv",
] as const;
export type GeneratedFormat = (typeof generatedFormats)[number];

/** An account of ours at a bank, and what the bank is to write about it. */
export type OwnAccount = {
  number: string;
  currency: string;
  format: GeneratedFormat;
  /** Whether the bank also sends camt.054. */
  notifies: boolean;
  /** Whether the bank gives each line a reference of its own. */
  hasBankReferences: boolean;
  opening: bigint;
  files: SentFile[];
  depositors: { subaccountId: string; reference: string }[];
};

export type LineTruth =
  | { kind: "payout"; payoutId: string }
  | { kind: "batch"; batchId: string }
  | { kind: "return"; payoutId: string }
  | { kind: "funding"; subaccountId: string }
  | { kind: "charge" }
  | { kind: "unknown" };

export type Movement = {
  day: string;
  valueDay: string;
  /** Minor units; a debit is below zero. */
  amount: bigint;
  bankReference: string;
  /** What the bank calls it. */
  code: "payment" | "file" | "return" | "deposit" | "charge";
  /** EndToEndId, or the customer's reference; empty where there is none. */
  reference: string;
  /** The id of the file, where it is one debit for all. */
  messageId: string;
  partyName: string;
  partyAccount: string;
  text: string;
  /** The number of the entry that lists it among others; 0 where it is an entry of its own. */
  entry: number;
  truth: LineTruth;
  /** How it was made, for counts. */
  variant: string;
  canMatch: boolean;
};

const isCamt = ({ format }: OwnAccount) => format.startsWith("camt.");
const namesParty = ({ format }: OwnAccount) => format !== "bai2";

const hex = (id: string) => id.replaceAll("-", "");

type Month = {
  account: OwnAccount;
  draw: Draw;
  movements: Movement[];
  entries: number;
  /** How many payments of a day are equal, in all files. */
  equals: ReadonlyMap<string, number>;
};

/** All movements of the account, in the order of their days. */
export function makeMovements(account: OwnAccount, seed: number): Movement[] {
  const equals = count(
    account.files.flatMap((file) => file.payments.map((payment) => paymentOnDay(payment, file))),
  );
  const month: Month = { account, draw: drawOf(seed), movements: [], entries: 0, equals };
  for (const file of account.files) payFile(month, file);
  const days = [...new Set(account.files.map(({ day }) => day))].sort();
  for (const day of days) addOthers(month, day);
  const { movements } = month;
  decideMatchable(account, movements);
  for (const [index, movement] of movements.entries()) {
    if (account.hasBankReferences) movement.bankReference = `BK${account.number}N${index + 1}`;
  }
  return movements
    .map((movement, index) => ({ movement, index }))
    .sort((one, other) => compare(one.movement.day, other.movement.day) || one.index - other.index)
    .map(({ movement }) => movement);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function add({ movements }: Month, facts: Partial<Movement> & Pick<Movement, "truth">): Movement {
  const movement: Movement = {
    day: "",
    valueDay: facts.day ?? "",
    amount: 0n,
    bankReference: "",
    code: "payment",
    reference: "",
    messageId: "",
    partyName: "",
    partyAccount: "",
    text: "",
    entry: 0,
    variant: "",
    canMatch: false,
    ...facts,
  };
  movements.push(movement);
  return movement;
}

function payFile(month: Month, file: SentFile): void {
  const { account, draw } = month;
  const booking = draw.weighted({ single: 60, batch: 25, listed: isCamt(account) ? 15 : 0 });
  if (booking === "batch") payWhole(month, file);
  else {
    if (booking === "listed") month.entries += 1;
    const entry = booking === "listed" ? month.entries : 0;
    for (const payment of file.payments) {
      const isAlone = month.equals.get(paymentOnDay(payment, file)) === 1;
      payOne(month, file, payment, { entry, isAlone });
    }
  }
  if (booking !== "batch" && draw.number() < 0.05) {
    addUnknownDebit(month, file.day, totalOf(file), "as a file that is booked singly");
  }
  for (const payment of file.payments) if (draw.number() < 0.03) sendBack(month, file, payment);
}

const paymentOnDay = ({ account, amount }: SentPayment, { day }: SentFile) =>
  `${account} ${amount} ${day}`;

const totalOf = ({ payments }: SentFile) => payments.reduce((sum, { amount }) => sum + amount, 0n);

function payWhole(month: Month, file: SentFile): void {
  const { draw } = month;
  const id = hex(file.batchId);
  const variant = draw.weighted({ intact: 75, "in the text": 8, swapped: 7, none: 10 });
  const isIntact = variant === "intact" || variant === "in the text";
  const paid = add(month, {
    ...daysOf(month, file.day, isIntact),
    amount: -totalOf(file),
    code: "file",
    messageId: variant === "intact" ? id : variant === "swapped" ? swapNeighbours(id, draw) : "",
    text: variant === "in the text" ? `PAYMENT FILE ${id.toUpperCase()}` : "PAYMENT FILE",
    truth: { kind: "batch", batchId: file.batchId },
    variant: `one debit for a file, reference ${variant}`,
    canMatch: isIntact,
  });
  // Another debit has the same amount on the same day.
  if (draw.number() < 0.15 && paid.day === file.day) {
    addUnknownDebit(month, file.day, totalOf(file), "as a file");
  }
}

/** Some are booked a day late, or with the value of another day. Lines that only their day explains stay on it. */
function daysOf({ draw }: Month, day: string, mayMove: boolean) {
  const days = draw.weighted({ same: 92, late: 4, value: 4 });
  if (days === "same" || !mayMove) return { day, valueDay: day };
  const next = nextWeekday(day);
  return days === "late" ? { day: next, valueDay: day } : { day, valueDay: next };
}

function payOne(
  month: Month,
  file: SentFile,
  { payoutId, amount, account: payee, name, reference }: SentPayment,
  { entry, isAlone }: { entry: number; isAlone: boolean },
): void {
  const { account, draw } = month;
  const id = hex(payoutId);
  const variant = draw.weighted({
    intact: 86,
    "upper case": 3,
    "in the text": 3,
    swapped: 3,
    "only the account": 3,
    none: 2,
  });
  const isIntact = ["intact", "upper case", "in the text"].includes(variant);
  const hasParty = namesParty(account) && variant !== "none";
  const mayMove = isIntact && isAlone && entry === 0;
  const texts = { "in the text": `PAYOUT ${id} ${reference}`, none: "PAYMENT" };
  const references = {
    intact: id,
    // An EndToEndId has no room for dashes.
    "upper case": (isCamt(account) ? id : payoutId).toUpperCase(),
    swapped: swapNeighbours(id, draw),
  };
  const paid = add(month, {
    ...daysOf(month, file.day, mayMove),
    amount: -amount,
    code: "payment",
    reference: references[variant as keyof typeof references] ?? "",
    partyName: variant === "none" ? "" : name,
    partyAccount: hasParty ? payee : "",
    text: texts[variant as keyof typeof texts] ?? (variant === "only the account" ? "" : reference),
    entry,
    truth: { kind: "payout", payoutId },
    variant: `${entry > 0 ? "listed in the debit of a file" : "payment"}, reference ${variant}`,
    canMatch: isIntact,
  });
  if (draw.number() < 0.01) addUnknownDebit(month, file.day, amount, "as a payout");
  const isOnDay = isIntact && isAlone && paid.day === file.day;
  if (isOnDay && hasParty && draw.number() < 0.005) {
    addUnknownDebit(month, file.day, amount, "and account as a payout", payee);
  }
}

/** The bank debits something that is not ours, with the amount of something that is. */
function addUnknownDebit(
  month: Month,
  day: string,
  amount: bigint,
  like: string,
  payee = "",
): void {
  const { account, draw } = month;
  const other = String(10_000_000 + draw.below(89_999_999));
  add(month, {
    day,
    amount: -amount,
    partyName: "Unknown Merchant",
    partyAccount: namesParty(account) ? payee || other : "",
    text: `CARD ${other}`,
    truth: { kind: "unknown" },
    variant: `unknown debit, same amount and day ${like}`,
  });
}

function sendBack(month: Month, file: SentFile, payment: SentPayment): void {
  const { account, draw } = month;
  const { payoutId, amount, name, reference } = payment;
  const variant = draw.weighted({
    intact: 70,
    "account and text": isCamt(account) ? 12 : 0,
    "swapped, account and text": isCamt(account) ? 5 : 0,
    swapped: 7,
    none: 6,
  });
  const id = hex(payoutId);
  const isIntact = variant === "intact";
  const isNamed = variant.endsWith("account and text");
  add(month, {
    day: addDays(file.day, 1 + draw.below(5)),
    amount,
    code: "return",
    reference: isIntact ? id : variant.startsWith("swapped") ? swapNeighbours(id, draw) : "",
    partyName: isIntact || isNamed ? name : "",
    partyAccount: (isIntact && namesParty(account)) || isNamed ? payment.account : "",
    text: isIntact || isNamed ? reference : "",
    truth: { kind: "return", payoutId },
    variant: `return, reference ${variant}`,
    canMatch: isIntact || isNamed,
  });
}

/** What does not come from our files: deposits, charges, and what nothing explains. */
function addOthers(month: Month, day: string): void {
  const { account, draw } = month;
  const count = Math.ceil(month.movements.length / 300) + 3;
  for (let made = 0; made < count; made += 1) {
    if (draw.number() < 0.6) addDeposit(month, day);
    else if (draw.number() < 0.5) {
      add(month, {
        day,
        amount: -BigInt(10 + draw.below(3000)),
        code: "charge",
        text: draw.pick(["ACCOUNT FEE", "TRANSACTION CHARGES", "MONTHLY FEE"]),
        truth: { kind: "charge" },
        variant: "bank charge",
      });
    } else {
      addUnknownDebit(month, day, BigInt(1000 + draw.below(900_000)), "as nothing");
    }
  }
  // Two equal deposits on one day are two.
  if (draw.number() < 0.3 && account.depositors.length > 0) {
    const movement = addDeposit(month, day);
    month.movements.push({ ...movement, truth: movement.truth });
  }
}

function addDeposit(month: Month, day: string): Movement {
  const { account, draw } = month;
  const { subaccountId, reference } = draw.pick(account.depositors);
  const other = account.depositors.find((one) => one.reference !== reference)?.reference ?? "";
  const number = draw.below(9000) + 1000;
  const variant = draw.weighted({
    intact: 40,
    spaced: 12,
    "lower case": 10,
    glued: 13,
    swapped: 10,
    none: 10,
    several: other === "" ? 0 : 5,
  });
  const texts: Record<typeof variant, string> = {
    intact: `DEPOSIT ${reference}`,
    spaced: `ref ${reference.slice(0, 5)} ${reference.slice(5)}`,
    "lower case": `payment ${reference.toLowerCase()}`,
    glued: `INV${number}${reference}THANKS`,
    swapped: `DEPOSIT ${swapNeighbours(reference, draw)}`,
    none: `INVOICE ${number}`,
    several: `${reference} AND ${other}`,
  };
  const isIntact = variant !== "swapped" && variant !== "none" && variant !== "several";
  return add(month, {
    day,
    amount: BigInt(100 + draw.below(5_000_000)),
    code: "deposit",
    partyName: `Payer ${number}`,
    text: texts[variant],
    truth: isIntact ? { kind: "funding", subaccountId } : { kind: "unknown" },
    variant: `deposit, reference ${variant}`,
    canMatch: isIntact,
  });
}

/**
 * A debit without an intact reference can be matched where exactly one open item fits account, amount and day, and no other
 * such line claims it.
 */
function decideMatchable(account: OwnAccount, movements: Movement[]): void {
  const named = new Set(
    movements.flatMap(({ truth, canMatch }) =>
      canMatch && truth.kind === "payout" ? truth.payoutId : [],
    ),
  );
  const wholeFiles = new Set(
    movements.flatMap(({ truth, canMatch }) =>
      canMatch && truth.kind === "batch" ? truth.batchId : [],
    ),
  );
  const openPayouts = count(
    account.files.flatMap((file) =>
      file.payments
        .filter(({ payoutId }) => !named.has(payoutId))
        .map((payment) => paymentOnDay(payment, file)),
    ),
  );
  const openFiles = count(
    account.files
      .filter(({ batchId }) => !wholeFiles.has(batchId))
      .map((file) => `${totalOf(file)} ${file.day}`),
  );
  const open = movements.filter(({ amount, canMatch }) => amount < 0n && !canMatch);
  const keyOf = ({ partyAccount, amount, day }: Movement) => `${partyAccount} ${-amount} ${day}`;
  const sumOf = ({ amount, day }: Movement) => `${-amount} ${day}`;
  const claims = count(open.filter(({ partyAccount }) => partyAccount !== "").map(keyOf));
  const amounts = count(open.map(sumOf));
  for (const movement of open) {
    if (movement.truth.kind === "payout" && movement.partyAccount !== "") {
      const key = keyOf(movement);
      movement.canMatch = openPayouts.get(key) === 1 && claims.get(key) === 1;
    }
    if (movement.truth.kind === "batch") {
      const key = sumOf(movement);
      movement.canMatch = openFiles.get(key) === 1 && amounts.get(key) === 1;
    }
  }
}

function count(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
