// POST /console/api/s/<id>/accounts, PATCH …/accounts/<id>: a user proposes bank details, and
// GET …/bank-changes, POST …/bank-changes/<id>/approve and /decline: a second user decides

import {
  type AccountKey,
  type BankChange,
  listBankChanges,
  NewReceiverAccount,
  type Proposed,
  ReceiverAccountChange,
} from "../../../people/accounts/index.ts";
import { maskedNumber } from "../../../people/person/index.ts";
import type { Screener } from "../../../people/screening/index.ts";
import { newestId } from "../../../platform/base/index.ts";
import { cutPage } from "../../../platform/db/index.ts";
import { givenFieldsIn } from "../../../platform/fields/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { inSubaccount, type SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { approveBankChange, rejectBankChange } from "./decide.ts";
import { proposeAccountChange, proposeNewAccount } from "./propose.ts";
import { revealChange } from "./reveal.ts";
import {
  type BankChangeLine,
  BankChangePage,
  BankChangeQuery,
  DecidedChange,
  DeclineReason,
  ProposedChange,
  RevealedChange,
} from "./schema.ts";

export function bankChangeRoutes(api: Api, parts: WriteParts & { screener: Screener }): void {
  const { db, seal } = parts;

  api.post(
    "/console/api/s/:subaccountId/accounts",
    {
      attachValidation: true,
      config: { may: "accounts.propose" },
      schema: { body: NewReceiverAccount, response: { 200: ProposedChange } },
    },
    async (request) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      return toAnswer(await proposeNewAccount(parts, access, givenFieldsIn(request)));
    },
  );

  api.patch(
    "/console/api/s/:subaccountId/accounts/:id",
    {
      attachValidation: true,
      config: { may: "accounts.propose" },
      schema: { params: ById, body: ReceiverAccountChange, response: { 200: ProposedChange } },
    },
    async (request) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      const id = request.params.id.toLowerCase();
      return toAnswer(await proposeAccountChange(parts, access, id, givenFieldsIn(request)));
    },
  );

  api.get(
    "/console/api/s/:subaccountId/bank-changes",
    {
      config: { may: "read" },
      schema: { querystring: BankChangeQuery, response: { 200: BankChangePage } },
    },
    async (request) => {
      const { subaccount } = inSubaccount(request);
      const { receiver_id, cursor, limit } = request.query;
      const most = Math.min(Number(limit ?? limits.consolePage), limits.consolePageMax);
      const found = await listBankChanges(
        { db, seal },
        {
          subaccountId: subaccount.id,
          receiverId: receiver_id,
          beforeId: cursor ?? newestId,
          limit: most + 1,
        },
      );
      const { rows, next } = await cutPage(found, most, ({ id }) => id);
      return { rows: rows.map(toLine), next };
    },
  );

  api.post(
    "/console/api/s/:subaccountId/bank-changes/:id/reveal",
    {
      config: { may: "accounts.approve", stepUp: true },
      schema: { params: ById, response: { 200: RevealedChange } },
    },
    async (request) => {
      const access = inSubaccount(request);
      return revealChange(parts, access.actor, keyOf(access, request.params));
    },
  );

  api.post(
    "/console/api/s/:subaccountId/bank-changes/:id/approve",
    {
      config: { may: "accounts.approve", stepUp: true },
      schema: { params: ById, response: { 200: DecidedChange } },
    },
    async (request) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      const key = keyOf(access, request.params);
      const { id, accountId } = await approveBankChange(parts, access.actor, key);
      return { id, status: "applied", account_id: accountId };
    },
  );

  api.post(
    "/console/api/s/:subaccountId/bank-changes/:id/decline",
    {
      config: { may: "accounts.approve" },
      schema: { params: ById, body: DeclineReason, response: { 200: DecidedChange } },
    },
    async (request) => {
      const access = inSubaccount(request);
      const key = keyOf(access, request.params);
      const { reason } = request.body;
      const { id, status, accountId } = await rejectBankChange(parts, access.actor, key, reason);
      return { id, status, account_id: accountId };
    },
  );
}

function keyOf({ subaccount }: SubaccountAccess, { id }: { id: string }): AccountKey {
  return { subaccountId: subaccount.id, id: id.toLowerCase() };
}

function toAnswer({ changeId, warnings }: Proposed): ProposedChange {
  return { change_id: changeId, status: "awaiting_approval", warnings };
}

function toLine(change: BankChange): BankChangeLine {
  const { id, receiverId, accountId, accountVersion, proposal, tail, country } = change;
  return {
    id,
    receiver_id: receiverId,
    account_id: accountId,
    is_new: accountVersion === null,
    account_number: maskedNumber(tail),
    country,
    changes: proposal?.changes ?? [],
    is_unreadable: proposal === undefined,
    made_by: change.madeBy,
    made_at: change.madeAtMs,
    status: change.status,
    decided_by: change.decidedBy,
    decided_at: change.decidedAtMs,
    reason: change.reason,
  };
}
