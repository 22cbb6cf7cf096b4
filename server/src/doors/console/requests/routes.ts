// /console/api/s/<subaccount>/requests: API requests, failures by code, and one request

import Type from "typebox";
import type { Clock } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { findRequest } from "../../../tenants/request-log/index.ts";
import {
  ErrorsFilter,
  RequestDetail,
  RequestErrors,
  RequestLine,
  RequestsFilter,
  RequestsPage,
  type RequestTimeRange,
  readErrors,
  readRequestPage,
  requestCsvColumns,
  toRequestCells,
} from "../../request-list/index.ts";
import { listRoute } from "../list-route.ts";
import { idIn, inSubaccount } from "../route.ts";
import { toDetail } from "./detail.ts";

type RequestScreenParts = {
  db: Db;
  clock: Clock;
  /** The base URL of the API. */
  origin: () => string;
};

const OfSubaccount = Type.Object({ subaccountId: Type.String() });
const OfRequest = Type.Object({ subaccountId: Type.String(), id: Type.String() });

export function requestScreenRoutes(api: Api, { db, clock, origin }: RequestScreenParts): void {
  listRoute(api, "/console/api/s/:subaccountId/requests", {
    query: RequestsFilter,
    row: RequestLine,
    page: RequestsPage,
    find: ({ subaccountId, query }) => readRequestPage(db, subaccountId, query),
    csv: { name: "requests", columns: requestCsvColumns, cells: toRequestCells },
  });

  api.get(
    "/console/api/s/:subaccountId/requests/errors",
    {
      config: { may: "read" },
      schema: {
        params: OfSubaccount,
        querystring: ErrorsFilter,
        response: { 200: RequestErrors },
      },
    },
    async (request) => {
      const within = (request.query.within ?? "24h") as RequestTimeRange;
      return readErrors({ db, clock }, inSubaccount(request).subaccount.id, within);
    },
  );

  api.get(
    "/console/api/s/:subaccountId/requests/:id",
    {
      config: { may: "read" },
      schema: { params: OfRequest, response: { 200: RequestDetail } },
    },
    async (request) => {
      const key = { subaccountId: inSubaccount(request).subaccount.id, id: idIn(request.params) };
      const row = await findRequest(db, key);
      if (!row) throw new Refusal("CONS110");
      return toDetail(row, origin());
    },
  );
}
