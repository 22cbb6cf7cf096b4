// /console/api/banks: bank connections and the changes of them that wait
// /console/api/banks/batches: bank batches, their files, and what a user may do with them

import { requireConnection } from "../../../banking/connections/index.ts";
import {
  approveFile,
  discardFile,
  downloadFile,
  freezeBank,
  readFile,
  recordFileSent,
  viewFile,
} from "../../../banking/files/index.ts";
import { type Clock, isUuid } from "../../../platform/base/index.ts";
import type { Fields } from "../../../platform/fields/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { type Code, Refusal } from "../../../platform/refusals/index.ts";
import { pageSizeOf } from "../../lists/index.ts";
import { actRoute } from "../act-route.ts";
import { DeclineReason } from "../bank-changes/schema.ts";
import { type ConsoleAccess, sendAttachment } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { findBatchDetail, listBatchPage, listLinePage, reviewBatch } from "./batch.ts";
import { listBanks, listFormats, presentConnectionFields } from "./connections.ts";
import {
  approveConnectionRequest,
  declineConnectionRequest,
  disableByUser,
  requestConnectionChange,
  requestEnabledConnection,
  requestNewConnection,
} from "./request.ts";
import {
  BankBatchDetail,
  BankBatchPage,
  BankBatchQuery,
  BankList,
  BatchReview,
  ConnectionFields,
  ConnectionToAdd,
  ConnectionToChange,
  DecidedConnectionRequest,
  FileLinePage,
  FileLineQuery,
  FormatList,
  MadeRequest,
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
  const deciding = { may: "banks.write", stepUp: true } as const;

  api.get(
    base,
    { config: { may: "banks.read" }, schema: { response: { 200: BankList } } },
    async ({ access }) => listBanks(parts, viewerOf(access, clock)),
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
      presentConnectionFields(await requireConnection(parts, idOf(params, "BANK102"))),
  );

  api.post(
    `${base}/connections`,
    { config: deciding, schema: { body: ConnectionToAdd, response: { 200: MadeRequest } } },
    async ({ access, body }) => ({
      id: await requestNewConnection(parts, access.actor, body.fields as Fields),
    }),
  );

  api.patch(
    `${base}/connections/:id`,
    {
      config: deciding,
      schema: { params: ById, body: ConnectionToChange, response: { 200: MadeRequest } },
    },
    async ({ access, params, body }) => {
      const change = { id: idOf(params, "BANK102"), fields: body.fields as Fields };
      return { id: await requestConnectionChange(parts, access.actor, change) };
    },
  );

  api.post(
    `${base}/connections/:id/enable`,
    { config: deciding, schema: { params: ById, response: { 200: MadeRequest } } },
    async ({ access, params }) => ({
      id: await requestEnabledConnection(parts, access.actor, idOf(params, "BANK102")),
    }),
  );

  api.post(
    `${base}/connections/:id/disable`,
    { config: writing, schema: { params: ById } },
    async ({ access, params }, reply) => {
      await disableByUser(parts, access.actor, idOf(params, "BANK102"));
      return reply.code(204).send();
    },
  );

  actRoute(api, parts, `POST ${base}/connections/:id/freeze`, freezeBank);

  api.post(
    `${base}/requests/:id/approve`,
    { config: deciding, schema: { params: ById, response: { 200: DecidedConnectionRequest } } },
    async ({ access, params }) => {
      const id = idOf(params, "CONS110");
      return { id, status: await approveConnectionRequest(parts, access.actor, id) };
    },
  );

  api.post(
    `${base}/requests/:id/decline`,
    {
      config: writing,
      schema: { params: ById, body: DeclineReason, response: { 200: DecidedConnectionRequest } },
    },
    async ({ access, params, body: { reason } }) => {
      const id = idOf(params, "CONS110");
      return { id, status: await declineConnectionRequest(parts, access.actor, { id, reason }) };
    },
  );
}

function batchRoutes(api: Api, parts: WriteParts): void {
  const { db, clock } = parts;
  const reading = { may: "banks.read" } as const;

  api.get(
    `${base}/batches`,
    { config: reading, schema: { querystring: BankBatchQuery, response: { 200: BankBatchPage } } },
    async ({ query }) =>
      listBatchPage(db, {
        isOpenOnly: query.state !== "all",
        connectionId: query.connection_id,
        beforeId: query.cursor,
        size: pageSizeOf(query),
        nowMs: clock(),
      }),
  );

  api.get(
    batch,
    { config: reading, schema: { params: ById, response: { 200: BankBatchDetail } } },
    async ({ access, params }) => findBatchDetail(db, batchIdOf(params), viewerOf(access, clock)),
  );

  api.get(
    `${batch}/lines`,
    {
      config: reading,
      schema: { params: ById, querystring: FileLineQuery, response: { 200: FileLinePage } },
    },
    async ({ params, query }) =>
      listLinePage(db, {
        batchId: batchIdOf(params),
        afterLine: Number(query.cursor ?? 0),
        size: pageSizeOf(query),
      }),
  );

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

const batchIdOf = (params: { id: string }) => idOf(params, "BANK101");

function idOf({ id }: { id: string }, code: Code): string {
  if (!isUuid(id)) throw new Refusal(code);
  return id.toLowerCase();
}
