// disburse events resend | recover | trigger

import { type Command, InvalidArgumentError } from "commander";
import { audited } from "../audit/audited.ts";
import { eventSchemas } from "../event-catalogue.ts";
import { insertTestEvent } from "../events/create-test.ts";
import { startRecovery } from "../events/recover.ts";
import { resendEvent } from "../events/resend.ts";
import { EventRecovery, TestEvent } from "../events/schema.ts";
import {
  requireOpenForCommand,
  type WriteOptions,
  withCommandContext,
  writeOptions,
} from "./command-context.ts";
import { existingEvent, inLines } from "./events-read.ts";
import { dateOption } from "./option-values.ts";
import { print, time } from "./output.ts";
import { checkedOrRefused } from "./schema-options.ts";

type RecoverOptions = WriteOptions & {
  since: string;
  until?: string;
  includeDelivered?: boolean;
};
type Pair = [name: string, value: string];

export function changeEventCommands(events: Command): void {
  const resend = events
    .command("resend <event-id>")
    .description("tell an event again: to the endpoint, and to those who listen");
  writeOptions(resend).action((id: string, options: WriteOptions) =>
    withCommandContext("events resend", options, async (context) => {
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

  const since = dateOption("--since <time>", "from this day or time on, or since so long ago: 2h");
  const recover = events
    .command("recover")
    .description("tell all events of a time again that were not delivered, in the background")
    .addOption(since.makeOptionMandatory())
    .addOption(dateOption("--until <time>", "and before this one; now when absent"))
    .option("--include-delivered", "also what was delivered");
  writeOptions(recover).action(async (options: RecoverOptions) => {
    const { since, until, includeDelivered: include_delivered } = options;
    const wish = checkedOrRefused<EventRecovery>(EventRecovery, {
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
          after: { ...wish },
        }),
        (tx) => startRecovery(tx, subaccountId, wish, { who, nowMs: Date.now() }),
      );
      if (options.json) return print(started, options);
      const { id, since, until } = started;
      print({ id, since: time(since), until: time(until) }, options);
      process.stderr.write(
        "A running service tells them, about 1,000 a second and in order. What is left of it:\n" +
          `  disburse events list --status waiting --from ${since} --to ${until}\n`,
      );
    });
  });

  const trigger = events
    .command("trigger <type>")
    .description("tell an event that nothing happened for, with made-up ids")
    .option("--set <field=value>", "of the event; may be repeated", addPair, [])
    .addHelpText("after", `\nTypes: ${Object.keys(eventSchemas).join(", ")}`);
  writeOptions(trigger).action(async (type: string, options: WriteOptions & { set: Pair[] }) => {
    const wish = checkedOrRefused<TestEvent>(TestEvent, { type, set: setOf(type, options.set) });
    await withCommandContext("events trigger", options, async (context) => {
      requireOpenForCommand(context);
      const { subaccountId } = context;
      const object = { kind: "subaccount", id: subaccountId };
      print(
        await audited(context, context.actor).transaction(
          { action: "event.trigger", object, after: { type } },
          (tx) => insertTestEvent(tx, subaccountId, wish, Date.now()),
        ),
        options,
      );
    });
  });
}

function addPair(text: string, before: Pair[]): Pair[] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("Write it as field=value.");
  return [...before, [name, value as string]];
}

/** A number where the event has one. What is none stays a text, and is refused like any other. */
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
