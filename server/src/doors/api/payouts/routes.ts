// The routes of /api/payout: create, validate, read, list, cancel, and the history.

import Type from "typebox";
import {
  type BatchRow,
  CreatedPayout,
  CreatedPayoutBatch,
  type CreatePayout,
  cancelPayout,
  createBatch,
  findPayouts,
  listPayoutHistory,
  listPayouts,
  NewPayout,
  NewPayoutBatch,
  Payout,
  PayoutBatch,
  PayoutFilter,
  PayoutHistoryEntry,
  type PayoutHistoryRow,
  type PayoutKey,
  type PayoutParts,
  presentPayout,
  readBatchRows,
  sumBatch,
  toPayoutPage,
  toPayoutRequest,
  ValidatedPayout,
  validatePayout,
} from "../../../money/payouts/index.ts";
import { type Clock, idTimeMs, isUuid, toNumber, whoOf } from "../../../platform/base/index.ts";
import { batch, spanOf, tracedFor } from "../../../platform/batching/index.ts";
import { cursorOfId, cutPage, type Db } from "../../../platform/db/index.ts";
import { csvPage } from "../../../platform/documents/index.ts";
import { givenFieldsIn } from "../../../platform/fields/index.ts";
import {
  type Api,
  ById,
  codesOf,
  linkNextPage,
  sendCsvList,
  sendWritten,
  success,
  wantsCsv,
} from "../../../platform/http/index.ts";
import { once } from "../../../platform/idempotency/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { someMetadata } from "../../../platform/metadata/index.ts";
import { type Code, Refusal } from "../../../platform/refusals/index.ts";
import { withoutName } from "../../../tenants/audit/index.ts";

type PayoutRouteParts = Pick<PayoutParts, "rails" | "onDue"> & {
  db: Db;
  clock: Clock;
  createPayout: CreatePayout;
};

const tags = ["Payouts"];
// Metadata has keys of its own, which are no columns.
const { metadata: _metadata, ...payoutColumns } = Payout.properties;
const payoutColumnNames = Object.keys(payoutColumns) as (keyof Payout)[];
const creationCodes: Code[] = [
  ...codesOf(NewPayout),
  ...(["PAYO212", "PAYO213", "PAYO221", "PAYO222", "PAYO223", "PAYO224"] as const),
  ...([
    "PAYO225",
    "PAYO226",
    "PAYO227",
    "PAYO228",
    "PAYO231",
    "PAYO233",
    "PAYO234",
    "PAYO235",
  ] as const),
];

export function payoutRoutes(api: Api, parts: PayoutRouteParts): void {
  const { db, clock, rails, createPayout, onDue } = parts;
  const observe = db.listeners.metrics?.batchSize("payouts-find");
  const span = spanOf<Awaited<ReturnType<typeof findPayouts>>[number]>(db, "payouts-find");
  const find = batch((keys: PayoutKey[]) => findPayouts(db, keys), undefined, { observe, span });

  api.post(
    "/api/payout/single",
    {
      config: {
        failure: "there was an error while creating a payout",
        scope: "payout",
        badBody: "PAYO213",
        refusals: creationCodes,
      },
      schema: {
        operationId: "createPayout",
        tags,
        summary: "Create a payout",
        description:
          "Holds the amount at once. The order of checks is: receiver, account, bank, " +
          "currency, fee, limits, duplicate, funds.",
        body: NewPayout,
        response: { 200: success(CreatedPayout) },
      },
    },
    async ({ caller, body }, reply) =>
      sendWritten(reply, await createPayout(caller, toPayoutRequest(body))),
  );

  api.post(
    "/api/payout/validate",
    {
      attachValidation: true,
      config: {
        failure: "there was an error while validating a payout",
        scope: "read",
        badBody: "PAYO213",
        isDryRun: true,
        refusals: ["PAYO213"],
      },
      schema: {
        operationId: "validatePayout",
        tags,
        summary: "Validate a payout",
        description:
          "A dry run: decides as `POST /api/payout/single` would now, and writes nothing. The response lists every " +
          "reason for which the payout would be refused, with the codes of the creation, and shows its fee.",
        body: NewPayout,
        response: { 200: success(ValidatedPayout) },
      },
    },
    async (request) => {
      const { caller } = request;
      const parts = { db: tracedFor(db, caller), rails };
      return {
        message: "payout validated successfully",
        payload: await validatePayout(parts, caller, givenFieldsIn(request)),
      };
    },
  );

  api.post(
    "/api/payout/batch",
    {
      bodyLimit: limits.batchBodyBytesMax,
      config: {
        failure: "there was an error while creating a batch of payouts",
        scope: "payout",
        badBody: "PAYO213",
        rowsIn: ({ payouts }: { payouts?: unknown }) =>
          Array.isArray(payouts) ? Math.min(payouts.length, limits.payoutBatchMax) : 1,
        refusals: ["PAYO214", ...creationCodes, "RATE102", "RATE103"],
      },
      schema: {
        operationId: "createPayoutBatch",
        tags,
        summary: "Create a payout batch, all or none",
        description:
          "Checks every row before it creates any payout. An error names its row: " +
          "`payouts[3].amount`.",
        body: NewPayoutBatch,
        response: { 200: success(CreatedPayoutBatch) },
      },
    },
    async ({ caller, body, batchTurn }, reply) => {
      const written = await batchTurn.use(async () => {
        const rows = await readBatchRows(body.payouts);
        const endApart = createPayout.keepApart(caller.subaccountId);
        return once(db, caller, async (tx) => ({
          message: "payouts created successfully",
          payload: await createBatch(
            tx,
            rails,
            caller,
            rows,
            batchTurn.pace,
            someMetadata(body.metadata),
          ),
        })).finally(endApart);
      });
      onDue?.();
      return sendWritten(reply, written);
    },
  );

  api.get(
    "/api/payout/batch/:id",
    {
      config: { failure: "get payout batch failed", scope: "read", refusals: ["PAYO102"] },
      schema: {
        operationId: "getPayoutBatch",
        tags,
        summary: "Get the state of a payout batch",
        description: "`GET /api/payout?batch_id=` lists its payouts.",
        params: ById,
        response: { 200: success(PayoutBatch) },
      },
    },
    async ({ caller, params: { id } }) => {
      const key = { subaccountId: caller.subaccountId, id: id.toLowerCase() };
      const rows = isUuid(id) ? await sumBatch(tracedFor(db, caller), key) : [];
      if (rows.length === 0) throw new Refusal("PAYO102");
      return { message: "get payout batch successful", payload: presentBatch(key.id, rows) };
    },
  );

  api.get(
    "/api/payout/:id",
    {
      config: { failure: "get payout failed", scope: "read", refusals: ["PAYO101"] },
      schema: {
        operationId: "getPayout",
        tags,
        summary: "Get payout by id",
        params: ById,
        response: { 200: success(Payout) },
      },
    },
    async ({ caller, params: { id } }) => {
      const key = { subaccountId: caller.subaccountId, id };
      const row = isUuid(id) ? await find(key, caller.trace) : undefined;
      if (!row) throw new Refusal("PAYO101");
      return { message: "get payout successful", payload: presentPayout(row) };
    },
  );

  api.get(
    "/api/payout",
    {
      config: {
        failure: "get payouts failed",
        scope: "read",
        csv: true,
        refusals: [...codesOf(PayoutFilter), "PAYO120"],
      },
      schema: {
        operationId: "listPayouts",
        tags,
        summary: "List payouts",
        description:
          "Newest first. The link header names the next page. With `accept: text/csv` the response is CSV.",
        querystring: PayoutFilter,
        response: { 200: success(Type.Array(Payout)) },
      },
    },
    async ({ caller, query, headers }, reply) => {
      const page = toPayoutPage(caller.subaccountId, query);
      const found = await listPayouts(tracedFor(db, caller), page);
      const { rows, next } = await cutPage(found, page.limit - 1, cursorOfId);
      linkNextPage(reply, "/api/payout", query, next);
      const payload = rows.map(presentPayout);
      if (wantsCsv(headers.accept)) return sendCsvList(reply, csvPage(payoutColumnNames, payload));
      return { message: "get payouts successful", payload };
    },
  );

  api.post(
    "/api/payout/:id/cancel",
    {
      config: {
        failure: "cancel payout failed",
        scope: "payout",
        refusals: ["PAYO101", "PAYO301"],
      },
      schema: {
        operationId: "cancelPayout",
        tags,
        summary: "Cancel a payout that has not been sent",
        params: ById,
        response: { 200: success(Payout) },
      },
    },
    async ({ caller, params: { id } }, reply) => {
      if (!isUuid(id)) throw new Refusal("PAYO101");
      const key = { subaccountId: caller.subaccountId, id: id.toLowerCase() };
      const written = await once(db, caller, async (tx) => ({
        message: "payout cancelled successfully",
        payload: await cancelPayout(tx, key, { who: whoOf(caller), atMs: clock() }),
      }));
      return sendWritten(reply, written);
    },
  );

  api.get(
    "/api/payout/:id/history",
    {
      config: { failure: "get payout history failed", scope: "read", refusals: ["PAYO101"] },
      schema: {
        operationId: "listPayoutHistory",
        tags,
        summary: "List the changes of a payout",
        description: "Newest first, the creation last.",
        params: ById,
        response: { 200: success(Type.Array(PayoutHistoryEntry)) },
      },
    },
    async ({ caller, params: { id } }) => {
      const key = { subaccountId: caller.subaccountId, id };
      const rows = isUuid(id) ? await listPayoutHistory(tracedFor(db, caller), key) : [];
      if (rows.length === 0) throw new Refusal("PAYO101");
      return { message: "get payout history successful", payload: rows.map(presentHistoryEntry) };
    },
  );
}

function presentBatch(id: string, rows: readonly BatchRow[]): PayoutBatch {
  const count = (group: readonly BatchRow[]) =>
    group.reduce((sum, { count }) => sum + Number(count), 0);
  const amount = (group: readonly BatchRow[]) =>
    toNumber(group.reduce((sum, { amount }) => sum + BigInt(amount), 0n));
  const by = (key: "currency" | "status") => [...Map.groupBy(rows, (row) => row[key])];
  return {
    id,
    created_at: String(idTimeMs(id)),
    count: count(rows),
    totals: by("currency").map(([currency, group]) => ({
      currency,
      count: count(group),
      amount: amount(group),
    })),
    statuses: by("status").map(([status, group]) => ({ status, count: count(group) })),
    ...(rows[0]?.metadata && { metadata: rows[0].metadata }),
  };
}

function presentHistoryEntry(row: PayoutHistoryRow): PayoutHistoryEntry {
  return {
    id: row.id,
    when: row.at_ms,
    who: withoutName(row.who),
    reason: row.reason,
    from: row.from_status && row.from_stage && { status: row.from_status, stage: row.from_stage },
    to: { status: row.to_status, stage: row.to_stage },
  };
}
