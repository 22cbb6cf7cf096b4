// /console/api/s/:subaccountId/receivers/import: checks a file of receivers, then creates those without problems

import { Readable } from "node:stream";
import {
  type CheckedReceivers,
  checkReceivers,
  FileToCheck,
  givenFileOf,
  importLimits,
  importReceiversAct,
  type ReceiverImportParts,
  readable,
  receiverFormat,
  receiverTemplate,
} from "../../../money/imports/index.ts";
import { templateOf } from "../../../platform/fields/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { actRoute } from "../act-route.ts";
import { inSubaccount, sendCsv, sendLines } from "../route.ts";
import { presentProblem, presentReading } from "./present.ts";
import { ReceiverFileCheck } from "./schema.ts";

const base = "/console/api/s/:subaccountId/receivers/import";

export function receiverImportRoutes(api: Api, parts: ReceiverImportParts): void {
  api.get(`${base}/template.csv`, { config: { may: "read" } }, async (_request, reply) =>
    sendCsv(reply, "receivers-template", Readable.from([templateOf(receiverTemplate)])),
  );

  api.post(
    `${base}/check`,
    {
      bodyLimit: importLimits.bodyBytesMax,
      config: { may: "receivers.write" },
      schema: { body: FileToCheck, response: { 200: ReceiverFileCheck } },
    },
    async (request) => {
      const { id: subaccountId } = inSubaccount(request).subaccount;
      const file = { ...givenFileOf(request.body), subaccountId };
      return toWire(await readable(() => checkReceivers(parts.db, file)));
    },
  );

  actRoute(api, parts, `POST ${base}`, importReceiversAct, {
    bodyLimit: importLimits.bodyBytesMax,
    send: (lines, reply) => sendLines(reply, lines),
  });
}

function toWire(checked: CheckedReceivers): ReceiverFileCheck {
  const { rows, counts, countries, preview, problemFile } = checked;
  return {
    reading: presentReading(checked, receiverFormat),
    rows,
    counts,
    countries: [...countries]
      .map(([country, receivers]) => ({ country, receivers }))
      .sort((one, other) => other.receivers - one.receivers),
    preview: preview.map(({ problems, ...row }) => ({
      ...row,
      problems: problems.map(presentProblem),
    })),
    problem_file: problemFile,
  };
}
