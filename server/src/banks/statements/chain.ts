// How statements of an account follow each other: each opens with what the one before closed with. Pure.

/** Days are the bank's, YYYY-MM-DD; undefined balances are those that the bank does not give. */
export type ChainedStatement = {
  id: string;
  bankId: string;
  sequence: string;
  fromDay: string;
  toDay: string;
  opening: bigint | undefined;
  closing: bigint | undefined;
};

/**
 * A statement that opens where the last one closed holds new lines only, also where they look like earlier ones. The lines
 * of any other statement may be known: it repeats one, overlaps one, or fills a gap.
 */
export function isNext(statement: ChainedStatement, known: readonly ChainedStatement[]): boolean {
  const last = known.at(-1);
  if (!last || known.some((one) => isRepeated(statement, one))) return false;
  return (
    statement.opening !== undefined &&
    statement.opening === last.closing &&
    statement.fromDay >= last.fromDay &&
    statement.toDay >= last.toDay
  );
}

/** The same statement in another file. */
function isRepeated(one: ChainedStatement, other: ChainedStatement): boolean {
  return (
    one.bankId === other.bankId &&
    one.sequence === other.sequence &&
    one.toDay === other.toDay &&
    one.opening === other.opening &&
    one.closing === other.closing
  );
}

export type ChainProblem = {
  /** gap: something is missing before it. overlap: it begins before the one before it ends. */
  kind: "gap" | "overlap";
  id: string;
  /** What the opening balance differs by. */
  amount: bigint;
};

/** In the order of their days. Statements that repeat others are left out by the caller. */
export function chainProblems(statements: readonly ChainedStatement[]): ChainProblem[] {
  const problems: ChainProblem[] = [];
  let last: ChainedStatement | undefined;
  for (const one of statements) {
    if (one.opening === undefined || one.closing === undefined) continue;
    if (last?.closing !== undefined && one.opening !== last.closing) {
      const kind = one.fromDay !== "" && one.fromDay < last.toDay ? "overlap" : "gap";
      problems.push({ kind, id: one.id, amount: one.opening - last.closing });
    }
    last = one;
  }
  return problems;
}
