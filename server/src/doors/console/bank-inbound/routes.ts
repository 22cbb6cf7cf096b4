// /console/api/banks/inbound: files from banks, what each reports, and applying one

import { listInboundFiles } from "../../../banking/answers/index.ts";
import { applyBankFile } from "../../../banking/inbound-files/index.ts";
import { newestId } from "../../../platform/base/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { actRoute } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import { idIn } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { findFolderProblems } from "./folders.ts";
import { findInboundDetail, presentInboundFile, presentReport } from "./inbound.ts";
import { listBankReports } from "./queries.ts";
import {
  AppliedFile,
  BankReport,
  FolderProblems,
  InboundFileDetail,
  InboundFileLine,
  InboundFileQuery,
  ReportQuery,
} from "./schema.ts";

const base = "/console/api/banks/inbound";

export function bankInboundRoutes(api: Api, parts: WriteParts): void {
  const { db } = parts;
  const reading = { may: "banks.read" } as const;

  listRoute(api, base, {
    ...reading,
    query: InboundFileQuery,
    row: InboundFileLine,
    find: ({ query, limit }) => listInboundFiles(db, { beforeId: query.cursor ?? newestId, limit }),
    present: (rows) => rows.map(presentInboundFile),
  });

  api.get(
    `${base}/folders`,
    { config: reading, schema: { response: { 200: FolderProblems } } },
    async () => findFolderProblems(parts),
  );

  api.get(
    `${base}/:id`,
    { config: reading, schema: { params: ById, response: { 200: InboundFileDetail } } },
    async ({ params }) => findInboundDetail(db, idIn(params)),
  );

  listRoute(api, `${base}/:id/reports`, {
    ...reading,
    query: ReportQuery,
    row: BankReport,
    find: ({ params, query, limit }) =>
      listBankReports(db, { fileId: idIn(params), afterNumber: Number(query.cursor ?? 0), limit }),
    cursorOf: ({ number }) => String(number),
    present: (rows) => rows.map(presentReport),
  });

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
