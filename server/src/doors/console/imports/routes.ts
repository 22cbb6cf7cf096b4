// /console/api/s/:subaccountId/payouts/import: checks a file of payouts, then creates them after the user confirms the totals

import { Readable } from "node:stream";
import {
  type CheckedFile,
  checkFile,
  FileToCheck,
  givenFileOf,
  importLimits,
  importPayoutsAct,
  newPayeesTemplate,
  type PayoutImportParts,
  payeesFormat,
  readable,
  remarksOn,
  templateColumns,
} from "../../../money/imports/index.ts";
import { toSum } from "../../../platform/base/index.ts";
import { templateOf } from "../../../platform/fields/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { actRoute } from "../act-route.ts";
import { inSubaccount, sendCsv, sendLines } from "../route.ts";
import { presentProblem, presentReading } from "./present.ts";
import { FileCheck } from "./schema.ts";

const base = "/console/api/s/:subaccountId/payouts/import";

export function importRoutes(api: Api, parts: PayoutImportParts): void {
  const templates = { template: templateColumns, "template-new-payees": newPayeesTemplate };
  for (const [name, columns] of Object.entries(templates)) {
    api.get(`${base}/${name}.csv`, { config: { may: "read" } }, async (_request, reply) =>
      sendCsv(reply, `payouts-${name}`, Readable.from([templateOf(columns)])),
    );
  }

  api.post(
    `${base}/check`,
    {
      bodyLimit: importLimits.bodyBytesMax,
      config: { may: "payouts.create" },
      schema: { body: FileToCheck, response: { 200: FileCheck } },
    },
    async (request) => {
      const { id: subaccountId, mode } = inSubaccount(request).subaccount;
      const file = { ...givenFileOf(request.body), subaccountId, mode };
      return toWire(await readable(() => checkFile(parts, file)));
    },
  );

  actRoute(api, parts, `POST ${base}`, importPayoutsAct, {
    bodyLimit: importLimits.bodyBytesMax,
    send: (lines, reply) => sendLines(reply, lines),
  });
}

function toWire(checked: CheckedFile): FileCheck {
  const { rows, problems, problemCount, wrongRows, problemFile, balances, preview } = checked;
  const { newPayees, waiting } = checked;
  return {
    reading: presentReading(checked, payeesFormat),
    preview: preview.map(({ paidBy, amount, ...row }) => ({
      ...row,
      amount: toSum(amount),
      paid_by: paidBy
        ? {
            payout_id: paidBy.payoutId,
            import_id: paidBy.importId,
            file_name: paidBy.fileName,
            at: paidBy.atMs,
          }
        : null,
    })),
    rows,
    problems: problems.map(presentProblem),
    problem_count: problemCount,
    wrong_rows: wrongRows,
    problem_file: problemFile,
    totals: balances.map(({ currency, payouts, amount, available, short, importedBefore }) => ({
      currency,
      payouts,
      amount: toSum(amount),
      available: toSum(available),
      short: toSum(short),
      imported_before: importedBefore,
    })),
    remarks: remarksOn(balances),
    waiting: {
      count: waiting.count,
      file: waiting.file,
      rows: waiting.rows.map(({ amount, changeId: _, ...row }) => ({
        ...row,
        amount: toSum(amount),
      })),
      totals: [...waiting.totals]
        .sort()
        .map(([currency, amount]) => ({ currency, amount: toSum(amount) })),
      receivers: newPayees.receivers.size,
      accounts: newPayees.accounts.size,
    },
  };
}
