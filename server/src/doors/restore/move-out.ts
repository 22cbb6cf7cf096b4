// Moves all data of the embedded database to a PostgreSQL of the operator's own.
//
// The target is in quarantine until the embedded database is marked as moved, and the mark is never removed. So at every
// moment at most one of the two pays. After an interruption, the command continues where the mark says.

import {
  type ArchivingFinding,
  copyAllRows,
  findArchivingTroubles,
  readArchiving,
  readServer,
} from "../../platform/backup/index.ts";
import {
  connect,
  type Db,
  findServiceRole,
  hasMigrations,
  migrate,
  migratorName,
} from "../../platform/db/index.ts";
import { type Actor, audited } from "../../tenants/audit/index.ts";
import {
  ensureInstallation,
  findQuarantine,
  hasInstallation,
  liftQuarantine,
  setQuarantine,
} from "../../tenants/installation/index.ts";
import type { Opened } from "../database/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { type VerifiedCopy, verifyCopy } from "./verify-restored.ts";

type MoveOutParts = {
  /** The embedded database, which this process runs alone. */
  source: Opened;
  targetUrl: string;
  actor: Actor;
  onStep: (text: string) => void;
};

export type MovedOut = { rows: number; verified: VerifiedCopy; findings: ArchivingFinding[] };

/** PostgreSQL 15. */
const oldestVersion = 150_000;

export async function moveOut(parts: MoveOutParts): Promise<MovedOut> {
  const { source, targetUrl, actor, onStep } = parts;
  const reason = source.installation.quarantine?.reason;
  if (reason === "restored") {
    throw new CliError(
      "This copy is in quarantine. Release it before you move it.",
      exitCodes.refused,
    );
  }
  const connection = { connectionString: targetUrl, application_name: migratorName };
  const target = connect({ connection, poolMax: 2 });
  try {
    await requireServer(target);
    const wasCopied = reason === "moved";
    const rows = wasCopied ? 0 : await copyInto(target, parts);
    await requireMoving(target, source);
    onStep("verifying the copy");
    const verified = await verifyCopy({ db: target, seal: source.seal });
    if (verified.ledger_differences.length > 0 || verified.audit_fault !== null) {
      throw new CliError(`The copy is damaged: ${JSON.stringify(verified)}`, exitCodes.refused);
    }
    if (!wasCopied) {
      await audited(source, actor).transaction({ action: "installation.move", object }, (tx) =>
        setQuarantine(tx, "moved"),
      );
    }
    const { seal } = source;
    const entry = { action: "installation.moved", object, after: { rows } };
    await audited({ db: target, seal }, actor).transaction(entry, liftQuarantine);
    const findings = findArchivingTroubles(await readArchiving(target), Date.now());
    return { rows, verified, findings };
  } finally {
    await target.close();
  }
}

const object = { kind: "installation", id: "installation" };

async function requireServer(target: Db): Promise<void> {
  const { version, encoding } = await readServer(target);
  if (version < oldestVersion) {
    throw new CliError("The target is older than PostgreSQL 15.", exitCodes.refused);
  }
  if (encoding !== "UTF8") {
    throw new CliError(`The encoding of the target is ${encoding}, not UTF8.`, exitCodes.refused);
  }
}

async function copyInto(target: Db, { source, onStep }: MoveOutParts): Promise<number> {
  if ((await hasMigrations(target.pool)) && (await hasInstallation(target))) {
    throw new CliError(
      "The target is not empty: it holds an installation. Create an empty database for the move.",
      exitCodes.refused,
    );
  }
  onStep("creating the tables");
  await migrate(target);
  if (!(await findServiceRole(target))) {
    throw new CliError(
      "The role in TARGET_DATABASE_URL may not create the role disburse_service. Grant it createrole, or create\n" +
        "that role and grant it with admin option, as docs/operate/database.md says about roles. Then start again with an empty database.",
      exitCodes.refused,
    );
  }
  return copyAllRows(source.db, target, (table) => onStep(`copying ${table}`));
}

/** The target holds this installation, and waits for the end of the move. */
async function requireMoving(target: Db, { installation, seal }: Opened): Promise<void> {
  const isThere = (await hasMigrations(target.pool)) && (await hasInstallation(target));
  if (isThere) await ensureInstallation(target, seal, installation);
  const found = isThere ? await findQuarantine(target) : undefined;
  if (found?.reason === "moving") return;
  throw new CliError(
    "This installation was moved before, and not to this target, or the move has ended. Nothing was changed.",
    exitCodes.refused,
  );
}
