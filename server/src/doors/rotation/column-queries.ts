// The SQL that walks through an encrypted column: one page of keys at a time, and the values of some of them. It is over
// all subaccounts, by the primary key, and writes tables of all folders, because every encrypted column is rotated here.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { sealedHeadBytes } from "../../platform/encryption/index.ts";
import type { EncryptedColumn, KeyValues } from "./encrypted-columns.ts";

/** Below every key. */
export const lowest = {
  uuid: "00000000-0000-0000-0000-000000000000",
  text: "",
  integer: "-2147483648",
  boolean: "false",
} as const;

/** A key, and the first bytes of its value. */
export type HeadRow = { key: KeyValues; head: Buffer };
export type ValueRow = { key: KeyValues; sealed: Buffer };
export type ChangedValue = ValueRow & { before: Buffer };

type Read = Pick<Runner, "run">;

/** In base64, four characters are three bytes. */
const headChars = Math.ceil(sealedHeadBytes / 3) * 4;

function statementsOf(column: EncryptedColumn) {
  const { table, column: name, key, isBase64 } = column;
  const names = key.map(([part]) => part);
  const keyColumns = names.join(", ");
  const keyAsText = `array[${names.map((part) => `${part}::text`).join(", ")}] as key`;
  const given = (first: number) =>
    key.map(([, type], index) => `$${first + index}::${type}`).join(", ");
  const arrays = (first: number) =>
    key.map(([, type], index) => `$${first + index}::${type}[]`).join(", ");
  const last = key.length + 1;
  const value = `t.${name}`;
  // An encrypted value begins with a small byte, so in base64 with an A. JSON never does.
  const isEncrypted = isBase64 ? `${value} like 'A%'` : `${value} is not null`;
  const head = isBase64
    ? `substring(decode(left(${value}, ${headChars}), 'base64') from 1 for ${sealedHeadBytes})`
    : `substring(${value} from 1 for ${sealedHeadBytes})`;
  const whole = isBase64 ? `decode(${value}, 'base64')` : value;
  const stored = isBase64 ? "replace(encode(v.sealed, 'base64'), E'\\n', '')" : "v.sealed";
  const isSameKey = names.map((part) => `t.${part} = v.${part}`).join(" and ");
  const called = `${table}-${name}`.replaceAll("_", "-");
  return {
    heads: statement<{ key: string[]; head: Buffer | null }>(
      `encrypted-heads-${called}`,
      `select ${keyAsText}, case when ${isEncrypted} then ${head} end as head from ${table} t
       where (${keyColumns}) > (${given(2)}) order by ${keyColumns} limit $1`,
    ),
    values: statement<{ key: string[]; sealed: Buffer }>(
      `encrypted-values-${called}`,
      `select ${keyAsText}, ${whole} as sealed from ${table} t
       join unnest(${arrays(1)}) as v(${keyColumns}) using (${keyColumns}) where ${isEncrypted}`,
    ),
    change: statement<{ key: string[] }>(
      `encrypted-change-${called}`,
      // The rows are locked in the order of their keys. The head has the nonce, so it tells whether the value is still the same.
      `with v as materialized (
         select ${names.map((part) => `v.${part}`).join(", ")}, v.head, v.sealed
         from unnest(${arrays(1)}, $${last}::bytea[], $${last + 1}::bytea[]) as v(${keyColumns}, head, sealed)
         cross join lateral (select 1 from ${table} t where ${isSameKey} for no key update) locked
       )
       update ${table} t set ${name} = ${stored} from v
       where ${isSameKey} and ${isEncrypted} and ${head} = v.head
       returning array[${names.map((part) => `t.${part}::text`).join(", ")}] as key`,
    ),
  };
}

const known = new WeakMap<EncryptedColumn, ReturnType<typeof statementsOf>>();

function sqlOf(column: EncryptedColumn): ReturnType<typeof statementsOf> {
  const made = known.get(column) ?? statementsOf(column);
  known.set(column, made);
  return made;
}

/** The next page of keys. `next` is undefined at the end. */
export async function listHeads(
  db: Read,
  column: EncryptedColumn,
  { after, limit }: { after: KeyValues | undefined; limit: number },
): Promise<{ rows: HeadRow[]; next: KeyValues | undefined }> {
  const from = after ?? column.key.map(([, type]) => lowest[type]);
  const found = await db.run(sqlOf(column).heads, [limit, ...from]);
  const rows = found.flatMap(({ key, head }): HeadRow[] => (head ? [{ key, head }] : []));
  return { rows, next: found.length < limit ? undefined : found.at(-1)?.key };
}

export function listValues(
  db: Read,
  column: EncryptedColumn,
  keys: readonly KeyValues[],
): Promise<ValueRow[]> {
  return db.run(sqlOf(column).values, partsOf(column, keys));
}

/** Replaces values that have not changed since they were read. Returns the keys of those. */
export async function updateValues(
  tx: Tx,
  column: EncryptedColumn,
  changed: readonly ChangedValue[],
): Promise<KeyValues[]> {
  const rows = await tx.run(sqlOf(column).change, [
    ...partsOf(
      column,
      changed.map(({ key }) => key),
    ),
    changed.map(({ before }) => before.subarray(0, sealedHeadBytes)),
    changed.map(({ sealed }) => sealed),
  ]);
  return rows.map(({ key }) => key);
}

/** One array for each part of the key. */
function partsOf({ key }: EncryptedColumn, keys: readonly KeyValues[]): unknown[] {
  return key.map((_, part) => keys.map((values) => values[part]));
}
