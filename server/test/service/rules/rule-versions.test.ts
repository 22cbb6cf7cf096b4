// Versions of the rules: proposed by one user, approved by another, valid, and based on what is in force.

import { afterAll, beforeAll, expect, test } from "vitest";
import { approveRuleSet, declineRuleSet, proposeRuleSet } from "../../../src/money/rules/change.ts";
import { findActiveRuleSet } from "../../../src/money/rules/queries.ts";
import type { Db } from "../../../src/platform/db/connect.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { codeOf } from "../../support/ruled-payers.ts";
import { ruleOf, switchRules } from "../../support/rules.ts";
import { newDatabase } from "../../support/service.ts";

let db: Db;
beforeAll(async () => {
  ({ db } = await newDatabase());
});
afterAll(() => db.close());

const hour = { of: "receiver", window: "hour" } as const;
const oneRule = [ruleOf({ when: { fact: "shared_account" } })];
const by = (who: string) => ({ who, atMs: Date.now() });
const propose = (who: string, rules: unknown = oneRule) =>
  db.transaction((tx) => proposeRuleSet(tx, { rules }, by(who)));
const approve = (version: number, who: string) =>
  db.transaction((tx) => approveRuleSet(tx, version, by(who)));

test("RULE302, RULE303: rules take two users, and the version that they are based on", async () => {
  const { version } = await propose("operator:one");
  const other = await propose("operator:one");
  expect(await codeOf(approve(version, "operator:one"))).toBe("CONS402");
  expect((await approve(version, "operator:two")).after.status).toBe("active");
  expect(await codeOf(approve(version, "operator:two"))).toBe("RULE302");
  expect(await codeOf(approve(other.version, "operator:two"))).toBe("RULE303");
  const declined = await db.transaction((tx) =>
    declineRuleSet(tx, other.version, { ...by("operator:one"), why: "outdated" }),
  );
  expect(declined).toMatchObject({ status: "declined", decided_why: "outdated" });
  expect((await findActiveRuleSet(db))?.version).toBe(version);
  await switchRules(db, []);
});

test("of two approvals at once, one succeeds", async () => {
  const [one, other] = [await propose("operator:one"), await propose("operator:one")];
  const outcomes = await Promise.allSettled(
    [one, other, one].map(({ version }) => approve(version, "operator:two")),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await switchRules(db, []);
});

test("RULE201, RULE301: rules that are not valid, and a version that does not exist", async () => {
  const sum = { fact: "sum", ...hour, above: 1 } as const;
  const wrong: [unknown, string][] = [
    ["none", "rules"],
    [[{ ...oneRule[0], when: { fact: "moon" } }], "rules[0].when"],
    [[{ ...oneRule[0], id: "Not An Id" }], "rules[0].id"],
    [[{ ...oneRule[0], surplus: 1 }], "rules[0]"],
    [[...oneRule, ...oneRule], "rules[1].id"],
    [[ruleOf({ when: sum })], "rules[0].currency"],
    [[ruleOf({ when: sum, currency: "XQX" })], "rules[0].currency"],
    [Array.from({ length: limits.rulesMax + 1 }, () => oneRule[0]), "rules"],
  ];
  for (const [rules, field] of wrong) {
    const error = await propose("operator:one", rules).catch((thrown) => thrown);
    expect(error.problems?.[0]).toMatchObject({ code: "RULE201" });
    expect(error.problems[0].field).toContain(field);
  }
  expect(await codeOf(approve(999_999, "operator:two"))).toBe("RULE301");
});
