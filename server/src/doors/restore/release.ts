// Sets the quarantine of an installation, and releases it.

import type { Runner } from "../../platform/db/index.ts";
import { type Actor, audited } from "../../tenants/audit/index.ts";
import {
  countConnections,
  findQuarantine,
  liftQuarantine,
  setQuarantine,
} from "../../tenants/installation/index.ts";
import type { Opened } from "../database/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";

type QuarantineParts = Pick<Opened, "db" | "seal">;

/** The name of connections of the service, and of a command that must tell them from its own. */
const serviceName = "disburse";
export const quarantineName = "disburse quarantine";

/** For a database that was restored with tools of its own. */
export async function quarantine({ db, seal }: QuarantineParts, actor: Actor): Promise<void> {
  const running = await countConnections(db, serviceName);
  if (running > 0) {
    throw new CliError(
      `${running} connections of Disburse are open. They would go on sending and paying.\n` +
        "Stop every process of the service on this database first.",
      exitCodes.refused,
    );
  }
  const entry = { action: "installation.quarantine", object };
  await audited({ db, seal }, actor).transaction(entry, (tx) => setQuarantine(tx, "restored"));
}

const object = { kind: "installation", id: "installation" };

export async function requireReleasable(db: Runner): Promise<void> {
  const found = await findQuarantine(db);
  if (!found) throw new CliError("This installation is not in quarantine.", exitCodes.refused);
  if (found.reason === "restored") return;
  throw new CliError(
    "The data of this installation was moved to another database, which pays now. It stays in quarantine.",
    exitCodes.refused,
  );
}

/** `erasures`: how the erasures after the backup were dealt with. */
export async function release(
  { db, seal }: QuarantineParts,
  actor: Actor,
  erasures: Record<string, unknown>,
): Promise<void> {
  const entry = { action: "installation.release", object, after: { erasures } };
  await audited({ db, seal }, actor).transaction(entry, async (tx) => {
    await requireReleasable(tx);
    await liftQuarantine(tx);
  });
}
