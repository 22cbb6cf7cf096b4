// Stored statements as a chain: in their order, and where they do not follow each other.

import type { Runner } from "../../platform/db/index.ts";
import {
  type ChainedStatement,
  type ChainProblem,
  chainProblems,
  inOrder,
  unexplainedProblems,
} from "./chain.ts";
import { listStatements, type StatementRow, sumLinesOfDays } from "./queries.ts";

export function toChained(row: StatementRow): ChainedStatement {
  const balance = (text: string | null) => (text === null ? undefined : BigInt(text));
  return {
    id: row.id,
    sequence: row.sequence,
    fromDay: row.from_day,
    toDay: row.to_day,
    opening: balance(row.opening),
    closing: balance(row.closing),
  };
}

/** Those that brought something new, up to a day. */
export async function loadChain(
  db: Runner,
  connectionId: string,
  range: { toDay?: string } = {},
): Promise<{ statements: StatementRow[]; problems: ChainProblem[] }> {
  const rows = await listStatements(db, connectionId, range);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const chain = inOrder(rows.map(toChained));
  const found = chainProblems(chain);
  const problems =
    found.length === 0
      ? found
      : unexplainedProblems(chain, found, await sumLinesOfDays(db, connectionId));
  return { statements: chain.map(({ id }) => byId.get(id) as StatementRow), problems };
}
