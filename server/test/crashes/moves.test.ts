// Moves between two cells with real databases and services. A slice of `npm run prove -- --only moves`.

import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { auditExportFault } from "../../src/doors/moves/audit-file.ts";
import { checkCells } from "../../src/doors/moves/check.ts";
import { isAtLeast, type MoveStep } from "../../src/doors/moves/move.ts";
import { findMove } from "../../src/doors/moves/move-queries.ts";
import { moveSubaccount } from "../../src/doors/moves/run.ts";
import { sealWith } from "../../src/platform/encryption/seal.ts";
import {
  liftQuarantine,
  setQuarantine,
} from "../../src/tenants/installation/quarantine-queries.ts";
import { runMoves } from "../scenarios/moves-run.ts";
import { isProving, unlessProving } from "../scenarios/scale.ts";
import { clientOf, newPayer, type Payee, type Payer } from "../support/payers.ts";
import { begin, disburse } from "../support/process.ts";
import { masterKey } from "../support/service.ts";
import { testUnless } from "../support/skippable.ts";
import {
  type Cell,
  moveParts,
  purge,
  remainsOf,
  startTwoCells,
  type TwoCells,
} from "../support/two-cells.ts";

let cells: TwoCells;
beforeAll(async () => {
  cells = await startTwoCells(masterKey);
});
afterAll(() => cells?.close());

async function pay({ keys, payees }: Payer, { baseUrl }: Cell): Promise<string> {
  const body = {
    ...(payees[0] as Payee),
    amount: 100,
    currency: "AUD",
    reference: randomBytes(8).toString("hex"),
  };
  return (await clientOf(keys, baseUrl).payouts.create(body)).payout_id;
}

const codeOf = (payer: Payer, cell: Cell) =>
  pay(payer, cell).then(
    () => "paid",
    (error: { code?: string; status?: number }) => error.code ?? String(error.status),
  );

function moveCommand({ from, to }: { from: Cell; to: Cell }, id: string, ...words: string[]) {
  const options = ["--to", to.name, "--json", "--audit-file", join(cells.folder, `${id}.jsonl`)];
  return {
    words: ["subaccount", "move", id, ...options, ...words],
    environment: { ...from.environment, DISBURSE_MOVE_TARGET_URL: to.url },
  };
}

/** Kills the command as soon as the source is at the step. False: it ended before. */
async function killAt(step: MoveStep, way: { from: Cell; to: Cell }, id: string): Promise<boolean> {
  const { words, environment } = moveCommand(way, id);
  const running = await begin(words, environment, ({ stderr }) => stderr.includes("prepared:"));
  const isThere = async () => {
    const move = await findMove(way.from.db, id);
    return move !== undefined && isAtLeast(move.step, step);
  };
  let hasEnded = false;
  void running.ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded && !(await isThere())) await sleep(1);
  return (await running.end("SIGKILL")) === null;
}

testUnless(unlessProving)(
  "a busy subaccount moves there and back: nothing is lost or doubled, and the order of events is kept",
  async () => {
    const seen = await runMoves({ moves: 2, callers: 4, callerPauseMs: 20, masterKey });
    console.info(
      `${seen.acknowledged} payouts, ${seen.received} events; pauses of ${seen.pauseMs.join(", ")} ms, ` +
        `seen by clients: ${seen.clientPauseMs.join(", ")} ms`,
    );
    expect(seen.complaints).toEqual([]);
    expect(seen.unavailable).toBeGreaterThan(0);
  },
);

// These two tests together kill it at each step.
test("a move that is killed goes on when the command is called again", async () => {
  const payer = await newPayer(cells.a, "");
  const { subaccountId: id } = payer;
  let [from, to] = [cells.a, cells.b];
  const allSteps = ["prepared", "following", "frozen", "moved"] as const;
  const steps = isProving ? allSteps : (["following", "frozen"] as const);
  for (const step of steps) {
    const before = await pay(payer, from);
    await killAt(step, { from, to }, id);
    const { words, environment } = moveCommand(
      { from, to },
      id,
      "--map",
      join(cells.folder, "map"),
    );
    const finished = await disburse(words, environment);
    expect(finished.stderr, step).not.toContain("Error");
    // The kill may come when all is done.
    if (finished.code !== 0) expect(finished.stderr).toContain("has moved to the cell");
    expect(await codeOf(payer, from)).toBe("SUBA103");
    expect(await clientOf(payer.keys, to.baseUrl).payouts.get(before)).toMatchObject({
      id: before,
    });
    expect(await pay(payer, to)).toMatch(/-/);
    expect(await remainsOf(to, id)).toEqual([]);
    await purge(from, id);
    expect(await remainsOf(from, id)).toEqual([]);
    [from, to] = [to, from];
  }
});

test("an abandoned move leaves nothing behind, and the subaccount goes on in its cell", async () => {
  const payer = await newPayer(cells.a, "");
  const { subaccountId: id } = payer;
  const way = { from: cells.a, to: cells.b };
  for (const step of ["copying", "draining"] as const) {
    await killAt(step, way, id);
    const move = await findMove(cells.a.db, id);
    const { words, environment } = moveCommand(way, id, "--abandon");
    const ended = await disburse(words, environment);
    if (move?.has_moved) {
      // Too late: the command was faster than the kill.
      expect(ended.stderr).toContain("has given the subaccount up");
      return;
    }
    expect(ended.stderr).toBe("");
    expect(await remainsOf(cells.a, id)).toEqual([]);
    expect(await remainsOf(cells.b, id)).toEqual([]);
    const { rowCount } = await cells.b.db.pool.query("select from subaccount where id = $1", [id]);
    expect(rowCount).toBe(0);
    expect(await pay(payer, cells.a)).toMatch(/-/);
  }
});

test("SIGINT stops the move between two steps, and the subaccount goes on", async () => {
  const payer = await newPayer(cells.a, "");
  const { words, environment } = moveCommand({ from: cells.a, to: cells.b }, payer.subaccountId);
  const running = await begin(words, environment, ({ stderr }) => stderr.includes("prepared:"));
  expect(await running.end("SIGINT")).toBe(130);
  expect(running.output().stderr).toContain("Run the command again to go on");
  expect(await pay(payer, cells.a)).toMatch(/-/);
  const finished = await disburse(words, environment);
  expect(JSON.parse(finished.stdout)).toMatchObject({ cell: "b", keys: [payer.keys.apiKey] });
  expect(await pay(payer, cells.b)).toMatch(/-/);
});

test("audit entries go along as a signed file, and both logs name its hash", async () => {
  const payer = await newPayer(cells.a, "");
  const { subaccountId: id } = payer;
  await disburse(["subaccount", "set-statement-name", id, "Shown"], cells.a.environment);
  const parts = moveParts(cells, { from: cells.a, to: cells.b }, id);
  const moved = await moveSubaccount(parts);
  expect(moved.audit_entries).toBe(1);
  const path = parts.auditFile(moved.moveId);
  const text = readFileSync(path, "utf8");
  expect(auditExportFault(cells.a.seal, text)).toBeUndefined();
  expect(auditExportFault(sealWith(randomBytes(32)), text)).toBe("the signature is not ours");
  expect(auditExportFault(cells.a.seal, `{}\n${text}`)).toMatch(/entries/);
  for (const [cell, action] of [
    [cells.a, "subaccount.move_out"],
    [cells.b, "subaccount.move_in"],
  ] as const) {
    const { rows } = await cell.db.pool.query(
      "select after from audit_entry where subaccount_id = $1 and action = $2",
      [id, action],
    );
    expect(rows).toMatchObject([
      { after: { audit_sha256: moved.audit_sha256, audit_entries: moved.audit_entries } },
    ]);
  }
  expect((await disburse(["audit", "verify-file", path], cells.b.environment)).code).toBe(0);
  writeFileSync(path, text.replace("\n", " \n"));
  const changed = await disburse(["audit", "verify-file", path], cells.b.environment);
  expect(changed.stderr).toBe("The file is not right: an entry was changed.\n");
});

test("the target gets the keys of a source that has rotated them, and reads the secrets", async () => {
  // The other tests have cells without data keys.
  const { a, b, close } = await startTwoCells(masterKey);
  onTestFinished(close);
  const payer = await newPayer(a, "");
  const rotated = await disburse(["master-key", "rotate"], a.environment);
  expect(rotated.stderr).toContain("0 under the old key");
  const { words, environment } = moveCommand({ from: a, to: b }, payer.subaccountId);
  const moved = await disburse(words, environment);
  expect(moved.code, moved.stderr).toBe(0);
  expect(await pay(payer, b)).toMatch(/-/);
});

test("an idempotency key gives the same payout after the move", async () => {
  const payer = await newPayer(cells.a, "");
  const body = { ...(payer.payees[0] as Payee), amount: 100, currency: "AUD", reference: "once" };
  const idempotencyKey = "the-same";
  const first = await clientOf(payer.keys, cells.a.baseUrl).payouts.create(body, {
    idempotencyKey,
  });
  await moveSubaccount(moveParts(cells, { from: cells.a, to: cells.b }, payer.subaccountId));
  const again = await clientOf(payer.keys, cells.b.baseUrl).payouts.create(body, {
    idempotencyKey,
  });
  expect(again.payout_id).toBe(first.payout_id);
});

test("users of the target with the same email become members, and others stay", async () => {
  const { subaccountId: id } = await newPayer(cells.a, "");
  const other = await newPayer(cells.b, "");
  const insert = `with made as (
      insert into console_user (id, name, email, role, subaccount_id) values (gen_random_uuid(), 'Dev', $1, 'developer', $2)
      returning id)
    insert into user_subaccount (subaccount_id, user_id) select $2, id from made`;
  await cells.a.db.pool.query(insert, [`known-${id}@example.com`, id]);
  await cells.a.db.pool.query(insert, [`unknown-${id}@example.com`, id]);
  await cells.b.db.pool.query(insert, [`known-${id}@example.com`, other.subaccountId]);
  const moved = await moveSubaccount(moveParts(cells, { from: cells.a, to: cells.b }, id));
  expect(moved.takenOver).toMatchObject({ members: 1, membersLeft: 1 });
  await expect(purge(cells.a, id)).rejects.toThrow("2 users have this subaccount as their own");
});

test("a move is refused between cells that do not belong together, and into an occupied place", async () => {
  const { subaccountId } = await newPayer(cells.a, "");
  const parts = moveParts(cells, { from: cells.a, to: cells.b }, subaccountId);
  const refusal = (changes: Partial<typeof parts>) => checkCells({ ...parts, ...changes });
  await expect(refusal({ target: cells.a.db })).rejects.toThrow("the same database");
  await expect(refusal({ seal: sealWith(randomBytes(32)) })).rejects.toThrow("another master key");
  await expect(refusal({ subaccountId: "0199c0de-0000-7000-8000-000000000000" })).rejects.toThrow(
    "no subaccount",
  );
  const { pool } = cells.b.db;
  const { rows } = await pool.query("select merchant_id from installation");
  try {
    await pool.query("update installation set merchant_id = gen_random_uuid()");
    await expect(refusal({})).rejects.toThrow("different merchant ids");
  } finally {
    await pool.query("update installation set merchant_id = $1", [rows[0].merchant_id]);
  }
  await setQuarantine(cells.b.db, "restored");
  await expect(refusal({})).rejects.toThrow("The target is in quarantine");
  await liftQuarantine(cells.b.db);
  await pool.query("insert into payout_limit (subaccount_id, currency) values ($1, 'AUD')", [
    subaccountId,
  ]);
  await expect(refusal({})).rejects.toThrow("has rows of this subaccount already: payout_limit");
  await pool.query("delete from payout_limit where subaccount_id = $1", [subaccountId]);
  await expect(refusal({})).resolves.toBeUndefined();
});

test("payouts that are with a bank keep a subaccount in its cell", async () => {
  const payer = await newPayer(cells.a, "");
  const id = await pay(payer, cells.a);
  const { subaccountId } = payer;
  await cells.a.db.pool.query(
    "update payout set rail = 'bank:0199c0de-0000-7000-8000-000000000001', stage = 'batched', status = 'pending' where subaccount_id = $1 and id = $2",
    [subaccountId, id],
  );
  const parts = moveParts(cells, { from: cells.a, to: cells.b }, subaccountId);
  await expect(moveSubaccount(parts)).rejects.toThrow(
    "1 payouts of the subaccount are in a bank file",
  );
  await cells.a.db.pool.query(
    "update payout set stage = 'queued' where subaccount_id = $1 and id = $2",
    [subaccountId, id],
  );
  // A refused move has let go of the subaccount when it ends: the next one may follow at once.
  for (let call = 1; call <= 20; call += 1) {
    await expect(moveSubaccount(parts)).rejects.toThrow("Payouts wait for the bank connection");
  }
});
