// /console/api/s/:subaccountId/receivers/import: checks a CSV file of receivers, then creates those without problems

import { Readable } from "node:stream";
import {
  type CheckedReceivers,
  checkReceivers,
  FileToCheck,
  importReceiversAct,
  problemInWords,
  type ReceiverImportParts,
  readable,
  receiverFormat,
} from "../../../money/imports/index.ts";
import { templateOf } from "../../../platform/fields/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { actRoute } from "../act-route.ts";
import { inSubaccount, sendCsv, sendLines } from "../route.ts";
import { ReceiverFileCheck } from "./schema.ts";

const base = "/console/api/s/:subaccountId/receivers/import";

export function receiverImportRoutes(api: Api, parts: ReceiverImportParts): void {
  api.get(`${base}/template.csv`, { config: { may: "read" } }, async (_request, reply) =>
    sendCsv(reply, "receivers-template", Readable.from([templateOf(receiverFormat.columns)])),
  );

  api.post(
    `${base}/check`,
    {
      bodyLimit: limits.batchBodyBytesMax,
      config: { may: "receivers.write" },
      schema: { body: FileToCheck, response: { 200: ReceiverFileCheck } },
    },
    async (request) => {
      const { id: subaccountId } = inSubaccount(request).subaccount;
      const { csv } = request.body;
      return toWire(await readable(() => checkReceivers(parts.db, { subaccountId, csv })));
    },
  );

  actRoute(api, parts, `POST ${base}`, importReceiversAct, {
    bodyLimit: limits.batchBodyBytesMax,
    send: (lines, reply) => sendLines(reply, lines),
  });
}

function toWire({ counts, countries, preview, problemFile }: CheckedReceivers): ReceiverFileCheck {
  return {
    counts,
    countries: [...countries]
      .map(([country, receivers]) => ({ country, receivers }))
      .sort((one, other) => other.receivers - one.receivers),
    preview: preview.map(({ problems, ...row }) => ({
      ...row,
      problems: problems.map(problemInWords),
    })),
    problem_file: problemFile,
  };
}
