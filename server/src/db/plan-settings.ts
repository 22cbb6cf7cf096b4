// Settings of PostgreSQL for statements that want the newest few rows of an index, in its order.
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

/** SQL: columns of a statement after which the other statements of its transaction are planned so. */
export const followIndexesSql = turnedOff
  .map((name) => `set_config('${name}', 'off', true) as ${name}`)
  .join(", ");
