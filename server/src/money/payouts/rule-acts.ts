// The rules about payouts are changed: one user proposes a version, another approves it.

import Type from "typebox";
import {
  idField,
  input,
  line,
  optional,
  required,
  requiredOfUsers,
} from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import { act, call } from "../../tenants/acts/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import { may } from "../../tenants/roles/index.ts";
import {
  approveRuleSet,
  declineRuleSet,
  findActiveRuleSet,
  proposeRuleSet,
  type RuleSetRow,
  requireApprover,
} from "../rules/index.ts";
import { fillCounts } from "./fill-counts.ts";

const ofRules = {
  object: "rules",
  twoPeople: "Change the rules about payouts",
  doors: ["console", "cli"],
} as const;
const version = idField("RULE301", "^[1-9]\\d{0,14}$");

function factsOf({ base_version, rules, note, decided_why }: RuleSetRow) {
  return { base_version, rules, note, ...(decided_why !== "" && { reason: decided_why }) };
}

const changed = (row: RuleSetRow) => ({
  result: row,
  id: String(row.version),
  after: factsOf(row),
});

/** The rules must still be those that the change starts from. */
export const proposeRulesAct = act({
  ...ofRules,
  name: "rules.propose",
  summary: "propose a whole set of rules, as JSON; another user has to approve it",
  may: "rules.propose",
  stepUp: true,
  input: input({
    /** Checked as rules, not by this schema: the refusal names each field that is wrong. */
    rules: required(Type.Array(Type.Unknown(), { maxItems: limits.rulesMax })),
    base_version: requiredOfUsers(
      Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
        description: "The version that the change starts from. Null: there was none",
      }),
    ),
    note: optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: "what changes and why, for the user who approves it",
      }),
    ),
  }),
  async run({ tx, user, who, atMs }, { rules, base_version, note }) {
    // At the command line the note may be missing.
    if (user && note === undefined) throw new Refusal([problem("CONS107", "note")]);
    if (base_version !== undefined) {
      const active = await findActiveRuleSet(tx);
      if ((active?.version ?? null) !== base_version) throw new Refusal("RULE303");
    }
    const proposed = { rules, ...(note !== undefined && { note }) };
    return changed(await proposeRuleSet(tx, proposed, { who, atMs }));
  },
});

export const approveRulesAct = call({
  ...ofRules,
  name: "rules.approve",
  tokens: "logins",
  summary: "approve rules that another user proposed; new payouts are decided on by them",
  may: "rules.approve",
  stepUp: true,
  input: input({ version }),
  async perform({ db, seal, clock }, { actor }, { version }) {
    const by = { who: actor.who, atMs: clock() };
    await requireApprover(db, Number(version), by);
    await fillCounts(db.background, Number(version), { nowMs: by.atMs });
    return audited({ db, seal }, actor).transaction<RuleSetRow>(
      (row) => ({
        action: "rules.approve",
        object: { kind: "rules", id: String(row.version) },
        after: factsOf(row),
      }),
      async (tx) => (await approveRuleSet(tx, Number(version), by)).after,
    );
  },
});

/** By a user who could approve it, or by its creator, whatever their role is. */
export const declineRulesAct = act({
  ...ofRules,
  name: "rules.decline",
  summary: "decline or withdraw rules that were proposed",
  may: "rules.read",
  input: input({
    version,
    reason: required(
      Type.String({
        minLength: 1,
        maxLength: 300,
        pattern: line,
        description: "why; kept with the version",
      }),
    ),
  }),
  async run({ tx, user, who, atMs }, { version, reason }) {
    const declined = await declineRuleSet(tx, Number(version), { who, atMs, why: reason });
    const isAllowed = !user || declined.made_by === who || may(user, "rules.approve");
    if (!isAllowed) throw new Refusal("CONS102");
    return changed(declined);
  },
});
