// /console/api/s/:subaccountId/batches: imports and payout batches as objects: the list, one of them, its refused rows
// and those that wait, and approving, declining or retrying all that it shows

import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import {
  approveBatchAct,
  declineBatchAct,
  listRefusals,
  listWaitingRows,
  type PayoutBatchParts,
  payoutFormat,
  type RefusalRow,
  retryBatchAct,
  type WaitingRow,
} from "../../../money/imports/index.ts";
import { toDecimal } from "../../../platform/base/index.ts";
import { guardFormula } from "../../../platform/documents/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { actRoute } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import { idIn, inSubaccount, sendCsv, sendLines } from "../route.ts";
import { readBatch, readBatchPage } from "./read.ts";
import { BatchesQuery, PayoutBatchDetail, PayoutBatchLine } from "./schema.ts";

const base = "/console/api/s/:subaccountId/batches";

export function payoutBatchRoutes(api: Api, parts: PayoutBatchParts): void {
  const { db, clock } = parts;

  listRoute(api, base, {
    query: BatchesQuery,
    row: PayoutBatchLine,
    find: ({ subaccountId, query }) => readBatchPage(db, { subaccountId, nowMs: clock() }, query),
  });

  api.get(
    `${base}/:id`,
    { config: { may: "read" }, schema: { params: ById, response: { 200: PayoutBatchDetail } } },
    async (request) => {
      const { subaccount, actor, user } = inSubaccount(request);
      const reading = { subaccountId: subaccount.id, nowMs: clock() };
      return readBatch(db, reading, idIn(request.params), { who: actor.who, user });
    },
  );

  for (const [name, list] of Object.entries(rowLists)) {
    api.get(
      `${base}/:id/${name}.csv`,
      { config: { may: "export" }, schema: { params: ById } },
      async (request, reply) => {
        const { id: subaccountId } = inSubaccount(request).subaccount;
        const key = { subaccountId, id: idIn(request.params) };
        const pages = (page: Page) => list(db, key, page);
        return sendCsv(reply, name, Readable.from(rowsAsFile(pages))) as never;
      },
    );
  }

  const asLines = {
    send: (lines: AsyncGenerator<object>, reply: unknown) => sendLines(reply, lines),
  };
  actRoute(api, parts, `POST ${base}/:id/approve`, approveBatchAct, asLines);
  actRoute(api, parts, `POST ${base}/:id/decline`, declineBatchAct, asLines);
  actRoute(api, parts, `POST ${base}/:id/retry`, retryBatchAct, asLines);
}

type Page = { afterNumber: number; limit: number };

const rowLists = { refused: listRefusals, waiting: listWaitingRows };

type ListedRow = RefusalRow | WaitingRow;

/** As a file that can be imported. Of the rows that wait, those that can be paid now. */
async function* rowsAsFile(list: (page: Page) => Promise<ListedRow[]>): AsyncGenerator<string> {
  const columns = payoutFormat.columns.map(({ name }) => name);
  yield stringify([columns]);
  for (let afterNumber = 0; ; ) {
    const rows = await list({ afterNumber, limit: limits.listMax });
    const last = rows.at(-1);
    if (!last) return;
    afterNumber = last.number;
    const ofPayouts = rows.flatMap(({ amount, currency, ...row }) =>
      amount === null || currency === null || ("state" in row && row.state !== "ready")
        ? []
        : [{ ...row, currency, amount: toDecimal(BigInt(amount), currency) }],
    );
    yield stringify(
      ofPayouts.map((row) => ({ ...row, allow_duplicate: row.allow_duplicate ? "true" : "" })),
      { columns, cast: { string: guardFormula } },
    );
  }
}
