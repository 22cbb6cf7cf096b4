// The routes of /api/receiver: create, read, list, change, delete, restart the identity check, and the history.

import Type from "typebox";
import type { KycProviders } from "../../../people/kyc-providers/index.ts";
import {
  type Changing,
  CreatedReceiver,
  type CreateReceiver,
  changeReceiver,
  DeletedReceiver,
  disableReceiver,
  type FindReceiver,
  findPersonKey,
  HistoryEntry,
  HistoryFilter,
  type HistoryRow,
  KycRestart,
  kycCode,
  listHistory,
  listReceivers,
  NewReceiver,
  personAnswers,
  Receiver,
  ReceiverChange,
  ReceiverFilter,
  type ReceiverKey,
  restartKyc,
  toPageRequest,
} from "../../../people/receivers/index.ts";
import type { Screener } from "../../../people/screening/index.ts";
import {
  beforeIdOf,
  type Caller,
  type Clock,
  isUuid,
  whoOf,
} from "../../../platform/base/index.ts";
import { tracedFor } from "../../../platform/batching/index.ts";
import {
  cursorOfId,
  cutPage,
  type Db,
  type Runner,
  readLimitOf,
  type Tx,
} from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import {
  type Api,
  ById,
  codesOf,
  linkNextPage,
  sendJson,
  sendWritten,
  success,
} from "../../../platform/http/index.ts";
import { once, type StoredResponse } from "../../../platform/idempotency/index.ts";
import { type Code, Refusal } from "../../../platform/refusals/index.ts";
import { withoutName } from "../../../tenants/audit/index.ts";

type ReceiverParts = {
  db: Db;
  seal: Seal;
  clock: Clock;
  providers: KycProviders;
  findReceiver: FindReceiver;
  createReceiver: CreateReceiver;
  screener: Screener;
  /** Called after a commit that may have made a KYC step due. */
  onDue?: (() => void) | undefined;
};

const tags = ["Receivers"];

export function receiverRoutes(api: Api, parts: ReceiverParts): void {
  const { db, seal, clock, providers, findReceiver, createReceiver, screener, onDue } = parts;

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
    async ({ caller, params }, reply) => {
      if (params.id === "") throw new Refusal("REVR102");
      const response = await findReceiver(
        { subaccountId: caller.subaccountId, id: params.id },
        caller.trace,
      );
      if (response === undefined) throw new Refusal("REVR101");
      return sendJson(reply, response) as never;
    },
  );

  api.get(
    "/api/receiver",
    {
      config: {
        failure: "get receivers failed",
        scope: "read",
        refusals: [...codesOf(ReceiverFilter), "REVR405"],
      },
      schema: {
        operationId: "listReceivers",
        tags,
        summary: "List receivers",
        description: "Newest first. If there is a next page, the link header names it.",
        querystring: ReceiverFilter,
        response: { 200: success(Type.Array(Receiver)) },
      },
    },
    async ({ caller, query }, reply) => {
      const page = toPageRequest(caller.subaccountId, query);
      const found = await listReceivers({ db: tracedFor(db, caller), seal }, page);
      const { rows: payload, next } = await cutPage(found, page.limit - 1, cursorOfId);
      linkNextPage(reply, "/api/receiver", query, next);
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
        refusals: ["REVR201", ...codesOf(NewReceiver), "REVR231", "REVR232"],
      },
      schema: {
        operationId: "createReceiver",
        tags,
        summary: "Create receiver",
        body: NewReceiver,
        response: { 200: success(CreatedReceiver) },
      },
    },
    async ({ caller, body }, reply) => sendWritten(reply, await createReceiver(caller, body)),
  );

  api.patch(
    "/api/receiver/:id",
    {
      config: {
        failure: "update receiver failed",
        scope: "write",
        badBody: "REVR232",
        refusals: [
          ...["REVR101", "REVR102", "REVR201", "REVR302", "REVR306"],
          ...[...codesOf(ReceiverChange), "REVR231", "REVR232"],
        ] as Code[],
      },
      schema: {
        operationId: "updateReceiver",
        tags,
        summary: "Change a receiver",
        description:
          "Only the fields that you send change. A new name or date of birth resets the " +
          "identity check to pending. `status` deactivates or reactivates a receiver.",
        params: ById,
        body: ReceiverChange,
        response: { 200: success(Receiver) },
      },
    },
    async ({ caller, params, body }, reply) =>
      sendWritten(
        reply,
        await change(
          caller,
          params.id,
          async (tx, key, changing) => ({
            message: "receiver updated successfully",
            payload: await changeReceiver(tx, key, body, changing),
          }),
          { respondsWithPerson: true },
        ),
      ),
  );

  api.delete(
    "/api/receiver/:id",
    {
      config: {
        failure: "delete receiver failed",
        scope: "write",
        refusals: ["REVR101", "REVR102", "REVR301", "REVR302", "REVR306"],
      },
      schema: {
        operationId: "deleteReceiver",
        tags,
        summary: "Deactivate a receiver",
        description:
          "The receiver becomes inactive and can no longer be paid. Its email stays taken. " +
          "Repeating the request changes nothing.",
        params: ById,
        response: { 200: success(DeletedReceiver) },
      },
    },
    async ({ caller, params }, reply) =>
      sendWritten(
        reply,
        await change(caller, params.id, async (tx, key, changing) => {
          const { status } = await disableReceiver(tx, key, changing);
          const payload = { receiver_id: key.id, status };
          return { message: "receiver deleted successfully", payload };
        }),
      ),
  );

  api.post(
    "/api/receiver/:id/kyc",
    {
      config: {
        failure: "restart kyc failed",
        scope: "write",
        badBody: "REVR232",
        emptyBody: true,
        refusals: ["REVR101", "REVR102", "REVR231", "REVR232", "REVR302", "REVR306"],
      },
      schema: {
        operationId: "restartKyc",
        tags,
        summary: "Restart a failed identity check",
        params: ById,
        body: KycRestart,
        response: { 200: success(CreatedReceiver) },
      },
    },
    async ({ caller, params }, reply) =>
      sendWritten(
        reply,
        await change(caller, params.id, async (tx, key, changing) => {
          await restartKyc(tx, key, changing);
          const payload = { receiver_id: key.id, kyc_status: kycCode("pending") };
          return { message: "kyc restarted successfully", payload };
        }),
      ),
  );

  api.get(
    "/api/receiver/:id/history",
    {
      config: {
        failure: "get receiver history failed",
        scope: "read",
        refusals: ["REVR101", "REVR102", ...codesOf(HistoryFilter), "REVR405"],
      },
      schema: {
        operationId: "listReceiverHistory",
        tags,
        summary: "List the changes of a receiver",
        description: "Newest first, the creation last. The link header names the next page.",
        params: ById,
        querystring: HistoryFilter,
        response: { 200: success(Type.Array(HistoryEntry)) },
      },
    },
    async ({ caller, params: { id }, query }, reply) => {
      if (id === "") throw new Refusal("REVR102");
      const key = { subaccountId: caller.subaccountId, id };
      const page = { beforeId: beforeIdOf(query), limit: readLimitOf(query) };
      const found = isUuid(id) ? await listHistory(tracedFor(db, caller), key, page) : [];
      if (found.length === 0 && !(await findReceiver(key, caller.trace)))
        throw new Refusal("REVR101");
      const { rows, next } = await cutPage(found, page.limit - 1, cursorOfId);
      linkNextPage(reply, `/api/receiver/${id}/history`, query, next);
      return {
        message: "get receiver history successful",
        payload: rows.map(presentHistoryEntry),
      };
    },
  );

  /** Runs the change once, in one transaction, and then wakes the KYC worker. */
  async function change(
    caller: Caller,
    id: string,
    work: (
      tx: Tx,
      key: ReceiverKey,
      changing: Changing & { screener: Screener; seal: Seal },
    ) => Promise<object>,
    { respondsWithPerson = false } = {},
  ): Promise<StoredResponse> {
    if (id === "") throw new Refusal("REVR102");
    if (!isUuid(id)) throw new Refusal("REVR101");
    const key = { subaccountId: caller.subaccountId, id: id.toLowerCase() };
    const changing = { who: whoOf(caller), providers, screener, seal, atMs: clock() };
    const findKey = (runner: Runner) => findPersonKey({ db: runner, seal }, key);
    const answers = personAnswers({ db, findKey, erased: "REVR306" });
    const options = respondsWithPerson ? { answers } : {};
    const written = await once(db, caller, (tx) => work(tx, key, changing), options);
    onDue?.();
    return written;
  }
}

function presentHistoryEntry(row: HistoryRow): HistoryEntry {
  return {
    id: row.id,
    when: row.at_ms,
    // Callers see that a user did it, not which one.
    who: withoutName(row.who),
    reason: row.reason,
    from: row.from_status &&
      row.from_kyc_status && { status: row.from_status, kyc_status: row.from_kyc_status },
    to: { status: row.to_status, kyc_status: row.to_kyc_status },
  };
}
