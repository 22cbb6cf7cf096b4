// What users and commands do about the accounts of receivers. New bank details wait for a second user.

import Type from "typebox";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import {
  type GivenFields,
  idField,
  input,
  line,
  NoFields,
  optional,
  required,
} from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act, type Doing } from "../../tenants/acts/index.ts";
import type { AuditNote } from "../../tenants/audit/index.ts";
import type { Screener } from "../screening/index.ts";
import { decisionEntry, proposalEntry } from "./audit-entries.ts";
import { lockBankChange } from "./bank-change-queries.ts";
import { createAccount } from "./create.ts";
import { applyBankChange, declineBankChange } from "./decide-change.ts";
import { deleteAccount } from "./delete.ts";
import { findNumber } from "./number-queries.ts";
import { requestPayeeCheck } from "./payee-check-queries.ts";
import { type Proposed, proposeAccount, proposeChange } from "./propose-change.ts";
import { type AccountWarning, NewReceiverAccount, ReceiverAccountChange } from "./schema.ts";

const proposing = {
  object: "account",
  may: "accounts.propose",
  twoPeople:
    "Add or change an account of a receiver, at the console or by a notification of the bank",
  in: "open subaccount",
} as const;

/** It waits for a second user, or is an account already. */
export type AddedAccount = {
  change_id?: string;
  account_id?: string;
  receiver_id: string;
  status: string;
  warnings: AccountWarning[];
};

/** A command in test mode needs no second user, nor does an API key: its thresholds are those of the API. */
export const addAccount = act({
  ...proposing,
  name: "account.propose",
  summary: "add an account to a receiver; in a live subaccount a second user must approve it",
  doors: ["console", "cli"],
  input: NoFields,
  given: NewReceiverAccount,
  async run(
    doing: Doing & { screener: Screener },
    _,
    given: GivenFields<NewReceiverAccount>,
  ): Promise<{ result: AddedAccount; entries: AuditNote[] }> {
    const { session, caller, subaccount, who } = doing;
    const by = { subaccountId: subaccount.id, who };
    if (session || (subaccount.mode === "live" && !caller))
      return proposed(await proposeAccount(doing, by, given));
    const { account_id, receiver_id, status, warnings } = await createAccount(doing, by, given);
    const object = { kind: "account", id: account_id };
    const entries = [{ action: "account.create", object, after: { receiver_id } }];
    return { result: { account_id, receiver_id, status, warnings }, entries };
  },
});

export const changeBankDetails = act({
  ...proposing,
  name: "account.propose_change",
  summary: "change an account of a receiver; the change waits for approval",
  doors: ["console"],
  input: input({ id: idField("REAC104") }),
  given: ReceiverAccountChange,
  async run(doing: Doing, { id }, given: GivenFields<ReceiverAccountChange>) {
    const { subaccount, who } = doing;
    return proposed(await proposeChange(doing, { subaccountId: subaccount.id, id, who }, given));
  },
});

function proposed(proposal: Proposed): { result: AddedAccount; entries: AuditNote[] } {
  const { changeId: change_id, receiverId: receiver_id, warnings } = proposal;
  const result = { change_id, receiver_id, status: "awaiting_approval", warnings };
  return { result, entries: [proposalEntry(proposal)] };
}

const deciding = {
  object: "account",
  may: "accounts.approve",
  doors: ["console"],
  input: input({ id: idField("CONS110") }),
} as const;

export const approveBankChange = act({
  ...deciding,
  name: "account.approve",
  tokens: "logins",
  summary: "approve new bank details that another user has proposed",
  stepUp: true,
  twoPeople: proposing.twoPeople,
  in: "open subaccount",
  async run(doing: Doing & { screener: Screener }, { id }) {
    const change = await applyBankChange(doing, { subaccountId: doing.subaccount.id, id }, doing);
    const result = { id, status: "applied", account_id: change.accountId };
    return { result, entries: [decisionEntry("account.approve", change)] };
  },
});

/** Why it was declined. Its creator can read it. */
const reason = required(Type.String({ minLength: 1, maxLength: 300, pattern: line }));

export const rejectBankChange = act({
  ...deciding,
  name: "account.decline",
  summary: "decline or withdraw new bank details",
  in: "subaccount",
  input: input({ ...deciding.input.properties, reason }),
  async run(doing, { id, reason }) {
    const key = { subaccountId: doing.subaccount.id, id };
    const change = await declineBankChange(doing, key, { ...doing, reason });
    const result = { id, status: change.status, account_id: change.accountId };
    return { result, entries: [decisionEntry("account.decline", change, { reason })] };
  },
});

/** The whole old and new account number, to compare them with the receiver's letter. */
export const revealBankChange = act({
  ...deciding,
  name: "account.reveal_change",
  tokens: "logins",
  summary: "show the whole old and new account number of a change that waits",
  stepUp: true,
  in: "subaccount",
  async run({ tx, seal, subaccount }, { id }) {
    const change = await lockBankChange({ tx, seal }, { subaccountId: subaccount.id, id });
    if (!change) throw new Refusal("CONS110");
    if (!change.proposal) throw new Refusal("CONS406");
    const before = await numberBefore({ tx, seal }, change);
    const { account_number: after = before } = change.proposal.given as { account_number?: string };
    const entries = [decisionEntry("account.reveal_change", change)];
    return { result: { before, after }, entries };
  },
});

type Changed = { subaccountId: string; accountId: string | null; accountVersion: number | null };

async function numberBefore(
  reading: { tx: Tx; seal: Seal },
  { subaccountId, accountId, accountVersion }: Changed,
): Promise<string> {
  if (accountId === null || accountVersion === null) return "";
  const found = await findNumber(reading, { subaccountId, id: accountId }, accountVersion);
  return found?.accountNumber ?? "";
}

export const revealNumber = act({
  name: "account.reveal",
  tokens: "logins",
  summary: "show a whole account number",
  object: "account",
  may: "accounts.reveal",
  stepUp: true,
  in: "subaccount",
  doors: ["console"],
  input: input({
    id: idField("CONS110"),
    version: optional(Type.Integer({ minimum: 1 })),
  }),
  async run({ tx, seal, subaccount }, { id, version }) {
    const found = await findNumber({ tx, seal }, { subaccountId: subaccount.id, id }, version);
    if (!found) throw new Refusal("CONS110");
    return { result: found.accountNumber, id, after: { version: found.version } };
  },
});

/** It can't move money, so no second user is needed. */
export const closeReceiverAccount = act({
  name: "account.close",
  summary: "close an account of a receiver",
  object: "account",
  may: "accounts.propose",
  in: "open subaccount",
  doors: ["console"],
  input: input({ id: idField("REAC104") }),
  async run({ tx, subaccount }, { id }) {
    const { receiver_id } = await deleteAccount(tx, { subaccountId: subaccount.id, id });
    return { result: undefined, id, after: { receiver_id } };
  },
});

export const checkPayeeName = act({
  name: "account.check_name",
  summary: "check again whether the bank knows the payee by the name, in the background",
  object: "account",
  may: "accounts.propose",
  in: "open subaccount",
  doors: ["cli"],
  input: input({ id: idField("REAC104") }),
  async run({ tx, subaccount, atMs }, { id }) {
    const isOpen = await requestPayeeCheck(tx, { subaccountId: subaccount.id, id }, atMs);
    if (!isOpen) throw new Refusal("REAC104");
    return { result: { account_id: id, payee_name_check: "requested" }, id };
  },
});
