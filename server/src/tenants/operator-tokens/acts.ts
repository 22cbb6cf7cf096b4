// Admins make tokens for programs, and revoke them. A token that may do more than read in live mode waits for a second
// admin.

import Type from "typebox";
import { isAddressOrRange } from "../../platform/addresses/index.ts";
import { newId } from "../../platform/base/index.ts";
import { isUniqueViolation, type Runner } from "../../platform/db/index.ts";
import {
  type Fields,
  idField,
  input,
  line,
  optional,
  required,
  type SchemaExtras,
} from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type Problem, problem, Refusal } from "../../platform/refusals/index.ts";
import { act, userSession } from "../acts/index.ts";
import { userActorName } from "../audit/index.ts";
import { requireOtherUser } from "../four-eyes/index.ts";
import { type Role, roles } from "../roles/index.ts";
import { findSubaccount } from "../subaccounts/index.ts";
import { endedBecause } from "./find.ts";
import {
  countLiveTokens,
  insertToken,
  lockToken,
  updateTokenApproved,
  updateTokenRevoked,
} from "./queries.ts";
import { isWeighty, newTokenText, secretHashOf } from "./token.ts";

const ofTokens = {
  object: "operator_token",
  may: "users.write",
  twoPeople: "Make an operator token that may do more than read in live mode",
  tokens: "none",
} as const;

function rules({ addresses = [] }: Fields): Problem[] {
  return (addresses as string[]).every(isAddressOrRange) ? [] : [problem("CONS706", "addresses")];
}

const NewToken = input({
  name: required(Type.String({ pattern: line, minLength: 1, maxLength: 100 })),
  role: required(Type.Unsafe<Role>({ type: "string", enum: [...roles] })),
  subaccount_ids: optional(
    Type.Array(Type.String({ format: "uuid" }), { minItems: 1, maxItems: 100, uniqueItems: true }),
  ),
  addresses: optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 50 })),
  expires_at: required(Type.Integer({ minimum: 0, maximum: 8.64e15 })),
});

export const createOperatorToken = act({
  ...ofTokens,
  name: "token.create",
  summary: "make a token for a program; it is shown only once",
  stepUp: true,
  doors: ["console"],
  input: { ...NewToken, ...({ rules } satisfies SchemaExtras) } as typeof NewToken,
  output: Type.Object({
    id: Type.String(),
    /** Shown once. */
    token: Type.String(),
    awaits_approval: Type.Boolean(),
  }),
  async run(doing, { name, role, subaccount_ids, addresses = [], expires_at }) {
    const { tx, atMs } = doing;
    const { user } = userSession(doing);
    const problems: Problem[] = [];
    if (expires_at <= atMs) problems.push(problem("CONS707", "expires_at"));
    if (expires_at > atMs + limits.operatorTokenMs) problems.push(problem("CONS215", "expires_at"));
    if (role === "developer" && !subaccount_ids) {
      problems.push(problem("CONS209", "subaccount_ids"));
    }
    const [first, ...others] = problems;
    if (first) throw new Refusal([first, ...others]);
    if ((await countLiveTokens(tx, atMs)) >= limits.operatorTokensMax) throw new Refusal("CONS217");
    const subaccountIds = subaccount_ids?.map((id) => id.toLowerCase());
    const awaits_approval = isWeighty(role) && (await reachesLive(tx, subaccountIds));
    const [id, token] = [newId(), newTokenText()];
    const secretHash = secretHashOf(token) as Buffer;
    try {
      const times = { atMs, expiresAtMs: expires_at };
      const facts = { id, name, role, subaccountIds, addresses, user_id: user.id };
      await insertToken(tx, { ...facts, ...times, secretHash, awaitsApproval: awaits_approval });
    } catch (error) {
      const isTaken = isUniqueViolation(error, "operator_token_name_key");
      throw isTaken ? new Refusal([problem("CONS216", "name")]) : error;
    }
    const after = { name, role, subaccount_ids: subaccountIds, addresses, expires_at };
    const result = { id, token, awaits_approval };
    return { result, id, after: { ...after, awaits_approval } };
  },
});

/** Whether there is a live subaccount among them. A token for all reaches those of the future too. */
async function reachesLive(db: Runner, ids: readonly string[] | undefined): Promise<boolean> {
  if (!ids) return true;
  let isLive = false;
  for (const id of ids) {
    const found = await findSubaccount(db, id);
    if (!found) throw new Refusal("CONS105");
    isLive ||= found.mode === "live";
  }
  return isLive;
}

const id = idField("CONS110");

export const approveOperatorToken = act({
  ...ofTokens,
  name: "token.approve",
  summary: "let a token work that another admin has made",
  stepUp: true,
  doors: ["console"],
  input: input({ id }),
  async run({ tx, who, atMs }, { id }) {
    const token = await lockToken(tx, id);
    if (!token) throw new Refusal("CONS110");
    if (!token.awaiting_approval || endedBecause(token, atMs)) throw new Refusal("CONS401");
    await requireOtherUser(tx, [userActorName(token)], { who });
    await updateTokenApproved(tx, id, who);
    return { result: undefined, id, after: { name: token.name, made_by: userActorName(token) } };
  },
});

/** Any admin may, and one who declines a token that waits. */
export const revokeOperatorToken = act({
  ...ofTokens,
  name: "token.revoke",
  summary: "end a token for good; it is refused within a second",
  doors: ["console"],
  input: input({
    id,
    reason: optional(Type.String({ minLength: 1, maxLength: 300, pattern: line })),
  }),
  async run({ tx, atMs }, { id, reason }) {
    const token = await lockToken(tx, id);
    if (!token) throw new Refusal("CONS110");
    if (token.revoked_at) return { result: undefined };
    await updateTokenRevoked(tx, id, atMs);
    return { result: undefined, id, after: { name: token.name, ...(reason && { reason }) } };
  },
});
