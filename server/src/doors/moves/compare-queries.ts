// The SQL that compares a subaccount in two cells: the number of its rows in each table, and a hash of their content.

import { type Db, type Runner, statement } from "../../platform/db/index.ts";
import { listColumns } from "./guard-queries.ts";
import { columnOf, type MovedTable } from "./tables.ts";

export type Contents = { rows: string; hash: string };

/** Which rows: all, or only those from before or since a time, where the table has such ids. */
export type Part = { kind: "all" } | { kind: "before" | "since"; ms: number };

export type TablePart = { moved: MovedTable; part: Part };

/** The sum does not depend on the order of the rows, and counts a row that is there twice. */
function contentsOf({ moved, part }: TablePart, columns: readonly string[]): string {
  const { table, unguarded = [], byTime } = moved;
  const compared = columns.filter((name) => !unguarded.includes(name));
  const row = `row(${compared.map((name) => `t."${name}"`).join(", ")})::text`;
  const bound =
    byTime && part.kind !== "all"
      ? `and t.${byTime} ${part.kind === "before" ? "<" : ">="} first_id_of(${Math.floor(part.ms)})`
      : "";
  return `select '${table}' as name, count(*)::text as rows,
            coalesce(sum(hashtextextended(${row}, 0)::numeric), 0)::text as hash
          from ${table} t where t.${columnOf(moved)} = $1 ${bound}`;
}

/** All tables in one statement: while a subaccount is frozen, every round trip makes the pause longer. */
export async function readContents(
  db: Db,
  subaccountId: string,
  parts: readonly TablePart[],
): Promise<Map<string, Contents>> {
  const columns = await listColumns(
    db,
    parts.map(({ moved }) => moved.table),
  );
  const selects = parts.map((one) => contentsOf(one, columns.get(one.moved.table) ?? []));
  const client = await db.pool.connect();
  try {
    // The text of a value must not depend on the settings of a server.
    await client.query(
      `begin read only; set local statement_timeout = 0; set local timezone = 'UTC'; set local datestyle = 'ISO';
       set local bytea_output = 'hex'; set local extra_float_digits = 1`,
    );
    const { rows } = await client.query<Contents & { name: string }>(selects.join("\nunion all "), [
      subaccountId,
    ]);
    return new Map(rows.map(({ name, rows: count, hash }) => [name, { rows: count, hash }]));
  } finally {
    await client.query("rollback").catch(() => {});
    client.release();
  }
}

const sequences = statement<{ last: string }>(
  "move-event-number",
  // The numbers of all events, whatever their subaccount_id.
  "select last_value as last from event_number",
);

export async function readEventNumber(db: Runner): Promise<bigint> {
  return BigInt((await db.run(sequences))[0]?.last ?? 0);
}

/** Far enough that events of others, created meanwhile, stay below it. */
const eventNumberMargin = 1_000_000n;

/** Events that the target creates come after those that the source has created. */
export async function raiseEventNumber({ pool }: Db, above: bigint): Promise<void> {
  await pool.query("select setval('event_number', $2) from event_number where last_value <= $1", [
    above.toString(),
    (above + eventNumberMargin).toString(),
  ]);
}
