// disburse events list | get

import type { Command } from "commander";
import { readEventId } from "../../platform/event-catalogue/index.ts";
import {
  type EventDetail,
  EventFilter,
  type EventKey,
  type EventRecord,
  type EventWithAttempts,
  findEvent,
  listEventPage,
  toEventPage,
  toRecord,
} from "../../webhooks/events/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import {
  about,
  type CommandContext,
  type ReadOptions,
  readOptions,
  withCommandContext,
} from "./command-context.ts";
import { dateOption } from "./option-values.ts";
import { print, printPage, printSection, type Shown, time } from "./output.ts";
import { fieldOptions, filterOf } from "./schema-options.ts";

const answerCharsShown = 80;

export function readEventCommands(events: Command): void {
  const list = events
    .command("list")
    .description("list events and their delivery status, newest first")
    .addOption(
      dateOption(
        "--from <date>",
        "not before this day or time, or a duration before now, such as 2h",
      ),
    )
    .addOption(
      dateOption("--to <date>", "before this day or time, or a duration before now, such as 30m"),
    );
  fieldOptions(readOptions(list), EventFilter, { except: ["from", "to"] }).action(
    async (options: ReadOptions) => {
      const filter = filterOf<EventFilter>(EventFilter, options);
      await withCommandContext("events list", options, async ({ db, subaccountId }) => {
        const { rows, next } = await listEventPage(db, toEventPage(subaccountId, filter));
        printPage("events", { rows: rows.map(toRecord), next }, options, inShort);
      });
    },
  );

  const get = events
    .command("get <event-id>")
    .description("show an event and its delivery attempts");
  readOptions(get).action((id: string, options: ReadOptions) =>
    withCommandContext("events get", about("event", id, options), async (context) => {
      const { row, attempts } = await existingEvent(context, id);
      const { data, ...record } = toRecord(row);
      if (options.json) print({ ...record, data, body: row.body, attempts }, options);
      else {
        print({ ...inLines(record), body: row.body }, options);
        printSection("Attempts", attempts.map(attemptInShort));
      }
    }),
  );
}

export async function existingEvent(
  { db, subaccountId }: CommandContext,
  text: string,
): Promise<EventWithAttempts & { key: EventKey }> {
  const id = readEventId(text);
  const key = id && { subaccountId, id };
  const found = key && (await findEvent(db, key));
  if (found) return { ...found, key };
  throw new CliError(
    `There is no event ${text} in subaccount ${subaccountId}.`,
    exitCodes.notFound,
  );
}

function inShort({ data, created_at, ...event }: EventRecord): Shown {
  const { id, type, status, attempt_count } = event;
  const payout_id = "payout_id" in data ? data.payout_id : null;
  const receiver_id = "receiver_id" in data ? data.receiver_id : null;
  return { id, type, status, attempt_count, payout_id, receiver_id, created_at: time(created_at) };
}

export function inLines(event: Omit<EventRecord, "data">): Shown {
  const { created_at, next_attempt_at } = event;
  return {
    ...event,
    created_at: time(created_at),
    next_attempt_at: next_attempt_at && time(next_attempt_at),
  };
}

function attemptInShort(attempt: EventDetail["attempts"][number]): Shown {
  const { number, at, status, took_ms, failure, detail, answer } = attempt;
  const begins =
    answer.length > answerCharsShown ? `${answer.slice(0, answerCharsShown)}…` : answer;
  return { number, when: time(at), status, took_ms, failure, detail, answer: begins };
}
