// The switch: the source drains and freezes, both cells are compared, the source gives the subaccount up, and the target
// takes it over. At no time do both work with it.

import { setTimeout as sleep } from "node:timers/promises";
import { verifyLedger } from "../../money/ledger/index.ts";
import { isLockTimeout } from "../../platform/db/index.ts";
import { updateKeysVersion } from "../../tenants/api-keys/index.ts";
import { audited, recordAct } from "../../tenants/audit/index.ts";
import { type AuditExported, type MoveAuditFile, openAuditExport } from "./audit-file.ts";
import { checkBanks } from "./check.ts";
import { compareFrozen, compareOldRows, type EqualBefore } from "./compare.ts";
import { raiseEventNumber, readEventNumber } from "./compare-queries.ts";
import { goOnUnlessStopped, type MoveParts, MoveRefused, neverMs } from "./move.ts";
import {
  freezeMove,
  giveUpSubaccount,
  lockMoveWrites,
  type MoveRow,
  stopMoveWork,
  takeOverSubaccount,
  thawMove,
} from "./move-queries.ts";
import { recordStep, waitUntilReceived } from "./prepare.ts";
import {
  hasWorkInFlight,
  insertMembersByEmail,
  listMemberEmails,
  releaseLaneOfSubaccount,
  updateRailsOfPayouts,
} from "./switch-queries.ts";

/** Longer than an attempt at a webhook endpoint may take. */
const drainMaxMs = 90_000;
/** The source goes on by itself when the switch has not come by then, for example because the command was killed. */
const freezeMs = 30_000;
const lockWaitMs = 2_000;
const lockTriesMax = 15;
/** Rows from before are compared before the freeze. */
const recentMs = 60_000;
const pollMs = 20;
/** A worker may have claimed something just before, and not have recorded it as being sent. */
const quietPolls = 15;

/** What the source records when it gives the subaccount up, for the part that follows in the target. */
export type SwitchFacts = {
  rails: [string, string][];
  rows: string;
  frozen_at_ms: number;
} & AuditExported;

/** Before the freeze: the books of both cells, and the rows that will hardly change any more. */
async function compareAhead(parts: MoveParts): Promise<EqualBefore> {
  const { source, target, subaccountId, onStep } = parts;
  for (const [name, db] of [
    ["source", source],
    ["target", target],
  ] as const) {
    const { differences } = await verifyLedger(db, subaccountId);
    if (differences.length > 0) {
      const what = differences.map((one) => `${one.currency}: ${one.what}`).join("\n");
      throw new MoveRefused(`The books are not right in the ${name}:\n${what}`);
    }
  }
  const equal = await compareOldRows({ source, target, subaccountId }, Date.now() - recentMs);
  onStep?.("following", `older rows are equal in ${equal.rows.size} tables`);
  return equal;
}

/** Stops the background work of the source, and waits until what is in flight has ended. The API goes on. */
async function drain(parts: MoveParts): Promise<void> {
  const { source, subaccountId, signal, onStep } = parts;
  await stopMoveWork(source, subaccountId, drainMaxMs + freezeMs);
  await recordStep(parts, "draining");
  onStep?.("draining", "waits for deliveries and payouts in flight");
  const end = performance.now() + drainMaxMs;
  for (let quiet = 0; quiet < quietPolls; ) {
    quiet = (await hasWorkInFlight(source, subaccountId)) ? 0 : quiet + 1;
    goOnUnlessStopped(signal);
    if (performance.now() > end) {
      throw new MoveRefused(
        "Deliveries or payouts are still in flight. Run the command again later.",
      );
    }
    await sleep(pollMs);
  }
}

async function freeze({ source, subaccountId, signal }: MoveParts): Promise<number> {
  for (let triesLeft = lockTriesMax; ; triesLeft -= 1) {
    goOnUnlessStopped(signal);
    try {
      return await source.transaction(async (tx) => {
        await lockMoveWrites(tx, subaccountId, lockWaitMs);
        await updateKeysVersion(tx);
        return freezeMove(tx, subaccountId, freezeMs);
      });
    } catch (error) {
      if (!isLockTimeout(error) || triesLeft === 0) throw error;
    }
  }
}

/** Where there is a freeze, or a drain. The source goes on at once. */
export async function thaw({
  source,
  subaccountId,
}: Pick<MoveParts, "source" | "subaccountId">): Promise<void> {
  await source.transaction(async (tx) => {
    await thawMove(tx, subaccountId);
    await updateKeysVersion(tx);
  });
}

/** From `following` to `moved` in the source. When it fails or is stopped before, the source goes on. */
export async function giveUp(parts: MoveParts, { id }: MoveRow): Promise<void> {
  const { source, seal, subaccountId } = parts;
  const equalBefore = await compareAhead(parts);
  const audit = await openAuditExport({ db: source, seal }, subaccountId, parts.auditFile(id));
  try {
    await audit.catchUp();
    await drain(parts);
    await giveUpFrozen(parts, { id, audit, equalBefore });
  } catch (error) {
    await thaw(parts);
    throw error;
  } finally {
    await audit.close();
  }
}

type Frozen = { id: string; audit: MoveAuditFile; equalBefore: EqualBefore };

async function giveUpFrozen(parts: MoveParts, { id, audit, equalBefore }: Frozen): Promise<void> {
  const { source, target, subaccountId, seal, actor, cells, onStep } = parts;
  const frozenAtMs = await freeze(parts);
  onStep?.("frozen", "the source refuses writes; the last changes follow");
  await waitUntilReceived(parts, AbortSignal.any([parts.signal, AbortSignal.timeout(freezeMs)]));
  const rails = await checkBanks(parts);
  const { rows, differences } = await compareFrozen({ source, target, subaccountId }, equalBefore);
  if (differences.length > 0) {
    const what = differences.map(
      (one) =>
        `${one.table}: ${one.source.rows} rows in the source, ${one.target.rows} in the target`,
    );
    throw new MoveRefused(
      `The cells differ, so the source keeps the subaccount:\n${what.join("\n")}`,
    );
  }
  await audit.catchUp();
  const exported = await audit.finish();
  const facts: SwitchFacts = {
    rails: [...rails],
    rows: String(rows),
    frozen_at_ms: frozenAtMs,
    ...exported,
  };
  goOnUnlessStopped(parts.signal);
  const isOver = await source.transaction(async (tx) => {
    await lockMoveWrites(tx, subaccountId, lockWaitMs);
    if (!(await giveUpSubaccount(tx, subaccountId, { untilMs: neverMs, facts }))) return true;
    await updateKeysVersion(tx);
    const object = { kind: "subaccount", id: subaccountId };
    const after = { move: id, cell: cells.target, rows: String(rows), ...exported };
    await recordAct({ tx, seal }, actor, {
      action: "subaccount.move_out",
      object,
      subaccountId,
      after,
    });
    return false;
  });
  if (isOver)
    throw new MoveRefused("The freeze took too long and has ended. Run the command again.");
}

/** The target works with the subaccount from here on. Returns the time at which it did, or undefined if it did before. */
export async function takeOver(parts: MoveParts, move: MoveRow): Promise<TakenOver | undefined> {
  const { source, target, subaccountId, cells } = parts;
  const facts = move.facts as SwitchFacts;
  await raiseEventNumber(target, await readEventNumber(source));
  const emails = await listMemberEmails(source, subaccountId);
  const { audit_entries, audit_sha256 } = facts;
  return audited({ db: target, seal: parts.seal }, parts.actor).transaction<TakenOver | undefined>(
    (taken) =>
      taken && {
        action: "subaccount.move_in",
        object: { kind: "subaccount", id: subaccountId },
        subaccountId,
        after: { move: move.id, cell: cells.source, rows: facts.rows, audit_entries, audit_sha256 },
      },
    async (tx) => {
      const atMs = await takeOverSubaccount(tx, subaccountId);
      if (atMs === undefined) return undefined;
      await releaseLaneOfSubaccount(tx, subaccountId);
      await updateRailsOfPayouts(tx, subaccountId, new Map(facts.rails));
      const members = await insertMembersByEmail(tx, subaccountId, emails);
      await updateKeysVersion(tx);
      return { members, membersLeft: emails.length - members, atMs };
    },
  );
}

export type TakenOver = {
  members: number;
  /** Users of the source whose email the target does not know. */
  membersLeft: number;
  atMs: number;
};
