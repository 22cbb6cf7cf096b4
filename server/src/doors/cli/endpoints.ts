// disburse endpoints list | create | change | delete | rotate | pause | enable | fill

import { type Command, InvalidArgumentError, Option } from "commander";
import type { Fields } from "../../platform/fields/index.ts";
import { fillWebhookEndpoint } from "../../webhooks/events/index.ts";
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  enableWebhookEndpoint,
  listEndpoints,
  pauseWebhookEndpoint,
  rotateEndpointSecretAct,
  type WebhookEndpoint,
} from "../../webhooks/webhook-endpoints/index.ts";
import { configuration } from "../setup/index.ts";
import { actCommand } from "./act-command.ts";
import { type ReadOptions, readOptions, withCommandContext } from "./command-context.ts";
import { dateOption, readGrace } from "./option-values.ts";
import { print, type Shown } from "./output.ts";

const parts = () => ({ addresses: configuration().postbackAddresses });
const fields = { "endpoint-id": "id" };

export function addEndpointCommands(endpoints: Command): void {
  const list = endpoints.command("list").description("list webhook endpoints and their state");
  readOptions(list).action((options: ReadOptions) =>
    withCommandContext("endpoints list", options, async ({ db, subaccountId }) => {
      const found = await listEndpoints(db, subaccountId, Date.now());
      print(options.json ? found : found.map(inShort), options);
    }),
  );

  const headers = () =>
    new Option(
      "--header <header...>",
      "to send with each event, such as 'authorization: Bearer x'",
    ).argParser(readHeader);
  const change = { fields: { ...fields, header: "headers" }, parts, show: inLines };

  actCommand(endpoints, "create", createWebhookEndpoint, { ...change, options: [headers()] });
  actCommand(endpoints, "change <endpoint-id>", changeWebhookEndpoint, {
    ...change,
    options: [
      headers(),
      new Option("--disable-after-days <days>", "1 to 7, or never").argParser((text) =>
        text === "never" ? null : Number(text),
      ),
    ],
  });
  actCommand(endpoints, "delete <endpoint-id>", deleteWebhookEndpoint, {
    fields,
    show: (_, __, ___, { id }) => ({ id, deleted: true }),
  });
  actCommand(endpoints, "rotate <endpoint-id>", rotateEndpointSecretAct, {
    fields: { ...fields, overlap: "overlap_s" },
    options: [
      new Option("--overlap <time>", "how long the previous secrets stay valid: 0 to 7d").argParser(
        (text) => readGrace(text) / 1000,
      ),
    ],
    show: inLines,
  });
  actCommand(endpoints, "pause <endpoint-id>", pauseWebhookEndpoint, { fields, show: inLines });
  actCommand(endpoints, "enable <endpoint-id>", enableWebhookEndpoint, {
    fields,
    parts,
    show: inLines,
  });
  actCommand(endpoints, "fill <endpoint-id>", fillWebhookEndpoint, {
    fields,
    options: [
      dateOption("--since <time>", "a day or time, or a duration before now; 30 days when absent"),
    ],
    read: ({ since, ...given }): Fields => ({
      ...given,
      ...(since !== undefined && { since: Number(since) }),
    }),
    show: (started) => started,
  });
}

function readHeader(text: string, before: unknown): Record<string, string> {
  const [, name = "", value = ""] = /^([^:\s]+):\s*(.+)$/.exec(text) ?? [];
  if (!name) throw new InvalidArgumentError("Write a name and a value, such as 'x-team: payroll'.");
  return { ...(before as Record<string, string> | undefined), [name]: value };
}

function inLines(
  endpoint: WebhookEndpoint & { secret?: string },
  _: unknown,
  { json }: Fields,
): Shown {
  const { last_day, secrets, ...others } = endpoint;
  if (json) return endpoint as Shown;
  const { attempts, delivered } = last_day;
  return {
    ...others,
    event_types: others.event_types.join(", "),
    header_names: others.header_names.join(", "),
    secrets: secrets.length,
    attempts_last_day: attempts,
    delivered_last_day: delivered,
  };
}

function inShort({ id, url, status, format, event_types, waiting }: WebhookEndpoint): Shown {
  return { id, url, status, format, waiting, event_types: event_types.join(", ") };
}
