// /console/api/s/:subaccountId/receivers/import: checks a CSV file of receivers, then creates those without problems

import { Readable } from "node:stream";
import {
  type CheckedReceivers,
  checkReceivers,
  problemInWords,
  receiverFormat,
} from "../../../money/imports/index.ts";
import { templateOf } from "../../../platform/fields/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { consoleCallerOf, inSubaccount, sendCsv, sendLines } from "../route.ts";
import { readable } from "./readable.ts";
import { importReceivers, type ReceiverImportParts } from "./run-receivers.ts";
import { FileToCheck, ReceiverFileCheck, ReceiverFileToImport } from "./schema.ts";

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

  api.post(
    base,
    {
      bodyLimit: limits.batchBodyBytesMax,
      config: { may: "receivers.write" },
      schema: { body: ReceiverFileToImport },
    },
    async (request, reply) => {
      const access = requireOpenSubaccount(inSubaccount(request));
      const { actor, stillMay } = access;
      const importing = { actor, caller: consoleCallerOf(access), stillMay };
      const lines = await readable(() => importReceivers(parts, importing, request.body));
      return sendLines(reply, lines) as never;
    },
  );
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
