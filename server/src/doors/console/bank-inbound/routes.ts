// /console/api/banks/inbound: files from banks, what each reports, and applying one

import { applyBankFile } from "../../../banking/inbound-files/index.ts";
import { isUuid } from "../../../platform/base/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { pageSizeOf } from "../../lists/index.ts";
import { actRoute } from "../act-route.ts";
import type { WriteParts } from "../write-parts.ts";
import { findFolderProblems } from "./folders.ts";
import {
  findInboundDetail,
  listInboundPage,
  listReportPage,
  presentInboundFile,
} from "./inbound.ts";
import {
  AppliedFile,
  BankReportPage,
  FolderProblems,
  InboundFileDetail,
  InboundFilePage,
  InboundFileQuery,
  ReportQuery,
} from "./schema.ts";

const base = "/console/api/banks/inbound";

export function bankInboundRoutes(api: Api, parts: WriteParts): void {
  const { db } = parts;
  const reading = { may: "banks.read" } as const;

  api.get(
    base,
    {
      config: reading,
      schema: { querystring: InboundFileQuery, response: { 200: InboundFilePage } },
    },
    async ({ query }) => listInboundPage(db, { beforeId: query.cursor, size: pageSizeOf(query) }),
  );

  api.get(
    `${base}/folders`,
    { config: reading, schema: { response: { 200: FolderProblems } } },
    async () => findFolderProblems(parts),
  );

  api.get(
    `${base}/:id`,
    { config: reading, schema: { params: ById, response: { 200: InboundFileDetail } } },
    async ({ params }) => findInboundDetail(db, idOf(params)),
  );

  api.get(
    `${base}/:id/reports`,
    {
      config: reading,
      schema: { params: ById, querystring: ReportQuery, response: { 200: BankReportPage } },
    },
    async ({ params, query }) =>
      listReportPage(db, {
        fileId: idOf(params),
        afterNumber: Number(query.cursor ?? 0),
        size: pageSizeOf(query),
      }),
  );

  actRoute(api, parts, `POST ${base}`, applyBankFile, {
    bodyLimit: limits.batchBodyBytesMax,
    response: AppliedFile,
    answer: ({ file, isNew, requestId = null }) => ({
      file: file ? presentInboundFile(file) : null,
      is_new: isNew,
      request_id: requestId,
    }),
  });
}

function idOf({ id }: { id: string }): string {
  if (!isUuid(id)) throw new Refusal("CONS110");
  return id.toLowerCase();
}
