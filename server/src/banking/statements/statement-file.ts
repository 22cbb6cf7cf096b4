// A file of statements: which of our accounts each statement is about, and whether the file can be applied.

import type { StatementEnd, StatementRecord } from "../../../../packages/bank-formats/src/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { connectionsCalled, type InboundRun } from "../answers/index.ts";
import type { BankConnection } from "../connections/index.ts";
import { connectionsSharing } from "../files/index.ts";
import { applyStatements } from "./apply.ts";
import { findStatementOfDays } from "./queries.ts";

/**
 * The connection of each statement. A bank may put the statements of several accounts into one file; those of accounts that
 * we have no connection for are not kept.
 */
export function ownersOf(
  ends: readonly StatementEnd[],
  connections: readonly BankConnection[],
  given: BankConnection | undefined,
): Map<StatementEnd, BankConnection> {
  const owners = new Map<StatementEnd, BankConnection>();
  for (const end of ends) {
    const called = connectionsCalled(connections, { ours: new Set([end.account]) });
    const isGiven =
      given !== undefined && (end.account === "" || called.some(({ id }) => id === given.id));
    const [only, ...others] = called;
    if (isGiven) owners.set(end, given);
    else if (only && others.length === 0 && end.account !== "") owners.set(end, only);
  }
  const found = [...owners.values()];
  if (given && !found.includes(given)) throw otherAccount(given, found[0]);
  if (found.length === 0) throw new Refusal("BANK406");
  return owners;
}

function otherAccount(given: BankConnection, found: BankConnection | undefined): Refusal {
  const whose = found ? `an account of ${found.row.name}` : "another account";
  return new Refusal("BANK404", {
    message: `The file is about ${whose}, not of ${given.row.name}`,
  });
}

/** Whose the statements of a file are, of all connections. */
export type StatementOwners = {
  owners: ReadonlyMap<StatementEnd, BankConnection>;
  connections: readonly BankConnection[];
};

export type ReadStatements = {
  format: string;
  ends: readonly StatementEnd[];
  /** From the first one, as often as it is called. */
  records(): AsyncIterable<StatementRecord>;
};

/** Of all connections that the file is about. `runOf` makes what is kept for one of them. */
export async function applyStatementFile(
  { format, ends, records }: ReadStatements,
  { owners, connections }: StatementOwners,
  runOf: (connection: BankConnection) => InboundRun,
): Promise<InboundRun[]> {
  const runs: InboundRun[] = [];
  for (const connection of connectionsIn(owners)) {
    const run = runOf(connection);
    runs.push(run);
    const isOurs = (end: StatementEnd) => owners.get(end) === connection;
    const sharing = connectionsSharing(connections, connection);
    for (const end of ends.filter(isOurs)) await requireNewDays(run, sharing, end);
    await applyStatements(run, records(), { format, ends, isOurs });
  }
  return runs;
}

/** Lines are known by connection, so a deposit that two connections of one account report would fund twice. */
async function requireNewDays(
  { tx, connection }: InboundRun,
  sharing: readonly BankConnection[],
  { form, currency, fromDay = "", toDay = "" }: StatementEnd,
): Promise<void> {
  // Others fund nothing.
  if (form !== "statement") return;
  const found = await findStatementOfDays(
    tx,
    sharing.map(({ id }) => id),
    {
      currency: currency || connection.row.currency,
      fromDay: fromDay || toDay,
      toDay: toDay || fromDay,
    },
  );
  if (!found) return;
  const other = sharing.find(({ id }) => id === found.connection_id);
  throw new Refusal("BANK493", {
    message: `${other?.row.name} is another bank connection of the same account, and has a statement to ${found.to_day}`,
  });
}

/** Those that a file is about, and those that share an account with one. In the order in which they are locked. */
export function connectionsToLock({ owners, connections }: StatementOwners): BankConnection[] {
  const own = connectionsIn(owners);
  const all = own.flatMap((one) => [one, ...connectionsSharing(connections, one)]);
  return inOrder(new Set(all));
}

/** In the order of their ids. */
export function connectionsIn(owners: ReadonlyMap<StatementEnd, BankConnection>): BankConnection[] {
  return inOrder(new Set(owners.values()));
}

function inOrder(connections: ReadonlySet<BankConnection>): BankConnection[] {
  return [...connections].sort((one, other) => (one.id < other.id ? -1 : 1));
}
