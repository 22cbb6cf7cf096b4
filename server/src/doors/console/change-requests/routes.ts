// POST /console/api/s/<id>/change-requests/<id>/approve and /decline: decide about a key, limits or an erasure

import { type Api, ById } from "../../../platform/http/index.ts";
import { DeclineReason } from "../bank-changes/schema.ts";
import { inSubaccount } from "../route.ts";
import { approveRequest, type DecideRequestParts, declineRequest } from "./decide.ts";
import { ApprovedRequest, DecidedRequest } from "./schema.ts";

const base = "/console/api/s/:subaccountId/change-requests/:id";

export function changeRequestRoutes(api: Api, parts: DecideRequestParts): void {
  api.post(
    `${base}/approve`,
    {
      config: { may: "keys.approve", stepUp: true },
      schema: { params: ById, response: { 200: ApprovedRequest } },
    },
    async (request) => {
      const id = request.params.id.toLowerCase();
      const { status, applicant } = await approveRequest(parts, inSubaccount(request), id);
      return { id, status, applicant: applicant ?? null };
    },
  );

  api.post(
    `${base}/decline`,
    {
      config: { may: "keys.approve" },
      schema: { params: ById, body: DeclineReason, response: { 200: DecidedRequest } },
    },
    async (request) => {
      const id = request.params.id.toLowerCase();
      const { reason } = request.body;
      return { id, status: await declineRequest(parts, inSubaccount(request), id, reason) };
    },
  );
}
