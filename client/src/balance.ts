// The balances of the subaccount, their ledger entries and their statements.

import type { CallOptions, Connection } from "./connection.ts";
import { List, nextCursorOf } from "./list.ts";
import type {
  Balance,
  BalanceEntry,
  BalanceEntryFilter,
  BalanceStatement,
  BalanceStatementFilter,
  BalanceStatementLine,
  FundingInstructions,
} from "./payout-wire.ts";
import { millisecondsOf } from "./time.ts";

export class CurrentBalance {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** A row for each currency. */
  async get(options?: CallOptions): Promise<Balance[]> {
    return (await this.#connection.get<Balance[]>("/api/balance", options)).payload;
  }

  /** The bank accounts that take your money, and the deposit references to write on transfers. */
  async funding(options?: CallOptions): Promise<FundingInstructions> {
    const path = "/api/balance/funding";
    return (await this.#connection.get<FundingInstructions>(path, options)).payload;
  }

  /** The ledger entries of one currency, newest first. Nothing is fetched before it is needed. */
  entries(filter: BalanceEntryFilter, options?: CallOptions): List<BalanceEntry> {
    const path = "/api/balance/entries";
    const { currency } = filter;
    const from = millisecondsOf(filter.from);
    const to = millisecondsOf(filter.to);
    const limit = filter.limit?.toString();
    return new List(filter.cursor, async (cursor) => {
      const query = { currency, from, to, limit, cursor };
      const answer = await this.#connection.get<BalanceEntry[]>(path, options, query);
      return { items: answer.payload, nextCursor: nextCursorOf(answer.headers) };
    });
  }

  /** The statement of one currency, with all its lines: it fetches every page. For a long one, take CSV or PDF. */
  async statement(
    filter: BalanceStatementFilter,
    options?: CallOptions,
  ): Promise<BalanceStatement> {
    const path = "/api/balance/statement";
    let statement: BalanceStatement | undefined;
    const lines: BalanceStatementLine[] = [];
    let cursor: string | undefined;
    do {
      const query = { ...filter, limit: "1000", cursor };
      const answer = await this.#connection.get<BalanceStatement>(path, options, query);
      statement ??= answer.payload;
      lines.push(...answer.payload.lines);
      cursor = nextCursorOf(answer.headers) ?? undefined;
    } while (cursor !== undefined);
    return { ...statement, lines };
  }
}
