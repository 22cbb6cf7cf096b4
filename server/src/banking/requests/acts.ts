// What a second user does about what waits at a bank. Confirming it is in inbound-files: that needs all that can wait.

import Type from "typebox";
import type { Runner, Tx } from "../../platform/db/index.ts";
import { idField, input, line, required } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act } from "../../tenants/acts/index.ts";
import type { AuditNote } from "../../tenants/audit/index.ts";
import { may, type Permission, type User } from "../../tenants/roles/index.ts";
import { noteOf } from "./decide.ts";
import {
  type BankRequestKind,
  type BankRequestRow,
  findBankRequest,
  updateBankRequestDecided,
} from "./queries.ts";
import { lockWaitingBankRequest } from "./request.ts";

/** The permission that deciding about each kind needs: the same as making it. */
export const permissionOfBankRequest: Readonly<Record<BankRequestKind, Permission>> = {
  file: "banks.release",
  suspense: "banks.release",
  statement_line: "banks.release",
  csv_mapping: "banks.write",
  opening: "banks.release",
};

/** One that the user may decide about. */
export async function findOwnRequest(
  db: Runner,
  id: string,
  user: User | undefined,
): Promise<BankRequestRow> {
  const request = await findBankRequest(db, id);
  if (!request) throw new Refusal("CONS110");
  const isAllowed = user !== undefined && may(user, permissionOfBankRequest[request.kind]);
  if (!isAllowed) throw new Refusal("CONS102");
  return request;
}

export const ofBankRequest = {
  object: "bank_request",
  may: "banks.release",
  doors: ["console"],
  output: Type.Object({ id: Type.String(), status: Type.String() }),
} as const;

/** Its maker may withdraw it. */
export const declineBankRequest = act({
  ...ofBankRequest,
  name: "bank-request.decline",
  summary: "decline or withdraw what waits at a bank for a second user",
  input: input({
    id: idField("CONS110"),
    reason: required(Type.String({ minLength: 1, maxLength: 300, pattern: line })),
  }),
  async run({ tx, user, who, atMs }, { id, reason }) {
    await findOwnRequest(tx, id, user);
    const request = await lockWaitingBankRequest(tx, id);
    const { made_by } = request;
    const status = made_by === who ? "withdrawn" : "declined";
    await updateBankRequestDecided(tx, id, { status, who, atMs, reason });
    return {
      result: { id, status },
      action: status === "withdrawn" ? "bank-request.withdraw" : "bank-request.decline",
      id,
      after: { ...noteOf(id, request).after, made_by, reason },
    };
  },
});

/** No second user has confirmed it in time: it never takes effect. */
export async function expireBankRequest(
  tx: Tx,
  id: string,
  { who, atMs, reason }: { who: string; atMs: number; reason: string },
): Promise<AuditNote> {
  const request = await lockWaitingBankRequest(tx, id);
  await updateBankRequestDecided(tx, id, { status: "expired", who, atMs, reason });
  const { object, after } = noteOf(id, request);
  return { action: "bank-request.expire", object, after: { ...after, made_by: request.made_by } };
}
