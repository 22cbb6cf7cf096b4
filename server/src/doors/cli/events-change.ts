// disburse events resend | recover | trigger

import { type Command, InvalidArgumentError } from "commander";
import { type AnnouncedTestEvent, Disburse } from "../../../../client/src/index.ts";
import { eventSchemas } from "../../platform/event-catalogue/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import {
  EventRecovery,
  insertTestEvent,
  resendEvent,
  startRecovery,
  TestEvent,
} from "../../webhooks/events/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import {
  about,
  requireOpenForCommand,
  type WriteOptions,
  withCommandContext,
  writeOptions,
} from "./command-context.ts";
import { existingEvent, inLines } from "./events-read.ts";
import { type Access, givenAccess } from "./listen-key.ts";
import { dateOption } from "./option-values.ts";
import { print, time } from "./output.ts";
import { checkedOrRefused } from "./schema-options.ts";

type RecoverOptions = WriteOptions & {
  since: string;
  until?: string;
  includeDelivered?: boolean;
};
type Pair = [name: string, value: string];
type Wanted = Parameters<Disburse["events"]["test"]>[0];

export function changeEventCommands(events: Command): void {
  const resend = events
    .command("resend <event-id>")
    .description("send an event again, to the webhook endpoint and to listeners");
  writeOptions(resend).action((id: string, options: WriteOptions) =>
    withCommandContext("events resend", about("event", id, options), async (context) => {
      const { who } = context.actor;
      const { key } = await existingEvent(context, id);
      const resent = await audited(context, context.actor).transaction(
        {
          action: "event.resend",
          object: { kind: "event", id: key.id },
        },
        (tx) => resendEvent(tx, key, { who, nowMs: Date.now() }),
      );
      if (options.json) return print(resent, options);
      const { data, ...record } = resent;
      print(inLines(record), options);
    }),
  );

  const since = dateOption(
    "--since <time>",
    "start: a day or time, or a duration before now, such as 2h",
  );
  const recover = events
    .command("recover")
    .description("resend, in the background, all undelivered events of a time range")
    .addOption(since.makeOptionMandatory())
    .addOption(dateOption("--until <time>", "end of the range; now when absent"))
    .option("--include-delivered", "also resend delivered events");
  writeOptions(recover).action(async (options: RecoverOptions) => {
    const { since, until, includeDelivered: include_delivered } = options;
    const request = checkedOrRefused<EventRecovery>(EventRecovery, {
      since,
      ...(until !== undefined && { until }),
      ...(include_delivered && { include_delivered }),
    });
    await withCommandContext("events recover", options, async (context) => {
      const { subaccountId } = context;
      const { who } = context.actor;
      const started = await audited(context, context.actor).transaction<
        Awaited<ReturnType<typeof startRecovery>>
      >(
        ({ id }) => ({
          action: "event.recover",
          object: { kind: "recovery", id },
          after: { ...request },
        }),
        (tx) => startRecovery(tx, subaccountId, request, { who, nowMs: Date.now() }),
      );
      if (options.json) return print(started, options);
      const { id, since, until } = started;
      print({ id, since: time(since), until: time(until) }, options);
      process.stderr.write(
        "The running service sends about 1,000 a second, in order. To see which are left:\n" +
          `  disburse events list --status waiting --from ${since} --to ${until}\n`,
      );
    });
  });

  const trigger = events
    .command("trigger <type>")
    .description("send a sample event with made-up ids")
    .option("--set <field=value>", "set a field of the event; may be repeated", addPair, [])
    .addHelpText(
      "after",
      `\nTypes: ${Object.keys(eventSchemas).join(", ")}\n\n` +
        "Uses DISBURSE_API_KEY and DISBURSE_API_SECRET when they are set, at DISBURSE_BASE_URL. Otherwise it needs access to\n" +
        "the database.",
    );
  writeOptions(trigger).action(async (type: string, options: WriteOptions & { set: Pair[] }) => {
    const request = checkedOrRefused<TestEvent>(TestEvent, { type, set: setOf(type, options.set) });
    const access = givenAccess(options);
    if (access) return print({ ...(await triggerByApi(access, request)) }, options);
    await withCommandContext("events trigger", options, async (context) => {
      requireOpenForCommand(context);
      const { subaccountId } = context;
      const object = { kind: "subaccount", id: subaccountId };
      print(
        await audited(context, context.actor).transaction(
          { action: "event.trigger", object, after: { type } },
          (tx) => insertTestEvent(tx, subaccountId, request, Date.now()),
        ),
        options,
      );
    });
  });
}

/** From another machine than the service's. */
async function triggerByApi(access: Access, request: TestEvent): Promise<AnnouncedTestEvent> {
  try {
    return await new Disburse(access).events.test(request as Wanted);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CliError(error.message, exitCodes.refused);
  }
}

function addPair(text: string, before: Pair[]): Pair[] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("Write it as field=value.");
  return [...before, [name, value as string]];
}

/** Numeric fields become numbers. Other text stays as it is, and the schema refuses it. */
function setOf(type: string, pairs: readonly Pair[]): Record<string, unknown> {
  const schema =
    Object.hasOwn(eventSchemas, type) && eventSchemas[type as keyof typeof eventSchemas];
  const fields = (schema ? schema.properties : {}) as Record<string, { type?: string }>;
  return Object.fromEntries(
    pairs.map(([name, value]) => {
      const isNumber = fields[name]?.type === "number" && /^-?\d+(\.\d+)?$/.test(value);
      return [name, isNumber ? Number(value) : value];
    }),
  );
}
