// Which lines of a statement earlier statements had, in whatever format: by day, amount, currency, references and how often
// they come. Where that is not certain, a line is doubtful, and a user decides. Pure.

import { comparableText } from "../match-key.ts";
import type { ChainPlace } from "./chain.ts";

/** What tells a line apart. Formats carry different parts of it. */
export type LineIdentity = {
  day: string;
  valueDay: string;
  amount: bigint;
  currency: string;
  /** Equal only for lines of one family of formats that are equal in everything. */
  contentKey: string;
  bankReference: string;
  references: readonly string[];
  /** Our payouts, bank batches and deposit references that it names. */
  ours: readonly string[];
  text: string;
  party: string;
};

export type KnownLine = LineIdentity & {
  id: string;
  /** Of the format that it came in. */
  family: string;
  /** A user has not decided yet whether it repeats another. */
  isDoubtful: boolean;
};

export type LineVerdict =
  | { verdict: "new" }
  | { verdict: "repeated" | "doubtful"; repeatsId: string | undefined };

export type ArrivedStatement = {
  family: string;
  /** Some lines only, ahead of the statement: nothing waits for a user, because the statement will tell. */
  isNotification: boolean;
  place: ChainPlace;
  lines: readonly LineIdentity[];
  /** Whether statements of the same family, this one included, cover the day. */
  covers: (day: string) => boolean;
};

/** exact: equal in everything. reference: by the bank's own. ours: by a reference that is ours or the payer's. weak: nothing speaks against it. */
type Strength = "exact" | "reference" | "ours" | "weak";
type Pair = { line: LineIdentity; known: KnownLine; strength: Strength; isOtherDay: boolean };

/** In the order of the lines. */
export function judgeLines(
  statement: ArrivedStatement,
  known: readonly KnownLine[],
): LineVerdict[] {
  const pairing = new Pairing(statement, known);
  pairing.pairEqualDays();
  pairing.pairOtherDays();
  const left = Map.groupBy(pairing.leftOfKnown(), ({ day }) => day);
  const arrived = Map.groupBy(
    statement.lines.filter((line) => !pairing.pairs.has(line)),
    ({ day }) => day,
  );
  return statement.lines.map((line) => {
    const pair = pairing.pairs.get(line);
    const day: LeftOfDay = {
      known: left.get(line.day) ?? [],
      arrived: arrived.get(line.day) ?? [],
    };
    if (!pair) return judgeUnknown(statement, line, day);
    const verdict = judgePair(statement, pair, day);
    return verdict === "new" ? { verdict } : { verdict, repeatsId: pair.known.id };
  });
}

/** Of one day, what has no counterpart. */
type LeftOfDay = { known: readonly KnownLine[]; arrived: readonly LineIdentity[] };

function judgePair(
  { family, isNotification, place, covers }: ArrivedStatement,
  { line, known, strength, isOtherDay }: Pair,
  left: LeftOfDay,
): LineVerdict["verdict"] {
  if (isNotification) {
    return strength === "exact" || strength === "reference" ? "repeated" : "new";
  }
  if (known.isDoubtful) return "repeated";
  if (isOtherDay) {
    const isOnValueDay = line.day === known.valueDay || line.valueDay === known.day;
    return isOnValueDay && strength !== "weak" && !covers(known.day) ? "repeated" : "doubtful";
  }
  if (known.family !== family) {
    return strength !== "weak" || left.known.length === 0 ? "repeated" : "doubtful";
  }
  if (place.isNextBySequence) {
    // An account that is swept looks the same when the statement of its day comes again with more lines.
    const isWhole = left.known.every((one) => one.family !== family);
    return isWhole && !place.hasMoved ? "doubtful" : "new";
  }
  if (place.isNextByDay || place.isNextByBalance) return strength === "weak" ? "new" : "doubtful";
  if (strength === "reference") return "repeated";
  // Part of one day and part of another may hold equal lines that are not the same.
  const isExplained = left.known.length === 0 || left.arrived.length === 0;
  return strength === "exact" && (isExplained || line.bankReference !== "")
    ? "repeated"
    : "doubtful";
}

function judgeUnknown(
  { family, isNotification, place }: ArrivedStatement,
  line: LineIdentity,
  left: LeftOfDay,
): LineVerdict {
  if (isNotification) return { verdict: "new" };
  const others = left.known.filter((one) => one.family !== family);
  // Another format may have the same money in other parts: a sum, or its parts.
  if (others.length > 0) return { verdict: "doubtful", repeatsId: undefined };
  if (place.isNextBySequence || place.isNextByDay) return { verdict: "new" };
  const isSameWay = (one: LineIdentity) => one.amount > 0n === line.amount > 0n;
  const sumOf = (lines: readonly LineIdentity[]) =>
    lines.filter(isSameWay).reduce((sum, { amount }) => sum + amount, 0n);
  const isInOtherParts = left.known.length > 0 && sumOf(left.known) === sumOf(left.arrived);
  return isInOtherParts ? { verdict: "doubtful", repeatsId: undefined } : { verdict: "new" };
}

const sumKey = ({ amount, currency }: LineIdentity) => `${amount} ${currency}`;
const dayKey = (line: LineIdentity) => `${line.day} ${sumKey(line)}`;

/** Larger groups of equal amounts are paired by their contents alone. */
const comparedMax = 1_000_000;
const wordsMin = 6;

class Pairing {
  readonly pairs = new Map<LineIdentity, Pair>();
  readonly #taken = new Set<KnownLine>();
  readonly #statement: ArrivedStatement;
  readonly #known: readonly KnownLine[];

  constructor(statement: ArrivedStatement, known: readonly KnownLine[]) {
    this.#statement = statement;
    this.#known = known;
  }

  leftOfKnown(): KnownLine[] {
    return this.#known.filter((one) => !this.#taken.has(one) && !one.isDoubtful);
  }

  pairEqualDays(): void {
    const known = Map.groupBy(this.#known, dayKey);
    for (const [key, lines] of Map.groupBy(this.#statement.lines, dayKey)) {
      const found = known.get(key);
      if (!found) continue;
      // A line that waits for a decision is taken for the same only where no other is left.
      this.#pairGroup(
        lines,
        found.filter(({ isDoubtful }) => !isDoubtful),
      );
      this.#pairGroup(
        lines,
        found.filter(({ isDoubtful }) => isDoubtful),
      );
    }
  }

  #pairGroup(lines: readonly LineIdentity[], known: readonly KnownLine[]): void {
    const byContent = Map.groupBy(known, ({ contentKey }) => contentKey);
    for (const line of lines) {
      const equal = byContent.get(line.contentKey)?.find((one) => !this.#taken.has(one));
      if (equal && !this.pairs.has(line)) this.#pair(line, equal, "exact");
    }
    if (lines.length * known.length > comparedMax) return;
    for (const [strength, fits] of this.#levels()) {
      for (const line of lines) {
        if (this.pairs.has(line)) continue;
        const found = known.find(
          (one) => !this.#taken.has(one) && !this.#differ(line, one) && fits(line, one),
        );
        if (found) this.#pair(line, found, strength);
      }
    }
  }

  #levels(): [Strength, (line: LineIdentity, known: KnownLine) => boolean][] {
    const isOfOther = ({ family }: KnownLine) => family !== this.#statement.family;
    return [
      ["reference", (line, one) => hasSameBankReference(line, one) && isSameOurs(line, one)],
      ["reference", hasSameBankReference],
      ["ours", isSameOurs],
      ["ours", (line, one) => meets(line.references, one.references)],
      ["weak", isSameText],
      ["weak", (_, one) => isOfOther(one)],
    ];
  }

  /** Formats that give only the value day, or another day of the booking. */
  pairOtherDays(): void {
    const others = this.#known.filter(
      (one) => one.family !== this.#statement.family && !this.#taken.has(one),
    );
    if (others.length === 0) return;
    const known = Map.groupBy(others, sumKey);
    for (const line of this.#statement.lines) {
      if (this.pairs.has(line)) continue;
      const found = (known.get(sumKey(line)) ?? []).filter(
        (one) => !this.#taken.has(one) && one.day !== line.day && !this.#differ(line, one),
      );
      const named = found.filter((one) => hasSameBankReference(line, one) || isSameOurs(line, one));
      const isOnValueDay = (one: KnownLine) =>
        one.valueDay === line.day || (line.valueDay !== "" && one.day === line.valueDay);
      const isUnseen = ({ day }: KnownLine) => !this.#statement.covers(day);
      const best = named.find(isOnValueDay) ?? named.find(isUnseen);
      const weak = found.find((one) => isOnValueDay(one) && isUnseen(one));
      if (best) this.#pair(line, best, "ours", true);
      else if (weak) this.#pair(line, weak, "weak", true);
    }
  }

  #pair(line: LineIdentity, known: KnownLine, strength: Strength, isOtherDay = false): void {
    this.#taken.add(known);
    this.pairs.set(line, { line, known, strength, isOtherDay });
  }

  /** Something says that they are two bookings. */
  #differ(line: LineIdentity, known: KnownLine): boolean {
    if (isApart(line.ours, known.ours)) return true;
    const { family, place } = this.#statement;
    if (known.family !== family || place.hasSameStart) return false;
    // One format writes the same line the same way.
    return (
      isApart([line.bankReference], [known.bankReference]) ||
      isApart(line.references, known.references) ||
      isApart([line.party], [known.party])
    );
  }
}

const meets = (some: readonly string[], others: readonly string[]) =>
  some.some((one) => others.includes(one));
/** Both are given, and nothing is in both. */
const isApart = (some: readonly string[], others: readonly string[]) => {
  const given = (texts: readonly string[]) => texts.some((text) => text !== "");
  return given(some) && given(others) && !meets(some, others);
};
const isSameOurs = (line: LineIdentity, known: LineIdentity) => meets(line.ours, known.ours);
const hasSameBankReference = (line: LineIdentity, known: LineIdentity) =>
  line.bankReference !== "" && line.bankReference === known.bankReference;

/** Banks cut texts, and put several fields into one. */
function isSameText(line: LineIdentity, known: LineIdentity): boolean {
  const isPart = (one: string, other: string) =>
    Math.min(one.length, other.length) >= wordsMin && (one.includes(other) || other.includes(one));
  return isPart(line.text, known.text) || isPart(line.party, known.party);
}

/** As lines are compared: letters and digits only, and no words that stand for nothing. */
export function toIdentity(given: LineIdentity): LineIdentity {
  const comparable = (texts: readonly string[]) =>
    texts.map(comparableText).filter((text) => text !== "" && text !== "NOTPROVIDED");
  const [bankReference = ""] = comparable([given.bankReference]);
  return {
    ...given,
    bankReference,
    references: comparable(given.references),
    text: comparableText(given.text),
    party: comparableText(given.party),
  };
}

/** The part of a format's name that its versions share. */
export function familyOf(format: string): string {
  return format.split(".")[0] ?? format;
}
