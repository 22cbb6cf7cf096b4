// The routes of /api/balance: a subaccount's balances, its ledger entries and its statement.

import Type from "typebox";
import {
  accountStatementCsv,
  accountStatementPdf,
  Balance,
  BalanceEntry,
  BalanceStatement,
  EntryFilter,
  findTotalAt,
  isoDay,
  type LedgerStatement,
  lastStatementDay,
  listBalances,
  listEntries,
  type Movement,
  openStatement,
  presentBalance,
  presentEntry,
  readMovements,
  readStatementPeriod,
  StatementFilter,
  toCsv,
} from "../../../money/ledger/index.ts";
import { type Clock, toNearest } from "../../../platform/base/index.ts";
import { tracedFor } from "../../../platform/batching/index.ts";
import { cutPage, type Db, readLimitOf } from "../../../platform/db/index.ts";
import {
  type Api,
  codesOf,
  linkNextPage,
  sendCsvList,
  streamWhileRead,
  success,
  wantsCsv,
  wantsPdf,
} from "../../../platform/http/index.ts";

const tags = ["Balance"];
/** Above every possible number of an entry. */
const newest = 2n ** 62n;

export function ledgerRoutes(api: Api, { db, clock }: { db: Db; clock: Clock }): void {
  api.get(
    "/api/balance",
    {
      config: { failure: "get balance failed", scope: "read" },
      schema: {
        operationId: "getBalance",
        tags,
        summary: "Get the balances, by currency",
        response: { 200: success(Type.Array(Balance)) },
      },
    },
    async ({ caller }) => {
      const rows = await listBalances(tracedFor(db, caller), caller.subaccountId);
      return { message: "get balance successful", payload: rows.map(presentBalance) };
    },
  );

  api.get(
    "/api/balance/entries",
    {
      config: {
        failure: "get balance entries failed",
        scope: "read",
        csv: true,
        refusals: [...codesOf(EntryFilter), "BALA106"],
      },
      schema: {
        operationId: "listBalanceEntries",
        tags,
        summary: "List the ledger entries of one currency",
        description:
          "Newest first, with the balance after each entry. The link header names the next " +
          "page. With `accept: text/csv` the response is CSV.",
        querystring: EntryFilter,
        response: { 200: success(Type.Array(BalanceEntry)) },
      },
    },
    async ({ caller, query, headers }, reply) => {
      const limit = readLimitOf(query);
      const found = await listEntries(tracedFor(db, caller), {
        subaccountId: caller.subaccountId,
        currency: query.currency,
        before: query.cursor === undefined ? newest : BigInt(query.cursor),
        fromMs: Number(query.from ?? 0),
        toMs: Number(query.to ?? Number.MAX_SAFE_INTEGER),
        limit,
      });
      const { rows, next } = await cutPage(found, limit - 1, ({ number }) => number);
      linkNextPage(reply, "/api/balance/entries", query, next);
      const payload = rows.map(presentEntry);
      if (!wantsCsv(headers.accept)) return { message: "get balance entries successful", payload };
      return sendCsvList(reply, toCsv(payload));
    },
  );

  api.get(
    "/api/balance/statement",
    {
      config: {
        failure: "get balance statement failed",
        scope: "read",
        csv: true,
        pdf: true,
        refusals: [...codesOf(StatementFilter), "BALA106", "BALA114", "BALA115"],
      },
      schema: {
        operationId: "getBalanceStatement",
        tags,
        summary: "Get the statement of one currency",
        description:
          "One line for each movement, oldest first, with the balance after it: available, held and in " +
          "transit. A payout leaves the balance when the bank has paid it. The link header names the next " +
          "page. With `accept: text/csv` or `accept: application/pdf` the response is the whole statement.",
        querystring: StatementFilter,
        response: { 200: success(BalanceStatement) },
      },
    },
    async ({ caller, query, headers }, reply) => {
      const { subaccountId } = caller;
      const traced = tracedFor(db, caller);
      const nowMs = clock();
      const period = readStatementPeriod(query, nowMs);
      const key = { subaccountId, currency: query.currency };
      const statement = await openStatement(traced, key, period);
      if (wantsCsv(headers.accept)) {
        return sendCsvList(reply, streamWhileRead(accountStatementCsv(traced, statement)));
      }
      if (wantsPdf(headers.accept)) {
        const pages = await accountStatementPdf(traced, statement, nowMs);
        return reply.type("application/pdf").send(streamWhileRead(pages) as never);
      }
      const limit = readLimitOf(query);
      const after = startOf(statement, query.cursor);
      const balance = await findTotalAt(traced, key, after);
      const found = await readMovements(traced, statement, { after, balance, limit });
      const { rows, next } = await cutPage(found, limit - 1, ({ number }) => number.toString());
      linkNextPage(reply, "/api/balance/statement", query, next);
      return {
        message: "get balance statement successful",
        payload: presentStatement(statement, rows),
      };
    },
  );
}

/** A cursor from elsewhere leads to no line of another period. */
function startOf({ range }: LedgerStatement, cursor: string | undefined): bigint {
  const after = cursor === undefined ? range.after : BigInt(cursor);
  return after < range.after ? range.after : after;
}

function presentStatement(
  { key, period, opening, closing }: LedgerStatement,
  movements: readonly Movement[],
): BalanceStatement {
  return {
    currency: key.currency,
    from: isoDay(period.fromMs),
    to: lastStatementDay(period),
    opening: toNearest(opening),
    closing: toNearest(closing),
    lines: movements.map(presentMovement),
  };
}

function presentMovement(movement: Movement): BalanceStatement["lines"][number] {
  return {
    id: movement.id,
    number: Number(movement.number),
    date: movement.date,
    kind: movement.kind,
    description: movement.description,
    receiver_or_payer: movement.party,
    reference: movement.reference,
    payout_id: movement.payoutId,
    amount: toNearest(movement.amount),
    balance: toNearest(movement.balance),
  };
}
