// POST /console/api/bank-requests/<id>/approve and /decline: a second user decides about what waits at a bank

import { confirmBankRequest } from "../../../banking/inbound-files/index.ts";
import { declineBankRequest } from "../../../banking/requests/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { actRoute } from "../act-route.ts";
import type { WriteParts } from "../write-parts.ts";

const base = "/console/api/bank-requests/:id";

export function bankRequestRoutes(api: Api, parts: WriteParts): void {
  actRoute(api, parts, `POST ${base}/approve`, confirmBankRequest);
  actRoute(api, parts, `POST ${base}/decline`, declineBankRequest);
}
