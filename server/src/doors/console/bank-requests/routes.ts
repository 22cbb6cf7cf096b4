// POST /console/api/bank-requests/<id>/approve and /decline: a second user decides about what waits at a bank

import { type Api, ById } from "../../../platform/http/index.ts";
import { DeclineReason } from "../bank-changes/schema.ts";
import type { WriteParts } from "../write-parts.ts";
import { confirmBankRequest, declineBankRequest } from "./confirm.ts";
import { DecidedBankRequest, RequestToConfirm } from "./schema.ts";

const base = "/console/api/bank-requests/:id";

export function bankRequestRoutes(api: Api, parts: WriteParts): void {
  api.post(
    `${base}/approve`,
    {
      config: { may: "banks.release", stepUp: true },
      schema: { params: ById, body: RequestToConfirm, response: { 200: DecidedBankRequest } },
    },
    async ({ access, params, body }) => {
      const id = params.id.toLowerCase();
      return { id, status: await confirmBankRequest(parts, access, { id, seen: body.sha256 }) };
    },
  );

  api.post(
    `${base}/decline`,
    {
      config: { may: "banks.release" },
      schema: { params: ById, body: DeclineReason, response: { 200: DecidedBankRequest } },
    },
    async ({ access, params, body: { reason } }) => {
      const id = params.id.toLowerCase();
      return { id, status: await declineBankRequest(parts, access, { id, reason }) };
    },
  );
}
