// The SQL of statements: where a period begins and ends in the ledger, the balance there, and its movements.

import { type Runner, statement } from "../../platform/db/index.ts";
import type { Kind } from "./ledger.ts";
import { movementKinds, ownAccounts } from "./movements.ts";
import type { BalanceKey } from "./queries.ts";

const quoted = (kinds: readonly Kind[]) => kinds.map((kind) => `'${kind}'`).join(", ");
const isIn = `kind in (${quoted(movementKinds.in)})`;
const isMovement = `kind in (${quoted([...movementKinds.in, ...movementKinds.out])})`;
const signed = `case when ${isIn} then amount else -amount end`;

const lastNumber = statement<{ number: string }>(
  "statement-last-number",
  // A transfer belongs to the day of the latest time up to it, as in the roll-ups, so the first transfer at or after
  // that time ends what was before. The roll-ups know it, unless they are behind; then the transfers after them do.
  `select case
            when c.latest_ms >= $3 then coalesce((
              select d.last_number from ledger_day d
              where d.subaccount_id = $1 and d.currency = $2 and d.day_ms < $3 order by d.day_ms desc limit 1
            ), 0)
            else coalesce((
              select t.number - 1 from ledger_transfer t
              where t.subaccount_id = $1 and t.currency = $2 and t.number > coalesce(c.number, 0)
                and t.created_at_ms >= $3
              order by t.number limit 1
            ), b.transfers)
          end as number
   from ledger_balance b
   left join rollup_cursor c on c.subaccount_id = b.subaccount_id and c.currency = b.currency
   where b.subaccount_id = $1 and b.currency = $2`,
);

/** The number of the last transfer before a time, which is the start of a UTC day. 0: there is none. */
export async function findLastNumberBefore(
  db: Runner,
  { subaccountId, currency }: BalanceKey,
  beforeMs: number,
): Promise<bigint> {
  const [row] = await db.run(lastNumber, [subaccountId, currency, beforeMs]);
  return BigInt(row?.number ?? 0);
}

const totalAt = statement<{ total: string }>(
  "statement-total",
  // From the end of the last whole day in the roll-ups, so that few transfers are read.
  `with day as (
     select last_number, ${ownAccounts.join(" + ")} as total from ledger_day
     where subaccount_id = $1 and currency = $2 and last_number <= $3 order by day_ms desc limit 1
   )
   select coalesce((select total from day), 0) + coalesce((
     select sum(${signed}) from ledger_transfer
     where subaccount_id = $1 and currency = $2 and number > coalesce((select last_number from day), 0)
       and number <= $3 and ${isMovement}
   ), 0) as total`,
);

/** The balance after the transfer with this number: available, held, in transit and returned. */
export async function findTotalAt(
  db: Runner,
  { subaccountId, currency }: BalanceKey,
  number: bigint,
): Promise<bigint> {
  const [row] = await db.run(totalAt, [subaccountId, currency, number.toString()]);
  return BigInt(row?.total ?? 0);
}

export type MovementRow = {
  number: string;
  id: string;
  kind: Kind;
  amount: string;
  reference: string;
  created_at_ms: string;
  payout_id: string | null;
  payout_reference: string | null;
  receiver: string | null;
  /** Of a funding that a bank statement has reported. */
  payer: string | null;
  bank_reference: string | null;
};

const movementsIn = (order: "asc" | "desc") => `
   select t.number, t.id, t.kind, t.amount, t.reference, t.created_at_ms, t.payout_id,
          p.reference as payout_reference,
          concat_ws(' ', r.first_name, nullif(r.middle_name, ''), r.last_name) as receiver,
          b.party as payer, coalesce(nullif(b.reference, ''), nullif(b.bank_text, '')) as bank_reference
   from (
     select * from ledger_transfer
     where subaccount_id = $1 and currency = $2 and number > $3 and number <= $4 and ${isMovement}
     order by number ${order} limit $5
   ) t
   left join payout p on p.subaccount_id = $1 and p.id = t.payout_id
   left join receiver r on r.subaccount_id = $1 and r.id = p.receiver_id
   left join lateral (
     select l.party, l.reference, l.bank_text
     from bank_match m join bank_statement_line l on l.id = m.line_id
     where m.subaccount_id = $1 and m.transfer_id = t.id and m.kind = 'fund' order by m.id limit 1
   ) b on t.kind = 'fund'
   order by t.number ${order}`;

const movements = statement<MovementRow>("statement-movements", movementsIn("asc"));
const movementsBack = statement<MovementRow>("statement-movements-back", movementsIn("desc"));

/** Transfers are numbered without gaps and never changed, so a range of numbers always has the same movements. */
export type NumberRange = { after: bigint; upTo: bigint };

/** Oldest first. */
export function listMovements(
  db: Runner,
  { subaccountId, currency }: BalanceKey,
  { after, upTo, limit }: NumberRange & { limit: number },
): Promise<MovementRow[]> {
  return db.run(movements, [subaccountId, currency, after.toString(), upTo.toString(), limit]);
}

/** Newest first. */
export function listMovementsBack(
  db: Runner,
  { subaccountId, currency }: BalanceKey,
  { after, upTo, limit }: NumberRange & { limit: number },
): Promise<MovementRow[]> {
  const values = [subaccountId, currency, after.toString(), upTo.toString(), limit];
  return db.run(movementsBack, values);
}

const countUpTo = statement<{ count: number }>(
  "statement-movement-count",
  `select count(*)::int as count from (
     select from ledger_transfer
     where subaccount_id = $1 and currency = $2 and number > $3 and number <= $4 and ${isMovement} limit $5
   ) found`,
);

/** How many movements there are, but not more than the limit: a long range is not read to its end. */
export async function countMovements(
  db: Runner,
  { subaccountId, currency }: BalanceKey,
  { after, upTo, limit }: NumberRange & { limit: number },
): Promise<number> {
  const values = [subaccountId, currency, after.toString(), upTo.toString(), limit];
  return (await db.run(countUpTo, values))[0]?.count ?? 0;
}
