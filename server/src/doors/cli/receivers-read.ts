// disburse receivers list | get

import type { Command } from "commander";
import { listReports, type ReportRow } from "../../people/kyc/index.ts";
import {
  findReceivers,
  type HistoryRow,
  listHistory,
  listReceivers,
  type Receiver,
  ReceiverFilter,
  type ReceiverKey,
  toPageRequest,
} from "../../people/receivers/index.ts";
import { isUuid, newestId } from "../../platform/base/index.ts";
import { cursorOfId, cutPage } from "../../platform/db/index.ts";
import type { Fields } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import type { Context } from "./act-command.ts";
import {
  about,
  type CommandContext,
  type ReadOptions,
  readOptions,
  withCommandContext,
} from "./command-context.ts";
import { print, printPage, printSection, type Shown, time } from "./output.ts";
import { fieldOptions, filterOf } from "./schema-options.ts";

const reportsShown = 20;

export function readReceiverCommands(receivers: Command): void {
  const list = receivers.command("list").description("list receivers, newest first");
  fieldOptions(readOptions(list), ReceiverFilter).action(async (options: ReadOptions) => {
    const filter = filterOf<ReceiverFilter>(ReceiverFilter, options);
    await withCommandContext("receivers list", options, async ({ db, seal, subaccountId }) => {
      const page = toPageRequest(subaccountId, filter);
      const found = await listReceivers({ db, seal }, page);
      printPage("receivers", await cutPage(found, page.limit - 1, cursorOfId), options, inShort);
    });
  });

  const get = receivers
    .command("get <receiver-id>")
    .description("show a receiver, its history and the reports of its identity check");
  readOptions(get).action((id: string, options: ReadOptions) =>
    withCommandContext("receivers get", about("receiver", id, options), async (context) => {
      const { receiver, key } = await existingReceiver(context, id);
      const [history, reports] = await Promise.all([
        listHistory(context.db, key, { beforeId: newestId, limit: limits.listMax }),
        listReports(context.db, key, reportsShown),
      ]);
      if (options.json) {
        print(
          { ...receiver, history: history.map(toEntry), reports: reports.map(toReport) },
          options,
        );
        return;
      }
      const { address_data, created_at, ...person } = receiver;
      print({ ...person, ...address_data, created_at: time(created_at) }, options);
      printSection("History", history.map(entryInShort));
      printSection("Reports of the identity check", reports.map(reportInShort));
    }),
  );
}

export async function existingReceiver(
  { db, seal, subaccountId }: CommandContext,
  id: string,
): Promise<{ receiver: Receiver; key: ReceiverKey }> {
  const key = { subaccountId, id: id.toLowerCase() };
  const [receiver] = isUuid(id) ? await findReceivers({ db, seal }, [key]) : [];
  if (!receiver) {
    throw new CliError(
      `There is no receiver ${id} in subaccount ${subaccountId}.`,
      exitCodes.notFound,
    );
  }
  return { receiver, key };
}

/** How a command about a receiver carries an act. */
export const ofReceiver = {
  fields: { "receiver-id": "id" },
  object: "receiver",
  async read(given: Fields, context: Context): Promise<Fields> {
    const { key } = await existingReceiver(context as CommandContext, String(given.id));
    return { ...given, id: key.id };
  },
} as const;

function inShort({ id, first_name, last_name, email, status, kyc_status, ...rest }: Receiver) {
  const name = `${first_name} ${last_name}`;
  return { id, name, email, status, kyc_status, created_at: time(rest.created_at) };
}

function toEntry(row: HistoryRow) {
  const { from_status, from_kyc_status } = row;
  return {
    id: row.id,
    when: row.at_ms,
    who: row.who,
    reason: row.reason,
    from: from_status && { status: from_status, kyc_status: from_kyc_status },
    to: { status: row.to_status, kyc_status: row.to_kyc_status },
  };
}

function entryInShort(row: HistoryRow): Shown {
  const { at_ms, who, reason, from_status, from_kyc_status, to_status, to_kyc_status } = row;
  return {
    when: time(at_ms),
    who,
    from: from_status && `${from_status}, KYC ${from_kyc_status}`,
    to: `${to_status}, KYC ${to_kyc_status}`,
    reason,
  };
}

function toReport({ occurred_at_ms, ...report }: ReportRow) {
  return { when: occurred_at_ms, ...report };
}

function reportInShort({ occurred_at_ms, ...report }: ReportRow): Shown {
  return { when: time(occurred_at_ms), ...report };
}
