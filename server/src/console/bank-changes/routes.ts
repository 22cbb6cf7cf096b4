// POST /console/api/s/<id>/accounts, PATCH …/accounts/<id>: what a person wants to be so, and
// GET …/bank-changes, POST …/bank-changes/<id>/approve and /decline: what another one makes of it

import { maskedNumber } from "../../accounts/account.ts";
import { type BankChange, listBankChanges } from "../../accounts/bank-change-queries.ts";
import { givenFieldsIn } from "../../accounts/check.ts";
import { applyBankChange, declineBankChange } from "../../accounts/decide-change.ts";
import { type Proposed, proposeAccount, proposeChange } from "../../accounts/propose-change.ts";
import { NewReceiverAccount, ReceiverAccountChange } from "../../accounts/schema.ts";
import { recordAct } from "../../audit/record.ts";
import type { Clock } from "../../clock.ts";
import { newestId } from "../../cursor.ts";
import type { Db } from "../../db/connect.ts";
import { type Api, ById } from "../../http/route.ts";
import { limits } from "../../limits.ts";
import type { Seal } from "../../seal.ts";
import { actOf } from "../act.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { inSubaccount } from "../route.ts";
import { deciding, proposing } from "./acts.ts";
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

export function bankChangeRoutes(
  api: Api,
  { db, seal, clock }: { db: Db; seal: Seal; clock: Clock },
): void {
  api.post(
    "/console/api/s/:subaccountId/accounts",
    {
      attachValidation: true,
      config: { may: "accounts.propose" },
      schema: { body: NewReceiverAccount, response: { 200: ProposedChange } },
    },
    async (request) => {
      const asker = requireOpenSubaccount(inSubaccount(request));
      const { who, subaccount } = asker;
      const proposed = await db.transaction(async (tx) => {
        const actor = { subaccountId: subaccount.id, who };
        const made = await proposeAccount({ tx, seal }, actor, givenFieldsIn(request));
        await recordAct({ tx, seal }, actOf(asker, proposing(made)));
        return made;
      });
      return toAnswer(proposed);
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
      const asker = requireOpenSubaccount(inSubaccount(request));
      const key = { subaccountId: asker.subaccount.id, id: request.params.id.toLowerCase() };
      const proposed = await db.transaction(async (tx) => {
        const actor = { ...key, who: asker.who };
        const made = await proposeChange({ tx, seal }, actor, givenFieldsIn(request));
        await recordAct({ tx, seal }, actOf(asker, proposing(made)));
        return made;
      });
      return toAnswer(proposed);
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
          ...{ subaccountId: subaccount.id, receiverId: receiver_id },
          ...{ beforeId: cursor ?? newestId, limit: most + 1 },
        },
      );
      const shown = found.slice(0, most);
      const next = found.length > most ? (shown.at(-1)?.id ?? null) : null;
      return { rows: shown.map(toLine), next };
    },
  );

  api.post(
    "/console/api/s/:subaccountId/bank-changes/:id/reveal",
    {
      config: { may: "accounts.approve", stepUp: true },
      schema: { params: ById, response: { 200: RevealedChange } },
    },
    async (request) => {
      const asker = inSubaccount(request);
      const key = { subaccountId: asker.subaccount.id, id: request.params.id.toLowerCase() };
      return revealChange({ db, seal }, asker, key);
    },
  );

  api.post(
    "/console/api/s/:subaccountId/bank-changes/:id/approve",
    {
      config: { may: "accounts.approve", stepUp: true },
      schema: { params: ById, response: { 200: DecidedChange } },
    },
    async (request) => {
      const asker = requireOpenSubaccount(inSubaccount(request));
      const key = { subaccountId: asker.subaccount.id, id: request.params.id.toLowerCase() };
      const decision = { who: asker.who, atMs: clock() };
      const { id, accountId } = await db.transaction(async (tx) => {
        const applied = await applyBankChange({ tx, seal }, key, decision);
        await recordAct({ tx, seal }, actOf(asker, deciding("account.approve", applied)));
        return applied;
      });
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
      const asker = inSubaccount(request);
      const key = { subaccountId: asker.subaccount.id, id: request.params.id.toLowerCase() };
      const decision = { who: asker.who, atMs: clock(), reason: request.body.reason };
      const { id, status, accountId } = await db.transaction(async (tx) => {
        const declined = await declineBankChange({ tx, seal }, key, decision);
        const { reason } = decision;
        const doing = deciding("account.decline", declined, { reason });
        await recordAct({ tx, seal }, actOf(asker, doing));
        return declined;
      });
      return { id, status, account_id: accountId };
    },
  );
}

function toAnswer({ changeId, warnings }: Proposed): ProposedChange {
  return { change_id: changeId, status: "awaiting_approval", warnings };
}

function toLine(change: BankChange): BankChangeLine {
  const { id, receiverId, accountId, accountVersion, proposal, tail, country } = change;
  return {
    ...{ id, receiver_id: receiverId, account_id: accountId, is_new: accountVersion === null },
    ...{ account_number: maskedNumber(tail), country, changes: proposal?.changes ?? [] },
    ...{ is_unreadable: proposal === undefined },
    ...{ made_by: change.madeBy, made_at: change.madeAtMs, status: change.status },
    ...{ decided_by: change.decidedBy, decided_at: change.decidedAtMs, reason: change.reason },
  };
}
