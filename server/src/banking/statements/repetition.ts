// Which lines of a statement earlier statements had, in whatever format: by day, amount, currency, references and how often
// they come. Where that is not certain, a line is doubtful, and a user decides.

import { setImmediate as nextTurn } from "node:timers/promises";
import { comparableText } from "../files/index.ts";
import type { ChainPlace } from "./chain.ts";
import { inTurns } from "./in-turns.ts";

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

/** In the order of the lines. Between parts of a large statement, others are served. */
export async function judgeLines(
  statement: ArrivedStatement,
  known: readonly KnownLine[],
): Promise<LineVerdict[]> {
  const pairing = new Pairing(statement, known);
  await pairing.pairEqualDays();
  await pairing.pairOtherDays();
  const left = new Map<string, LeftOfDay>();
  const leftOf = (day: string) => {
    const found = left.get(day) ?? newLeft();
    left.set(day, found);
    return found;
  };
  for await (const one of inTurns(pairing.leftOfKnown())) {
    const ofDay = leftOf(one.day);
    const isOther = one.family !== statement.family;
    ofDay[isOther ? "others" : "same"] += 1;
    ofDay.known[wayOf(one)] += one.amount;
  }
  for await (const line of inTurns(statement.lines)) {
    if (pairing.pairs.has(line)) continue;
    const ofDay = leftOf(line.day);
    ofDay.lines += 1;
    ofDay.arrived[wayOf(line)] += line.amount;
  }
  const verdicts: LineVerdict[] = [];
  for await (const line of inTurns(statement.lines)) {
    const pair = pairing.pairs.get(line);
    const day = leftOf(line.day);
    if (!pair) {
      verdicts.push(judgeUnknown(statement, line, day, pairing.isUncompared(line)));
      continue;
    }
    const verdict = judgePair(statement, pair, day);
    verdicts.push(verdict === "new" ? { verdict } : { verdict, repeatsId: pair.known.id });
  }
  return verdicts;
}

async function groupInTurns<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Promise<Map<string, Item[]>> {
  const groups = new Map<string, Item[]>();
  for await (const item of inTurns(items)) {
    const name = nameOf(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}

/** Of one day, what has no counterpart. */
type LeftOfDay = {
  /** Known lines of the same family of formats, and of others. */
  same: number;
  others: number;
  lines: number;
  known: Sums;
  arrived: Sums;
};
type Sums = { in: bigint; out: bigint };

const newLeft = (): LeftOfDay => ({
  same: 0,
  others: 0,
  lines: 0,
  known: { in: 0n, out: 0n },
  arrived: { in: 0n, out: 0n },
});
const wayOf = ({ amount }: LineIdentity) => (amount > 0n ? "in" : "out");

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
    return strength !== "weak" || left.same + left.others === 0 ? "repeated" : "doubtful";
  }
  if (place.isNextBySequence) {
    // An account that is swept looks the same when the statement of its day comes again with more lines.
    return left.same === 0 && !place.hasMoved ? "doubtful" : "new";
  }
  if (place.isNextByDay || place.isNextByBalance) return strength === "weak" ? "new" : "doubtful";
  if (strength === "reference") return "repeated";
  // Part of one day and part of another may hold equal lines that are not the same.
  const isExplained = left.same + left.others === 0 || left.lines === 0;
  return strength === "exact" && (isExplained || line.bankReference !== "")
    ? "repeated"
    : "doubtful";
}

function judgeUnknown(
  { isNotification, place }: ArrivedStatement,
  line: LineIdentity,
  { same, others, known, arrived }: LeftOfDay,
  isUncompared: boolean,
): LineVerdict {
  if (isNotification) return { verdict: "new" };
  // Another format may have the same money in other parts: a sum, or its parts.
  if (others > 0 || isUncompared) return { verdict: "doubtful", repeatsId: undefined };
  if (place.isNextBySequence || place.isNextByDay) return { verdict: "new" };
  const way = wayOf(line);
  const isInOtherParts = same > 0 && known[way] === arrived[way];
  return isInOtherParts ? { verdict: "doubtful", repeatsId: undefined } : { verdict: "new" };
}

const sumKey = ({ amount, currency }: LineIdentity) => `${amount} ${currency}`;
const dayKey = (line: LineIdentity) => `${line.day} ${sumKey(line)}`;

/** Comparisons in one turn. Then others are served. */
const comparedInTurn = 10_000;
/** Larger groups of equal amounts are paired by their contents alone. */
const comparedMax = 40_000;
/** And across days not at all: a user decides. */
const otherDaysComparedMax = 1_000_000;
const wordsMin = 6;

class Pairing {
  readonly pairs = new Map<LineIdentity, Pair>();
  readonly #taken = new Set<KnownLine>();
  /** Amounts and currencies that were not compared across days. */
  readonly #uncompared = new Set<string>();
  /** Comparisons since others were served. */
  #compared = 0;
  readonly #statement: ArrivedStatement;
  readonly #known: readonly KnownLine[];

  constructor(statement: ArrivedStatement, known: readonly KnownLine[]) {
    this.#statement = statement;
    this.#known = known;
  }

  leftOfKnown(): KnownLine[] {
    return this.#known.filter((one) => !this.#taken.has(one) && !one.isDoubtful);
  }

  isUncompared(line: LineIdentity): boolean {
    return this.#uncompared.has(sumKey(line));
  }

  /** Serves others, once there was much to compare. */
  async #rest(compared: number): Promise<void> {
    this.#compared += compared;
    if (this.#compared < comparedInTurn) return;
    this.#compared = 0;
    await nextTurn();
  }

  async pairEqualDays(): Promise<void> {
    const known = await groupInTurns(this.#known, dayKey);
    const groups = await groupInTurns(this.#statement.lines, dayKey);
    for await (const [key, lines] of inTurns([...groups])) {
      const found = known.get(key);
      if (!found) continue;
      // A line that waits for a decision is taken for the same only where no other is left.
      for (const isDoubtful of [false, true]) {
        await this.#pairGroup(
          lines,
          found.filter((one) => one.isDoubtful === isDoubtful),
        );
      }
    }
  }

  async #pairGroup(lines: readonly LineIdentity[], known: readonly KnownLine[]): Promise<void> {
    if (known.length === 0) return;
    const byContent = await groupInTurns(known, ({ contentKey }) => contentKey);
    // From the end, so that each is looked at once.
    for await (const equal of inTurns([...byContent.values()])) equal.reverse();
    for await (const line of inTurns(lines)) {
      const equal = this.pairs.has(line) ? undefined : byContent.get(line.contentKey)?.pop();
      if (equal) this.#pair(line, equal, "exact");
    }
    if (lines.length * known.length > comparedMax) return;
    for (const [strength, fits] of this.#levels()) {
      for (const line of lines) {
        if (this.pairs.has(line)) continue;
        const found = known.find(
          (one) => !this.#taken.has(one) && !this.#differ(line, one) && fits(line, one),
        );
        if (found) this.#pair(line, found, strength);
        await this.#rest(known.length);
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
  async pairOtherDays(): Promise<void> {
    const others = this.#known.filter(
      (one) => one.family !== this.#statement.family && !this.#taken.has(one),
    );
    if (others.length === 0) return;
    const known = await groupInTurns(others, sumKey);
    const left = this.#statement.lines.filter((line) => !this.pairs.has(line));
    for (const [sum, lines] of await groupInTurns(left, sumKey)) {
      const ofSum = known.get(sum) ?? [];
      if (lines.length * ofSum.length > otherDaysComparedMax) this.#uncompared.add(sum);
    }
    for await (const line of inTurns(left)) {
      const ofSum = this.isUncompared(line) ? [] : (known.get(sumKey(line)) ?? []);
      await this.#rest(ofSum.length);
      const found = ofSum.filter(
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
