// A file of statements: which of our accounts each statement is about, and whether the file can be applied.

import type { StatementEnd, StatementRecord } from "../../bank-formats/statement-records.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { BankConnection } from "../connection.ts";
import { connectionsCalled } from "../inbound-connection.ts";
import type { InboundRun } from "../inbound-page.ts";
import { applyStatements } from "./apply.ts";

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

export type ReadStatements = {
  format: string;
  ends: readonly StatementEnd[];
  /** From the first one, as often as it is called. */
  records(): AsyncIterable<StatementRecord>;
};

/** Of all connections that the file is about. `runOf` makes what is kept for one of them. */
export async function applyStatementFile(
  { format, ends, records }: ReadStatements,
  owners: ReadonlyMap<StatementEnd, BankConnection>,
  runOf: (connection: BankConnection) => InboundRun,
): Promise<InboundRun[]> {
  const runs: InboundRun[] = [];
  for (const connection of connectionsIn(owners)) {
    const run = runOf(connection);
    runs.push(run);
    const isOurs = (end: StatementEnd) => owners.get(end) === connection;
    await applyStatements(run, records(), { format, ends, isOurs });
  }
  return runs;
}

/** In the order of their ids, in which they are locked. */
export function connectionsIn(owners: ReadonlyMap<StatementEnd, BankConnection>): BankConnection[] {
  return [...new Set(owners.values())].sort((one, other) => (one.id < other.id ? -1 : 1));
}
