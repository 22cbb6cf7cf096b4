// The attempts of one user to release payouts and to change the rules alone, as every user whom they control. They use the
// functions behind all interfaces, so that no check of an interface hides a gap.

import { releasePayout } from "../../src/money/payouts/hold.ts";
import { railDirectory } from "../../src/money/rails/directory.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import { approveRuleSet, proposeRuleSet } from "../../src/money/rules/change.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import { Refusal } from "../../src/platform/refusals/refusals.ts";

type Parts = { db: Db };
type World = { subaccountId: string; users: readonly { id: string }[] };

const rails = railDirectory([{ mode: "live", rail: sandboxRail({ delayMs: 0 }) }]);

async function namesOf({ db }: Parts, { users }: World): Promise<string[]> {
  const ids = users.map(({ id }) => id);
  const { rows } = await db.pool.query(
    "select email from console_user where id = any($1::uuid[])",
    [ids],
  );
  return rows.map(({ email }) => `operator:${email}`);
}

/** Whether one of them was released. */
export async function releaseAll(parts: Parts, world: World): Promise<boolean> {
  const { subaccountId } = world;
  const { rows } = await parts.db.pool.query(
    "select id from payout where subaccount_id = $1 and stage = 'on_hold'",
    [subaccountId],
  );
  let isDone = false;
  for (const who of await namesOf(parts, world)) {
    for (const { id } of rows) {
      const ending = { who, atMs: Date.now(), reason: "mine", rails };
      const work = parts.db.transaction((tx) => releasePayout(tx, { subaccountId, id }, ending));
      isDone = (await isAllowed(work)) || isDone;
    }
  }
  return isDone;
}

/** Proposes to end all rules, as each user, and approves it as each other one. Throws if that succeeds. */
export async function approveRulesAlone(parts: Parts, world: World): Promise<boolean> {
  const { db } = parts;
  const names = await namesOf(parts, world);
  for (const maker of names) {
    const { version } = await db.transaction((tx) =>
      proposeRuleSet(tx, { rules: [] }, { who: maker, atMs: Date.now() }),
    );
    for (const who of names) {
      const work = db.transaction((tx) => approveRuleSet(tx, version, { who, atMs: Date.now() }));
      if (await isAllowed(work)) throw new Error(`${who} and ${maker} changed the rules alone`);
    }
  }
  return false;
}

export async function isAllowed(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
