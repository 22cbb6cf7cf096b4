// A second user confirms what waits at a bank: a file, a decision about money, or a mapping.

import Type from "typebox";
import { isMoneySpent } from "../../money/ledger/index.ts";
import { idField, input, required } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, call } from "../../tenants/acts/index.ts";
import { type Actor, type AuditNote, audited } from "../../tenants/audit/index.ts";
import { requireOtherUser } from "../../tenants/four-eyes/index.ts";
import { suspenseDecisions } from "../answers/index.ts";
import { mappingDecisions } from "../connections/index.ts";
import {
  type BankDecision,
  findOwnRequest,
  lockToConfirm,
  noteOf,
  ofBankRequest,
  readRequestInput,
  type StoredDecision,
  updateBankRequestDecided,
} from "../requests/index.ts";
import { lineDecisions, openingDecision } from "../statements/index.ts";
import { confirmFile } from "./upload.ts";

const decisions = {
  suspense: suspenseDecisions,
  statement_line: lineDecisions,
  csv_mapping: mappingDecisions,
  opening: openingDecision(),
} as const;

export const confirmBankRequest = call({
  ...ofBankRequest,
  name: "bank-request.confirm",
  tokens: "logins",
  summary: "confirm what waits at a bank: a file, a decision about money, or a mapping",
  stepUp: true,
  twoPeople: "Apply a file from a bank that a user uploads",
  input: input({
    id: idField("CONS110"),
    sha256: required(Type.String({ pattern: "^[0-9a-f]{64}$", description: "Of what was shown" })),
  }),
  async perform(parts: ActParts, { actor, user }: ActBy, { id, sha256: seen }) {
    const request = await findOwnRequest(parts.db, id, user);
    if (request.status !== "waiting") throw new Refusal("CONS401");
    // Looked at again under its lock. Here it spares the work of a file.
    await requireOtherUser(parts.db, [request.made_by], { who: actor.who });
    if (request.kind === "file") await confirmFile(parts, actor, request, seen);
    else {
      const decision = decisions[request.kind] as BankDecision<unknown>;
      await confirmDecision(parts, actor, { decision, id, seen });
    }
    return { id, status: "applied" };
  },
});

async function confirmDecision(
  { db, seal, clock }: ActParts,
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
