// How statements of an account follow each other: each opens with what the one before closed with. Pure.

/** Days are the bank's, YYYY-MM-DD; undefined balances are those that the bank does not give. */
export type ChainedStatement = {
  id: string;
  sequence: string;
  fromDay: string;
  toDay: string;
  opening: bigint | undefined;
  closing: bigint | undefined;
};

/** A known statement, and the family of its format: a bank gives each family its own series. */
export type KnownStatement = ChainedStatement & { family: string };

/** What days, numbers and balances say about a new statement and those that are known. */
export type ChainPlace = {
  /** It begins after the last known day. */
  isNextByDay: boolean;
  /** The bank's own number follows that of the last known one of the same family. */
  isNextBySequence: boolean;
  /** The balance moved from the one before to this one, so it does not hold the same lines once more. */
  hasMoved: boolean;
  /** It opens with what a known one of these days closed with. */
  isNextByBalance: boolean;
  /** A known one begins on the same day with the same balance: its lines should be in both. */
  hasSameStart: boolean;
};

/** Balances alone never make lines new: an account that is swept to zero opens and closes with the same balance. */
export function placeStatement(
  statement: ChainedStatement,
  family: string,
  known: readonly KnownStatement[],
): ChainPlace {
  const { fromDay, toDay, opening } = statement;
  const before = findBefore(statement, family, known);
  const moved = (one: ChainedStatement) => one.opening !== one.closing;
  const ofDays = known.filter((one) => one.toDay >= fromDay && one.fromDay <= toDay);
  const hasSameStart = ofDays.some(
    (one) => one.fromDay === fromDay && isSame(one.opening, opening),
  );
  const isNextByBalance =
    !ofDays.some((one) => isSame(one.opening, opening)) &&
    ofDays.some((one) => isSame(one.closing, opening) && moved(one));
  return {
    isNextByDay: fromDay !== "" && known.every((one) => one.toDay < fromDay),
    isNextBySequence: before !== undefined,
    hasMoved: before !== undefined && isSame(before.closing, opening) && moved(before),
    isNextByBalance,
    hasSameStart,
  };
}

const isSame = (one: bigint | undefined, other: bigint | undefined) =>
  one !== undefined && one === other;

/** The one that the bank numbered directly before. */
function findBefore(
  { sequence, opening, fromDay, toDay }: ChainedStatement,
  family: string,
  known: readonly KnownStatement[],
): KnownStatement | undefined {
  const number = numberOf(sequence);
  if (number === undefined) return undefined;
  const series = known.flatMap((one) => {
    const other = one.family === family ? numberOf(one.sequence) : undefined;
    return other === undefined ? [] : [{ one, other }];
  });
  if (series.some(({ other }) => other >= number)) return undefined;
  // One of these days that has no number may hold the same lines.
  const isUnnumbered = (one: KnownStatement) =>
    one.family === family && one.toDay >= fromDay && one.fromDay <= toDay;
  if (known.some((one) => isUnnumbered(one) && numberOf(one.sequence) === undefined)) {
    return undefined;
  }
  const before = series.find(({ other }) => other === number - 1)?.one;
  const isApart =
    before?.closing !== undefined && opening !== undefined && before.closing !== opening;
  return isApart ? undefined : before;
}

function numberOf(sequence: string): number | undefined {
  return /^\d{1,15}$/.test(sequence) ? Number(sequence) : undefined;
}

/** Statements that end on one day, each after the one that it opens with the balance of. */
export function inOrder<Row extends ChainedStatement>(statements: readonly Row[]): Row[] {
  const ordered: Row[] = [];
  for (const [, ofDay] of Map.groupBy(statements, ({ toDay }) => toDay)) {
    const rest = [...ofDay];
    while (rest.length > 0) {
      const closing = ordered.at(-1)?.closing;
      const place = rest.findIndex(({ opening }) => isSame(opening, closing));
      // One that no other leads to comes first.
      const isLed = (one: Row) =>
        rest.some((other) => other !== one && isSame(other.closing, one.opening));
      const first = place === -1 ? rest.findIndex((one) => !isLed(one)) : place;
      ordered.push(...rest.splice(Math.max(first, 0), 1));
    }
  }
  return ordered;
}

export type ChainProblem = {
  /** gap: something is missing before it. overlap: it begins before the one before it ends. */
  kind: "gap" | "overlap";
  id: string;
  /** What the opening balance differs by. */
  amount: bigint;
};

/** In the order of `inOrder`. Statements that repeat others are left out by the caller. */
export function chainProblems(statements: readonly ChainedStatement[]): ChainProblem[] {
  const problems: ChainProblem[] = [];
  let last: ChainedStatement | undefined;
  for (const one of statements) {
    if (one.opening === undefined || one.closing === undefined) continue;
    if (last?.closing !== undefined && one.opening !== last.closing) {
      const kind = one.fromDay !== "" && one.fromDay <= last.toDay ? "overlap" : "gap";
      problems.push({ kind, id: one.id, amount: one.opening - last.closing });
    }
    last = one;
  }
  return problems;
}

/**
 * Overlapping statements do not open with the last closing balance. They are no problem where the lines up to the end of each,
 * each counted once, come to its closing balance.
 */
export function unexplainedProblems(
  statements: readonly ChainedStatement[],
  problems: readonly ChainProblem[],
  sumOfDays: ReadonlyMap<string, bigint>,
): ChainProblem[] {
  const byDay = statements.toSorted((one, other) => (one.fromDay < other.fromDay ? -1 : 1));
  const first = byDay.find(({ opening }) => opening !== undefined);
  if (first?.opening === undefined) return [...problems];
  const { opening: base, fromDay } = first;
  const days = [...sumOfDays].filter(([day]) => day >= fromDay);
  const closingOf = (toDay: string) =>
    days.reduce((sum, [day, amount]) => (day <= toDay ? sum + amount : sum), base);
  const byId = new Map(statements.map((one) => [one.id, one]));
  return problems.filter(({ id }) => {
    const { toDay = "", closing } = byId.get(id) ?? {};
    return closing !== closingOf(toDay);
  });
}
