// /console/api/s/:subaccountId/accounts/import: checks a file of accounts, then adds those without problems, which wait for approval

import { Readable } from "node:stream";
import {
  accountsFormat,
  type CheckedAccounts,
  checkAccounts,
  FileToCheck,
  givenFileOf,
  importAccountsAct,
  importLimits,
  type ReceiverImportParts,
  readable,
} from "../../../money/imports/index.ts";
import { templateOf } from "../../../platform/fields/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { actRoute } from "../act-route.ts";
import { inSubaccount, sendCsv, sendLines } from "../route.ts";
import { presentProblem, presentReading } from "./present.ts";
import { AccountFileCheck } from "./schema.ts";

const base = "/console/api/s/:subaccountId/accounts/import";

export function accountImportRoutes(api: Api, parts: ReceiverImportParts): void {
  api.get(`${base}/template.csv`, { config: { may: "read" } }, async (_request, reply) =>
    sendCsv(reply, "accounts-template", Readable.from([templateOf(accountsFormat.columns)])),
  );

  api.post(
    `${base}/check`,
    {
      bodyLimit: importLimits.bodyBytesMax,
      config: { may: "accounts.propose" },
      schema: { body: FileToCheck, response: { 200: AccountFileCheck } },
    },
    async (request) => {
      const { id: subaccountId } = inSubaccount(request).subaccount;
      const file = { ...givenFileOf(request.body), subaccountId };
      return toWire(await readable(() => checkAccounts(parts, file)));
    },
  );

  actRoute(api, parts, `POST ${base}`, importAccountsAct, {
    bodyLimit: importLimits.bodyBytesMax,
    send: (lines, reply) => sendLines(reply, lines),
  });
}

function toWire(checked: CheckedAccounts): AccountFileCheck {
  const { rows, counts, preview, problemFile } = checked;
  return {
    reading: presentReading(checked, accountsFormat),
    rows,
    counts,
    preview: preview.map(({ problems, ...row }) => ({
      ...row,
      problems: problems.map(presentProblem),
    })),
    problem_file: problemFile,
  };
}
