// /console/api/s/:subaccountId/payouts/import: checks a CSV file of payouts, then creates them after the user confirms the totals

import { Readable } from "node:stream";
import {
  type CheckedFile,
  checkFile,
  remarksOn,
  templateColumns,
} from "../../../money/imports/index.ts";
import { toSum } from "../../../platform/base/index.ts";
import { templateOf } from "../../../platform/fields/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { consoleCallerOf, inSubaccount, sendCsv, sendLines } from "../route.ts";
import { readable } from "./readable.ts";
import { type ImportParts, releaseFile } from "./run.ts";
import { FileCheck, FileToCheck, FileToImport } from "./schema.ts";

const base = "/console/api/s/:subaccountId/payouts/import";

export function importRoutes(api: Api, parts: ImportParts): void {
  api.get(`${base}/template.csv`, { config: { may: "read" } }, async (_request, reply) =>
    sendCsv(reply, "payouts-template", Readable.from([templateOf(templateColumns)])),
  );

  api.post(
    `${base}/check`,
    {
      bodyLimit: limits.batchBodyBytesMax,
      config: { may: "payouts.create" },
      schema: { body: FileToCheck, response: { 200: FileCheck } },
    },
    async (request) => {
      const { id: subaccountId, mode } = inSubaccount(request).subaccount;
      const { csv } = request.body;
      return toWire(await readable(() => checkFile(parts, { subaccountId, mode, csv })));
    },
  );

  api.post(
    base,
    {
      bodyLimit: limits.batchBodyBytesMax,
      config: { may: "payouts.create", stepUp: true },
      schema: { body: FileToImport },
    },
    async (request, reply) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      const { actor, stillMay } = access;
      const releasing = { actor, caller: consoleCallerOf(access), stillMay };
      const lines = await readable(() => releaseFile(parts, releasing, request.body));
      return sendLines(reply, lines) as never;
    },
  );
}

function toWire(checked: CheckedFile): FileCheck {
  const { rows, problems, problemCount, balances, preview } = checked;
  return {
    preview: preview.map((row) => ({ ...row, amount: toSum(row.amount) })),
    rows,
    problems,
    problem_count: problemCount,
    totals: balances.map(({ currency, payouts, amount, available, short, importedBefore }) => ({
      currency,
      payouts,
      amount: toSum(amount),
      available: toSum(available),
      short: toSum(short),
      imported_before: importedBefore,
    })),
    remarks: remarksOn(balances),
  };
}
