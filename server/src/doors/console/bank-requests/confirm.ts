// A second user confirms or declines what waits at a bank: a file, a decision about money, or a mapping.

import { suspenseDecisions } from "../../../banking/answers/index.ts";
import { mappingDecisions } from "../../../banking/connections/index.ts";
import { confirmFile } from "../../../banking/inbound-files/index.ts";
import {
  type BankDecision,
  type BankRequestKind,
  type BankRequestRow,
  type BankRequestStatus,
  findBankRequest,
  lockToConfirm,
  lockWaitingBankRequest,
  noteOf,
  readRequestInput,
  type StoredDecision,
  updateBankRequestDecided,
} from "../../../banking/requests/index.ts";
import { lineDecisions, openingDecision } from "../../../banking/statements/index.ts";
import { isMoneySpent } from "../../../money/ledger/index.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, type AuditNote, audited } from "../../../tenants/audit/index.ts";
import { requireOtherUser } from "../../../tenants/four-eyes/index.ts";
import { may, type Permission, type User } from "../../../tenants/roles/index.ts";
import type { WriteParts } from "../write-parts.ts";

/** The permission that deciding about each kind needs: the same as making it. */
export const permissionOfBankRequest: Readonly<Record<BankRequestKind, Permission>> = {
  file: "banks.release",
  suspense: "banks.release",
  statement_line: "banks.release",
  csv_mapping: "banks.write",
  opening: "banks.release",
};

const decisions = {
  suspense: suspenseDecisions,
  statement_line: lineDecisions,
  csv_mapping: mappingDecisions,
  opening: openingDecision(),
} as const;

type Decider = { actor: Actor; user: User };

/** `seen` is the hash of the summary that the user was shown. */
export async function confirmBankRequest(
  parts: WriteParts,
  { actor, user }: Decider,
  { id, seen }: { id: string; seen: string },
): Promise<BankRequestStatus> {
  const request = await findOwn(parts, user, id);
  if (request.status !== "waiting") throw new Refusal("CONS401");
  // Looked at again under its lock. Here it spares the work of a file.
  await requireOtherUser(parts.db, [request.made_by], { who: actor.who });
  if (request.kind === "file") await confirmFile(parts, actor, request, seen);
  else {
    const decision = decisions[request.kind] as BankDecision<unknown>;
    await confirmDecision(parts, actor, { decision, id, seen });
  }
  return "applied";
}

async function findOwn({ db }: WriteParts, user: User, id: string): Promise<BankRequestRow> {
  const request = await findBankRequest(db, id);
  if (!request) throw new Refusal("CONS110");
  if (!may(user, permissionOfBankRequest[request.kind])) throw new Refusal("CONS102");
  return request;
}

async function confirmDecision(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  { decision, id, seen }: { decision: BankDecision<unknown>; id: string; seen: string },
): Promise<void> {
  const by = { who: actor.who, atMs: clock() };
  try {
    await audited({ db, seal }, actor).transaction<AuditNote[]>(
      (notes) => notes,
      async (tx) => {
        const request = await lockToConfirm(tx, { id, seen }, by);
        const stored = readRequestInput(request, seal) as StoredDecision<unknown> | undefined;
        if (!stored) throw new Refusal("BANK503");
        const { state } = await decision.factsOf(tx, stored.input);
        if (state !== stored.state) throw new Refusal("BANK506");
        // Histories name the user who decided; the audit log has both.
        const { made_by: who } = request;
        const note = await decision.apply(tx, stored.input, { who, atMs: by.atMs });
        await updateBankRequestDecided(tx, id, { status: "applied", ...by });
        const confirmed = noteOf(id, request);
        return [
          note,
          {
            action: "bank-request.confirm",
            ...confirmed,
            after: { ...confirmed.after, made_by: who },
          },
        ];
      },
    );
  } catch (error) {
    throw isMoneySpent(error) ? new Refusal("BANK420") : error;
  }
}

/** Its maker may withdraw it. */
export async function declineBankRequest(
  parts: WriteParts,
  { actor, user }: Decider,
  { id, reason }: { id: string; reason: string },
): Promise<BankRequestStatus> {
  const { db, seal, clock } = parts;
  await findOwn(parts, user, id);
  const { status } = await audited({ db, seal }, actor).transaction<DeclinedRequest>(
    ({ request, status }) => {
      const declined = noteOf(id, request);
      const { made_by } = request;
      return {
        action: status === "withdrawn" ? "bank-request.withdraw" : "bank-request.decline",
        ...declined,
        after: { ...declined.after, made_by, reason },
      };
    },
    async (tx) => {
      const request = await lockWaitingBankRequest(tx, id);
      const status = request.made_by === actor.who ? "withdrawn" : "declined";
      await updateBankRequestDecided(tx, id, { status, who: actor.who, atMs: clock(), reason });
      return { request, status };
    },
  );
  return status;
}

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

type DeclinedRequest = { request: BankRequestRow; status: "withdrawn" | "declined" };
