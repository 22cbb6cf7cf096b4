// Settings and conditions of PostgreSQL for statements that want the newest few rows of an index, in its order.
//
// For a bitmap PostgreSQL reads all rows, and in a sequence the whole table, which it takes for small in a plan that it made
// while the table was. To sort rows it reads all of them, from an index that seems to have few while its statistics are old.

const turnedOff = [
  "enable_bitmapscan",
  "enable_seqscan",
  "enable_sort",
  "enable_incremental_sort",
] as const;

/** For all statements of a connection. */
export const followIndexesOptions = turnedOff.map((name) => `-c ${name}=off`).join(" ");

/** For the rest of a transaction. Its statements join a few rows with others by their keys, so they look each one up. */
export const followIndexesCommands = [...turnedOff, "enable_hashjoin", "enable_mergejoin"]
  .map((name) => `set local ${name} = off`)
  .join("; ");

/** SQL: columns of a statement after which the other statements of its transaction are planned so. */
export const followIndexesSql = turnedOff
  .map((name) => `set_config('${name}', 'off', true) as ${name}`)
  .join(", ");

/**
 * The condition for rows that have these values in the columns of an index, with the order of the index as `orderBy`. Rows are
 * compared and sorted by columns of one index because that fits no other one. With equations, PostgreSQL also considers indexes
 * with far more rows, and chooses one of them where its statistics are old: if each subaccount had one row when it analysed the
 * table, all indexes seem to cost the same.
 */
export const inIndex = (columns: readonly string[], values: readonly string[], upTo = values) =>
  `(${columns.join(", ")}) >= (${values.join(", ")}) and (${columns.join(", ")}) <= (${upTo.join(", ")})`;
export const orderBy = (columns: readonly string[], direction = "") =>
  `order by ${columns.map((column) => `${column}${direction}`).join(", ")}`;

/** SQL: a lateral join with the one row that has these values in the columns of an index. */
export function rowInIndex(
  table: string,
  columns: readonly string[],
  values: readonly string[],
  /** SQL: the row is only looked up where this holds. */
  condition = "true",
): string {
  return `lateral (
     select * from ${table} where ${condition} and ${inIndex(columns, values)} ${orderBy(columns)} limit 1
   ) ${table.split(" ").at(-1)}`;
}
