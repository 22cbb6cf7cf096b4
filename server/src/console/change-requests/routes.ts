// POST /console/api/s/<id>/change-requests/<id>/approve and /decline: decide about a key or limits

import Type from "typebox";
import { type Api, ById } from "../../http/route.ts";
import { DeclineReason } from "../bank-changes/schema.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { inSubaccount } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { approveRequest, declineRequest } from "./decide.ts";

const base = "/console/api/s/:subaccountId/change-requests/:id";
const DecidedRequest = Type.Object({ id: Type.String(), status: Type.String() });
const schema = { params: ById, response: { 200: DecidedRequest } };

export function changeRequestRoutes(api: Api, parts: WriteParts): void {
  api.post(
    `${base}/approve`,
    { config: { may: "keys.approve", stepUp: true }, schema },
    async (request) => {
      const id = request.params.id.toLowerCase();
      const decider = requireOpenSubaccount(inSubaccount(request));
      return { id, status: await approveRequest(parts, decider, id) };
    },
  );

  api.post(
    `${base}/decline`,
    { config: { may: "keys.approve" }, schema: { ...schema, body: DeclineReason } },
    async (request) => {
      const id = request.params.id.toLowerCase();
      const { reason } = request.body;
      return { id, status: await declineRequest(parts, inSubaccount(request), id, reason) };
    },
  );
}
