// disburse events resend | recover | trigger

import { type Command, InvalidArgumentError, Option } from "commander";
import { type AnnouncedTestEvent, Disburse } from "../../../../client/src/index.ts";
import { eventSchemas } from "../../platform/event-catalogue/index.ts";
import {
  recoverEvents,
  sendEventAgain,
  TestEvent,
  toRecord,
  triggerEvent,
} from "../../webhooks/events/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { actCommand, performAct } from "./act-command.ts";
import {
  type CommandContext,
  type WriteOptions,
  withCommandContext,
  writeOptions,
} from "./command-context.ts";
import { existingEvent, inLines } from "./events-read.ts";
import { type Access, givenAccess } from "./listen-key.ts";
import { dateOption } from "./option-values.ts";
import { print, time } from "./output.ts";
import { checkedOrRefused } from "./schema-options.ts";
import { remoteRun, stderr } from "./terminal.ts";

type Pair = [name: string, value: string];
type Wanted = Parameters<Disburse["events"]["test"]>[0];

export function changeEventCommands(events: Command): void {
  actCommand(events, "resend <event-id>", sendEventAgain, {
    worksWhenClosed: true,
    fields: { "event-id": "id" },
    object: "event",
    async read(given, context) {
      await existingEvent(context as CommandContext, String(given.id));
      return given;
    },
    show(resent, _, { json }) {
      const shown = toRecord(resent);
      const { data, ...record } = shown;
      return json ? shown : inLines(record);
    },
  });

  const since = dateOption(
    "--since <time>",
    "start: a day or time, or a duration before now, such as 2h",
  );
  actCommand(events, "recover", recoverEvents, {
    worksWhenClosed: true,
    fields: { "include-delivered": "with_delivered" },
    options: [
      since.makeOptionMandatory(),
      dateOption("--until <time>", "end of the range; now when absent"),
      new Option("--include-delivered", "also resend delivered events"),
    ],
    without: ["with_unsent"],
    read: ({ since, until, ...given }) => ({
      ...given,
      since: Number(since),
      ...(until !== undefined && { until: Number(until) }),
      with_unsent: true,
    }),
    show({ id, since, until }, _, { json }) {
      if (json) return { id, since, until };
      print({ id, since: time(since), until: time(until) }, {});
      stderr.write(
        "The running service sends about 1,000 a second, in order. To see which are left:\n" +
          `  disburse events list --status waiting --from ${since} --to ${until}\n`,
      );
      return undefined;
    },
  });

  const trigger = events
    .command("trigger <type>")
    .description(triggerEvent.summary)
    .option("--set <field=value>", "set a field of the event; may be repeated", addPair, [])
    .addHelpText(
      "after",
      `\nTypes: ${Object.keys(eventSchemas).join(", ")}\n\n` +
        "Uses DISBURSE_API_KEY and DISBURSE_API_SECRET when they are set, at DISBURSE_BASE_URL. Otherwise it needs access to\n" +
        "the database.",
    );
  writeOptions(trigger).action(async (type: string, options: WriteOptions & { set: Pair[] }) => {
    const request = checkedOrRefused<TestEvent>(TestEvent, { type, set: setOf(type, options.set) });
    const access = remoteRun() ? undefined : givenAccess(options);
    if (access) return print({ ...(await triggerByApi(access, request)) }, options);
    await withCommandContext("events trigger", options, async (context) =>
      print(await performAct(triggerEvent, context, request), options),
    );
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
