// /console/api/s/:subaccountId/payouts/import: checks a CSV file of payouts, then creates them after the user confirms the totals

import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { templateOf } from "../../fields/words.ts";
import type { Api } from "../../http/route.ts";
import { streamWhileRead } from "../../http/stream.ts";
import { type CheckedFile, checkFile } from "../../imports/check-file.ts";
import { UnreadableFile } from "../../imports/csv-rows.ts";
import { templateColumns } from "../../imports/payout-file.ts";
import { remarksOn } from "../../imports/payout-survey.ts";
import { limits } from "../../limits.ts";
import { toSum } from "../../money.ts";
import { Refusal } from "../../refusals/refusals.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { consoleCallerOf, inSubaccount, sendCsv } from "../route.ts";
import { type ImportParts, releaseFile } from "./run.ts";
import { FileCheck, FileToCheck, FileToImport, type ImportLine } from "./schema.ts";

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

async function readable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    // A page shows it in one line.
    throw new Refusal("CONS502", { message: error.message.replaceAll("\n", ". ") });
  }
}

/** Streams one JSON line per step. If the browser disconnects, the import stops after the current batch. */
function sendLines(reply: unknown, lines: AsyncGenerator<ImportLine>): FastifyReply {
  async function* texts(): AsyncGenerator<string> {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`;
  }
  return (reply as FastifyReply)
    .headers({ "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "no-store" })
    .send(streamWhileRead(texts()));
}

function toWire({ rows, problems, problemCount, balances }: CheckedFile): FileCheck {
  return {
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
