// Rules and payouts on hold from the command line: two users change the rules, and release what another one made.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { holdPayoutsOf } from "../../../src/money/payouts/hold.ts";
import { approveRuleSet } from "../../../src/money/rules/change.ts";
import { meAs } from "../../support/cli-operator.ts";
import { payoutTest } from "../../support/cli-payouts-setup.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { ruleOf } from "../../support/rules.ts";

const suite = await closeAfterTests(payoutTest());
const payer = await suite.payer(100_000n);
const payee = await payer.payee();
afterAll(async () => {
  await suite.verified();
});

const rules = (...words: string[]) => command(["rules", ...words], suite.environment);

async function rulesJson(...words: string[]) {
  const { code, stdout, stderr } = await rules(...words, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

async function heldPayout(): Promise<string> {
  const holding = {
    who: "service",
    atMs: Date.now(),
    reason: { kind: "screening" },
  } as const;
  const receiver = { subaccountId: payer.subaccountId, receiverId: payee.receiver_id };
  const id = await payer.pay(payee, 100n);
  await suite.db.transaction((tx) => holdPayoutsOf(tx, receiver, holding));
  return id;
}

test("release and refuse end a hold; the reason is not shown to callers", async () => {
  const [one, other] = [await heldPayout(), await heldPayout()];
  const reason = ["--reason", "checked the invoice"];
  expect(await payer.json("release", one, ...reason, "--by", "bob")).toEqual({
    payout_id: one,
    status: "pending",
    stage: "queued",
  });
  expect(await payer.json("refuse", other, ...reason)).toMatchObject({ stage: "cancelled" });
  expect(JSON.stringify(await payer.json("get", other))).not.toContain("invoice");
  const again = await payer.run("release", one, ...reason);
  expect([again.code, again.stderr.slice(0, 7)]).toEqual([1, "CONS508"]);
  const { rows } = await suite.db.pool.query(
    "select action, after from audit_entry where object_id = any($1) order by number",
    [[one, other]],
  );
  expect(rows.map(({ action }) => action)).toEqual(["payout.release", "payout.refuse"]);
  expect(rows[0].after).toMatchObject({ stage: "queued", reason: "checked the invoice" });
});

test("rules are proposed from a file, approved by another user, shown and listed", async () => {
  const file = join(suite.folder, "rules.json");
  const set = [ruleOf({ id: "shared", when: { fact: "shared_account" } })];
  writeFileSync(file, JSON.stringify(set));
  const { version } = await rulesJson("propose", file, "--note", "first", "--by", "ana");
  // A name given with --by is no second user.
  for (const by of [[], ["--by", "ana"], ["--by", "bob"]]) {
    const alone = await rules("approve", String(version), ...by);
    expect([alone.code, alone.stderr]).toEqual([
      1,
      expect.stringMatching(/^CONS416: .*\n {2}Approve it at the console, or as another user of/),
    ]);
  }
  expect(await rulesJson("show")).toEqual([]);
  // What one user proposes, by command or at the console, another one approves by command or at the console.
  const approval = { who: "operator:bob@example.com", atMs: Date.now() };
  await suite.db.transaction((tx) => approveRuleSet(tx, version, approval));
  expect((await rulesJson("history"))[0]).toMatchObject({
    status: "active",
    proposed_by: meAs("ana"),
    decided_by: "operator:bob@example.com",
  });
  expect(await rulesJson("show")).toEqual(set);
  expect((await rules("show")).stdout).toContain("shared_account");

  writeFileSync(file, "[]");
  const next = await rulesJson("propose", file, "--by", "ana");
  const decline = ["decline", String(next.version), "--reason", "not yet", "--by", "ana"];
  expect(await rulesJson(...decline)).toMatchObject({ status: "declined", reason: "not yet" });
  const history = await rulesJson("history");
  expect(history.map(({ status }: { status: string }) => status)).toEqual(["declined", "active"]);
});

test("CONS416: in live mode the names given by one user of the system are one user, in test mode they are two", async () => {
  const reason = ["--reason", "known supplier"];
  const heldOf = async (mode: "test" | "live") => {
    const of = await suite.payer(10_000n);
    const to = await of.payee();
    const id = await of.pay(to, 100n);
    await suite.db.pool.query("update payout set created_by = $2 where id = $1", [id, meAs("ana")]);
    const receiver = { subaccountId: of.subaccountId, receiverId: to.receiver_id };
    const holding = {
      who: "service",
      atMs: Date.now(),
      reason: { kind: "screening" },
    } as const;
    await suite.db.transaction((tx) => holdPayoutsOf(tx, receiver, holding));
    const { subaccountId } = of;
    await suite.db.pool.query(
      "update subaccount set mode = $2, needs_second_user = true where id = $1",
      [subaccountId, mode],
    );
    return { release: (name: string) => of.run("release", id, ...reason, "--by", name) };
  };
  const live = await (await heldOf("live")).release("ben");
  expect([live.code, live.stderr.slice(0, 7)]).toEqual([1, "CONS416"]);
  const inTest = await heldOf("test");
  const own = await inTest.release("ana");
  expect([own.code, own.stderr.slice(0, 7)]).toEqual([1, "CONS402"]);
  expect((await inTest.release("ben")).code).toBe(0);
});

test("a file that is not valid is refused with every field, and an unknown version is not found", async () => {
  const file = join(suite.folder, "wrong.json");
  writeFileSync(file, JSON.stringify([{ id: "x" }, { id: "x" }]));
  const refused = await rules("propose", file);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("RULE201 rules[0]");
  expect(refused.stderr).toContain("RULE201 rules[1]");
  writeFileSync(file, "{");
  expect((await rules("propose", file)).stderr).toContain("is not JSON");
  expect((await rules("show", "999")).code).toBe(4);
  expect((await rules("approve", "x")).stderr).toContain("A version is a number");
});
