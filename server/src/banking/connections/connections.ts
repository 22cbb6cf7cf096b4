// The bank connections as this process knows them. They change while it runs, so they are loaded again and again.

import type { RailDirectory } from "../../money/rails/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { type BankConnection, railEntryOf, toConnection } from "./connection.ts";
import { listConnections } from "./connection-queries.ts";

export type ConnectionParts = { db: Runner; seal: Seal; rails: RailDirectory };

/** Loads them and puts them into the directory. Returns all that can be used: disabled ones finish what they hold. */
export async function connectBanks({
  db,
  seal,
  rails,
}: ConnectionParts): Promise<BankConnection[]> {
  const rows = await listConnections(db);
  const connections = rows.flatMap((row) => toConnection(row, seal) ?? []);
  rails.connect(
    connections
      .filter(({ row }) => row.disabled_at_ms === null)
      // One that lists its subaccounts comes before one for all.
      .sort((one, other) => Number(!one.row.subaccount_ids) - Number(!other.row.subaccount_ids))
      .map(railEntryOf),
    (now) => connectBanks({ db: now, seal, rails }),
  );
  return connections;
}
