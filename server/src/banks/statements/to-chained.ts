// A stored statement as a link of its chain. Pure.

import type { ChainedStatement } from "./chain.ts";
import type { StatementRow } from "./queries.ts";

export function toChained(row: StatementRow): ChainedStatement {
  const balance = (text: string | null) => (text === null ? undefined : BigInt(text));
  return {
    id: row.id,
    bankId: row.bank_id,
    sequence: row.sequence,
    fromDay: row.from_day,
    toDay: row.to_day,
    opening: balance(row.opening),
    closing: balance(row.closing),
  };
}
