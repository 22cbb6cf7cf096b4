// disburse payouts list | get | set-aside

import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import {
  findPayouts,
  listPayoutHistory,
  listPayouts,
  listSetAside,
  type Payout,
  PayoutFilter,
  type PayoutHistoryRow,
  type PayoutKey,
  presentPayout,
  toPayoutPage,
} from "../../money/payouts/index.ts";
import { format, isUuid } from "../../platform/base/index.ts";
import { cursorOfId, cutPage } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import {
  about,
  type CommandContext,
  type ReadOptions,
  readOptions,
  withCommandContext,
} from "./command-context.ts";
import { interruptible } from "./interruption.ts";
import { dateOption } from "./option-values.ts";
import { print, printPage, printSection, type Shown, time } from "./output.ts";
import { fieldOptions, filterOf } from "./schema-options.ts";
import { remoteRun, stdout } from "./terminal.ts";

const watchMs = 500;

export function readPayoutCommands(payouts: Command): void {
  const list = payouts
    .command("list")
    .description("list payouts, newest first")
    .addOption(
      dateOption(
        "--from <date>",
        "created not before this day or time, or a duration before now, such as 2h",
      ),
    )
    .addOption(dateOption("--to <date>", "created before this day or time"));
  fieldOptions(readOptions(list), PayoutFilter, { except: ["from", "to"] }).action(
    async (options: ReadOptions) => {
      const filter = filterOf<PayoutFilter>(PayoutFilter, options);
      await withCommandContext("payouts list", options, async ({ db, subaccountId }) => {
        const page = toPayoutPage(subaccountId, filter);
        const found = (await listPayouts(db, page)).map(presentPayout);
        printPage("payouts", await cutPage(found, page.limit - 1, cursorOfId), options, inShort);
      });
    },
  );

  const get = payouts
    .command("get <payout-id>")
    .description("show a payout and its history")
    .option("--watch", "then print each change until the payout has ended; Ctrl-C stops");
  readOptions(get).action((id: string, options: ReadOptions & { watch?: boolean }) =>
    withCommandContext("payouts get", about("payout", id, options), async (context) => {
      const { payout, key } = await existingPayout(context, id);
      const show = async () => {
        const history = await listPayoutHistory(context.db, key);
        if (options.json) print({ ...payout, history: history.map(toEntry) }, options);
        else {
          print(inLines(payout), options);
          printSection("History", history.map(entryInShort));
        }
        return history;
      };
      if (options.watch && remoteRun()) throw new Refusal("OPER110");
      if (!options.watch) await show();
      // Ctrl-C must work as soon as the first line is printed.
      else
        await interruptible(async (signal) => watch(context, key, await show(), options, signal));
    }),
  );
  setAsideCommand(payouts);
}

function setAsideCommand(payouts: Command): void {
  const setAside = payouts
    .command("set-aside")
    .description("list payouts that could not be sent or that the bank did not confirm, and why");
  readOptions(setAside).action((options: ReadOptions) =>
    withCommandContext("payouts set-aside", options, async ({ db, subaccountId }) => {
      const rows = await listSetAside(db, subaccountId, limits.listMax);
      print(
        rows.map(({ payout_id, stage, since_ms, reason }) => ({
          payout_id,
          stage,
          reason,
          since: options.json ? since_ms : time(since_ms),
        })),
        options,
      );
    }),
  );
}

export async function existingPayout(
  { db, subaccountId }: CommandContext,
  id: string,
): Promise<{ payout: Payout; key: PayoutKey }> {
  const key = { subaccountId, id: id.toLowerCase() };
  const [row] = isUuid(id) ? await findPayouts(db, [key]) : [];
  if (!row) {
    throw new CliError(
      `There is no payout ${id} in subaccount ${subaccountId}.`,
      exitCodes.notFound,
    );
  }
  return { payout: presentPayout(row), key };
}

/** Prints what is new since `printed`. A history only grows, and its newest line comes first. */
async function watch(
  { db }: CommandContext,
  key: PayoutKey,
  printed: readonly PayoutHistoryRow[],
  options: ReadOptions,
  interrupted: AbortSignal,
): Promise<void> {
  let history = printed;
  while (history[0]?.to_status === "pending") {
    await sleep(watchMs, undefined, { signal: interrupted }).catch(() => {});
    if (interrupted.aborted) {
      throw new CliError("Stopped watching. The payout continues.", exitCodes.interrupted);
    }
    const now = await listPayoutHistory(db, key);
    for (const row of now.slice(0, now.length - history.length).reverse()) {
      if (options.json) print(toEntry(row), options);
      else stdout.write(`${changeLine(row)}\n`);
    }
    history = now;
  }
}

function inShort({ id, amount, currency, status, stage, reference, ...rest }: Payout): Shown {
  const { receiver_id, created_at } = rest;
  const inUnits = format(BigInt(amount), currency);
  return {
    id,
    amount: inUnits,
    status,
    stage,
    reference,
    receiver_id,
    created_at: time(created_at),
  };
}

function inLines({ currency, ...payout }: Payout): Shown {
  const { fee, sent_amount } = payout;
  const money = (units: number) => format(BigInt(units), currency);
  return {
    ...payout,
    amount: money(payout.amount),
    ...(fee !== undefined && { fee: money(fee) }),
    ...(sent_amount !== undefined && { sent_amount: money(sent_amount) }),
    created_at: time(payout.created_at),
    updated_at: time(payout.updated_at),
  };
}

function toEntry(row: PayoutHistoryRow): Shown {
  const { from_status, from_stage, to_status, to_stage } = row;
  return {
    id: row.id,
    when: row.at_ms,
    who: row.who,
    reason: row.reason,
    from: from_status && { status: from_status, stage: from_stage },
    to: { status: to_status, stage: to_stage },
  };
}

function entryInShort(row: PayoutHistoryRow): Shown {
  const { at_ms, who, reason, from_stage, to_stage, to_status } = row;
  return { when: time(at_ms), who, from: from_stage, to: to_stage, status: to_status, reason };
}

function changeLine({ at_ms, who, reason, from_stage, to_stage, to_status }: PayoutHistoryRow) {
  return `${time(at_ms)}  ${who}  ${from_stage} → ${to_stage} (${to_status})  ${reason}`;
}
