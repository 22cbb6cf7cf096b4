// GET /api/receiver/<id>, GET /api/receiver, POST /api/receiver

import Type from "typebox";
import type { Db } from "../db/connect.ts";
import { type Api, ById, success } from "../http/api.ts";
import { limits } from "../limits.ts";
import { type Code, Refusal } from "../refusals.ts";
import type { CreateReceiver } from "./create.ts";
import type { FindReceiver } from "./find.ts";
import { listReceivers } from "./queries.ts";
import { kycStatuses, readState, receiverStatuses } from "./receiver.ts";
import {
  CreatedReceiver,
  NewReceiver,
  Receiver,
  ReceiverFilter,
  readCursor,
  writeCursor,
} from "./schema.ts";

export type ReceiverParts = {
  db: Db;
  findReceiver: FindReceiver;
  createReceiver: CreateReceiver;
};

const tags = ["Receivers"];
/** Above every id there can be: the first page starts here. */
const newestId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export function receiverRoutes(
  api: Api,
  { db, findReceiver, createReceiver }: ReceiverParts,
): void {
  api.get(
    "/api/receiver/:id",
    {
      config: {
        failure: "get receiver failed",
        scope: "read",
        refusals: ["REVR101", "REVR102"],
      },
      schema: {
        operationId: "getReceiver",
        tags,
        summary: "Get receiver by id",
        params: ById,
        response: { 200: success(Receiver) },
      },
    },
    async ({ caller, params }) => {
      if (params.id === "") throw new Refusal("REVR102");
      const receiver = await findReceiver({ subaccountId: caller.subaccountId, id: params.id });
      if (!receiver) throw new Refusal("REVR101");
      return { message: "get receiver successful", payload: receiver };
    },
  );

  api.get(
    "/api/receiver",
    {
      config: {
        failure: "get receivers failed",
        scope: "read",
        refusals: ["REVR401", "REVR402", "REVR403", "REVR404", "REVR405"],
      },
      schema: {
        operationId: "listReceivers",
        tags,
        summary: "List receivers",
        description:
          "Newest first. The next page, where there is one, is named by the link header.",
        querystring: ReceiverFilter,
        response: { 200: success(Type.Array(Receiver)) },
      },
    },
    async ({ caller, query }, reply) => {
      const limit = query.limit === undefined ? limits.listDefault : Number(query.limit);
      const receivers = await listReceivers(db, {
        subaccountId: caller.subaccountId,
        states: wantedStates(query),
        beforeId: (query.cursor && readCursor(query.cursor)) ?? newestId,
        // One more than asked for tells whether there is a next page.
        limit: limit + 1,
      });
      const payload = receivers.slice(0, limit);
      const last = payload.at(-1);
      if (last && receivers.length > limit) {
        const next = new URLSearchParams({ ...query, cursor: writeCursor(last.id) });
        reply.header("link", `</api/receiver?${next}>; rel="next"`);
      }
      return { message: "get receivers successful", payload };
    },
  );

  api.post(
    "/api/receiver",
    {
      config: {
        failure: "there was an error while creating a receiver",
        scope: "write",
        badBody: "REVR232",
        refusals: ["REVR201", ...codesOf(NewReceiver), "REVR231", "REVR232", "AUTH107"],
      },
      schema: {
        operationId: "createReceiver",
        tags,
        summary: "Create receiver",
        body: NewReceiver,
        response: { 200: success(CreatedReceiver) },
      },
    },
    async ({ caller, body }) => {
      const receiver_id = await createReceiver(caller, body);
      const kyc_status = String(kycStatuses.indexOf("pending"));
      return { message: "receiver created successfully", payload: { receiver_id, kyc_status } };
    },
  );
}

/** The pairs of states that a filter lets through; undefined when it lets all through. */
function wantedStates({ status, kyc_status }: ReceiverFilter) {
  if (status === undefined && kyc_status === undefined) return undefined;
  const wanted = status && readState(receiverStatuses, status);
  const wantedKyc = kyc_status && readState(kycStatuses, kyc_status);
  return receiverStatuses
    .filter((candidate) => !wanted || candidate === wanted)
    .flatMap((status) =>
      kycStatuses
        .filter((candidate) => !wantedKyc || candidate === wantedKyc)
        .map((kycStatus) => ({ status, kycStatus })),
    );
}

function codesOf(schema: typeof NewReceiver): Code[] {
  return Object.values(schema.properties).flatMap((field) =>
    Object.values((field as { codes?: Record<string, Code> }).codes ?? {}),
  );
}
