// What users and commands do about receivers. An audit entry names the changed fields, never their values.

import { hash } from "node:crypto";
import Type, { type TObject } from "typebox";
import {
  idField,
  input,
  inputLike,
  line,
  required,
  requiredOfUsers,
} from "../../platform/fields/index.ts";
import { type RequestConflict, respondOnce } from "../../platform/idempotency/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, act, call, type Doing } from "../../tenants/acts/index.ts";
import { recordAct } from "../../tenants/audit/index.ts";
import type { KycProviders } from "../kyc-providers/index.ts";
import type { Screener } from "../screening/index.ts";
import { changeReceiver, disableReceiver, lockOrRefuse, restartKyc } from "./change.ts";
import { createReceiversOnce, toReceiverCreation } from "./create.ts";
import { statesOf } from "./move.ts";
import type { ReceiverKey } from "./queries.ts";
import { NewReceiver, ReceiverChange } from "./schema.ts";
import type { States } from "./states.ts";

export type ReceiverActParts = {
  providers: KycProviders;
  screener: Screener;
  /** Called after a commit that may have created background work. */
  onDue?: (() => void) | undefined;
};

const row = { object: "receiver", may: "receivers.write", in: "open subaccount" } as const;
const id = idField("CONS110");

/** The checks and the write of the API. Returns the id of the receiver. */
export const createReceiver = call({
  ...row,
  name: "receiver.create",
  summary: "create a receiver",
  doors: ["console", "cli"],
  input: inputLike(NewReceiver, {
    once: requiredOfUsers(
      Type.String({
        pattern: "^[A-Za-z0-9-]{16,64}$",
        description: "One per form: a form that is sent twice creates one receiver",
      }),
    ),
  }),
  async perform(
    { db, seal, providers, screener, onDue }: ActParts & ReceiverActParts,
    { actor, subaccount }: ActBy,
    { once, ...given },
  ): Promise<string> {
    const { id: subaccountId, mode } = subaccount as NonNullable<ActBy["subaccount"]>;
    const { requestId, who } = actor;
    const requestHash = hash("sha256", JSON.stringify(given));
    const idempotency = once === undefined ? undefined : { key: `console ${once}`, requestHash };
    const caller = { subaccountId, mode, key: "", who, requestId, nonce: undefined, idempotency };
    const creating = { provider: providers[mode], screener, seal };
    const attempt = () =>
      db.transaction(async (tx): Promise<RequestConflict> => {
        const creation = toReceiverCreation(caller, given as NewReceiver, creating);
        const [outcome] = await createReceiversOnce(tx, [creation]);
        if (!outcome) throw new Error("a creation must be answered");
        if (outcome === "email-taken") throw new Refusal([problem("REVR201", "email")]);
        if (typeof outcome === "string" || outcome.replayed) return outcome;
        const object = { kind: "receiver", id: creation.row.id };
        await recordAct({ tx, seal }, actor, { action: "receiver.create", object });
        return outcome;
      });
    const { body } = await respondOnce(attempt);
    onDue?.();
    const { payload } = JSON.parse(body) as { payload: { receiver_id: string } };
    return payload.receiver_id;
  },
});

const { status: _, ...details } = ReceiverChange.properties;
const ReceiverDetails: TObject<typeof details> = { ...ReceiverChange, properties: details };

export const editReceiver = act({
  ...row,
  name: "receiver.change",
  summary: "change the details of a receiver; another name or date of birth is checked again",
  doors: ["console"],
  // As in the API, with its codes. Disabling and enabling are acts of their own.
  input: inputLike(ReceiverDetails, { id }),
  run: (doing: Changes, { id, ...given }) =>
    changed(doing, id, (key) => changeDetails(doing, key, given), {
      fields: Object.keys(given).sort(),
    }),
});

export const deactivateReceiver = act({
  ...row,
  name: "receiver.disable",
  summary: "deactivate a receiver, who then can't be paid",
  doors: ["console", "cli"],
  input: input({
    id,
    reason: required(Type.String({ minLength: 1, maxLength: 500, pattern: line })),
  }),
  run: (doing: Changes, { id, reason }) =>
    changed(doing, id, (key) => disableReceiver(doing.tx, key, doing, reason), { reason }),
});

export const activateReceiver = act({
  ...row,
  name: "receiver.enable",
  summary: "activate a receiver again",
  doors: ["console", "cli"],
  input: input({ id }),
  run: (doing: Changes, { id }) =>
    changed(doing, id, (key) => changeDetails(doing, key, { status: "active" })),
});

export const restartIdentityCheck = act({
  ...row,
  name: "receiver.restart_kyc",
  summary: "restart the identity check of a receiver",
  doors: ["console"],
  input: input({ id }),
  run: (doing: Changes, { id }) =>
    changed(doing, id, async (key) => {
      await restartKyc(doing.tx, key, doing);
      return lockOrRefuse(doing.tx, key);
    }),
});

type Changes = Doing & ReceiverActParts;

async function changed(
  { tx, subaccount, onDue }: Changes,
  id: string,
  change: (key: ReceiverKey) => Promise<States>,
  /** For the audit entry. */
  more: object = {},
) {
  const key = { subaccountId: subaccount.id, id };
  const before = statesOf(await lockOrRefuse(tx, key));
  const after = statesOf(await change(key));
  tx.afterCommit(() => onDue?.());
  return { result: { id, ...after }, id, before, after: { ...after, ...more } };
}

async function changeDetails(doing: Changes, key: ReceiverKey, given: ReceiverChange) {
  return (await changeReceiver(doing.tx, key, given, doing)) as States;
}
