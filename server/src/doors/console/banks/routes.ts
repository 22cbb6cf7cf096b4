// /console/api/banks: bank connections and the changes of them that wait
// /console/api/banks/batches: bank batches, their files, and what a user may do with them

import {
  approveConnectionRequest,
  askChangedBank,
  askEnabledBank,
  askNewBank,
  declineConnectionRequest,
  disableBank,
  requireConnection,
} from "../../../banking/connections/index.ts";
import {
  approveFile,
  discardFile,
  downloadFile,
  freezeBank,
  listBatches,
  openStatuses,
  readFile,
  recordFileSent,
  viewFile,
} from "../../../banking/files/index.ts";
import { type Clock, newestId } from "../../../platform/base/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { actRoute } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import { type ConsoleAccess, idIn, sendAttachment } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { findBatchDetail, presentBatches, presentFileLine, reviewBatch } from "./batch.ts";
import { listBanks, listFormats, presentConnectionFields } from "./connections.ts";
import { listFileLines } from "./queries.ts";
import {
  BankBatchDetail,
  BankBatchLine,
  BankBatchQuery,
  BankList,
  BatchReview,
  ConnectionFields,
  FileLineQuery,
  FormatList,
  ShownFileLine,
} from "./schema.ts";

const base = "/console/api/banks";
const batch = `${base}/batches/:id`;

export function bankRoutes(api: Api, parts: WriteParts): void {
  connectionRoutes(api, parts);
  batchRoutes(api, parts);
}

function connectionRoutes(api: Api, parts: WriteParts): void {
  const { clock } = parts;
  const writing = { may: "banks.write" } as const;

  api.get(
    base,
    { config: { may: "banks.read" }, schema: { response: { 200: BankList } } },
    async () => listBanks(parts, clock()),
  );

  api.get(
    `${base}/formats`,
    { config: writing, schema: { response: { 200: FormatList } } },
    async () => listFormats(),
  );

  api.get(
    `${base}/connections/:id`,
    { config: writing, schema: { params: ById, response: { 200: ConnectionFields } } },
    async ({ params }) =>
      presentConnectionFields(await requireConnection(parts, idIn(params, "BANK102"))),
  );

  actRoute(api, parts, `POST ${base}/connections`, askNewBank);
  actRoute(api, parts, `PATCH ${base}/connections/:id`, askChangedBank);
  actRoute(api, parts, `POST ${base}/connections/:id/enable`, askEnabledBank);
  actRoute(api, parts, `POST ${base}/connections/:id/disable`, disableBank);
  actRoute(api, parts, `POST ${base}/connections/:id/freeze`, freezeBank);
  actRoute(api, parts, `POST ${base}/requests/:id/approve`, approveConnectionRequest);
  actRoute(api, parts, `POST ${base}/requests/:id/decline`, declineConnectionRequest);
}

function batchRoutes(api: Api, parts: WriteParts): void {
  const { db, clock } = parts;
  const reading = { may: "banks.read" } as const;

  listRoute(api, `${base}/batches`, {
    ...reading,
    query: BankBatchQuery,
    row: BankBatchLine,
    find: ({
      query: { state, connection_id: connectionId, cursor: beforeId = newestId },
      limit,
    }) => {
      const statuses = state === "all" ? undefined : openStatuses;
      return listBatches(db, { connectionId, statuses, beforeId, limit });
    },
    present: (rows) => presentBatches(db, rows, clock()),
  });

  api.get(
    batch,
    { config: reading, schema: { params: ById, response: { 200: BankBatchDetail } } },
    async ({ access, params }) => findBatchDetail(db, batchIdOf(params), viewerOf(access, clock)),
  );

  listRoute(api, `${batch}/lines`, {
    ...reading,
    query: FileLineQuery,
    row: ShownFileLine,
    find: ({ params, query: { cursor = 0 }, limit }) =>
      listFileLines(db, { batchId: batchIdOf(params), afterLine: Number(cursor), limit }),
    cursorOf: ({ line }) => String(line),
    present: (rows) => rows.map(presentFileLine),
  });

  api.get(
    `${batch}/review`,
    { config: reading, schema: { params: ById, response: { 200: BatchReview } } },
    async ({ params }) => reviewBatch(db, batchIdOf(params)),
  );

  actRoute(api, parts, `POST ${batch}/raw`, viewFile);
  actRoute(api, parts, `POST ${batch}/approve`, approveFile);
  actRoute(api, parts, `POST ${batch}/download`, downloadFile, {
    send({ id, file_name: name, file_bytes }, reply) {
      return sendAttachment(reply, { name, bytes: Number(file_bytes) }, readFile(parts, id));
    },
  });
  actRoute(api, parts, `POST ${batch}/sent`, recordFileSent);
  actRoute(api, parts, `POST ${batch}/discard`, discardFile);
}

function viewerOf({ user, actor }: ConsoleAccess, clock: Clock) {
  return { user, who: actor.who, nowMs: clock() };
}

const batchIdOf = (params: { id: string }) => idIn(params, "BANK101");
