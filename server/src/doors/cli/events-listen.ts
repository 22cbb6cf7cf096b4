// disburse events listen: prints events as they happen, and forwards them to a program on this machine.

import { type Command, InvalidArgumentError } from "commander";
import { Disburse, DisburseError, type HeardEvent } from "../../../../client/src/index.ts";
import { idTimeMs } from "../../platform/base/index.ts";
import { eventSchemas, readEventId } from "../../platform/event-catalogue/index.ts";
import { type Code, refusals } from "../../platform/refusals/index.ts";
import { readSecret } from "../../webhooks/diagnosis/index.ts";
import { newWebhookSecret } from "../../webhooks/webhook-endpoints/index.ts";
import { decodeSecret } from "../../webhooks/webhook-signature/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { type ReadOptions, readOptions } from "./command-context.ts";
import { userWebhookSecrets } from "./environment.ts";
import { forwarder } from "./forward.ts";
import { interruptible } from "./interruption.ts";
import { type ConnectionWatch, watchConnection } from "./listen-connection.ts";
import { type Access, withAccess } from "./listen-key.ts";
import { inJson, inWords } from "./listen-output.ts";
import { stderr } from "./terminal.ts";

type ListenOptions = ReadOptions & {
  forwardTo?: URL;
  events?: readonly string[];
  printBody?: boolean;
};

const environmentHelp = `
Uses DISBURSE_API_KEY and DISBURSE_API_SECRET when they are set. Otherwise it creates a read-only key for this
session, which needs access to the database. DISBURSE_BASE_URL is the address of the service; the default comes from
HOST and PORT. Forwarded events are signed with DISBURSE_WEBHOOK_SECRET, or with a secret for this session.`;

export function listenToEventsCommand(events: Command): void {
  const listen = events
    .command("listen")
    .description("print events as they happen, and forward them to your program")
    .option("--forward-to <url>", "POST each event to this URL, signed like a delivery", readTarget)
    .option("--events <list>", "only these types, separated by commas", readTypes)
    .option("--print-body", "print the bodies of events and responses")
    .addHelpText("after", environmentHelp);
  readOptions(listen).action((options: ListenOptions) => {
    const secrets = options.forwardTo ? signingSecrets() : [];
    return interruptible((interrupted) =>
      withAccess(options, (access) => listenTo(access, options, secrets, interrupted)),
    );
  });
}

async function listenTo(
  access: Access,
  { forwardTo, events, printBody = false, json = false }: ListenOptions,
  secrets: readonly string[],
  interrupted: AbortSignal,
): Promise<void> {
  const target = forwardTo ? forwardTo.origin + forwardTo.pathname : "";
  const output = json ? inJson(target) : inWords(target, { withBodies: printBody });
  const signal = AbortSignal.any([interrupted, outputClosed()]);
  const forwarding =
    forwardTo && forwarder({ url: forwardTo, secrets, signal, onAnswer: output.answer });
  const watch = watchConnection({
    onOpen: (isAgain) => say(isAgain ? "Connected again." : listening(access, target)),
    onLost: (why) => say(`No connection to ${access.baseUrl} (${why}). Trying again …`),
  });
  try {
    for await (const event of listenFromNow(access, watch, signal)) {
      if (events && !events.includes(event.type)) continue;
      output.event(event);
      forwarding?.forward(event);
    }
  } catch (error) {
    if (!signal.aborted) throw toStop(error);
  } finally {
    await forwarding?.close();
  }
  throw new CliError("Stopped listening.", exitCodes.interrupted);
}

/** Leaves out events from before the start: a feed that reconnects looks back a while. */
async function* listenFromNow(
  access: Access,
  watch: ConnectionWatch,
  signal: AbortSignal,
): AsyncGenerator<HeardEvent> {
  const { events } = clientOf(access, watch);
  for await (const event of events.listen({ signal })) {
    const id = readEventId(event.id);
    if (event.resent || !id || !watch.isFromBefore(idTimeMs(id))) yield event;
  }
}

function clientOf(access: Access, { fetch }: ConnectionWatch): Disburse {
  try {
    return new Disburse({ ...access, fetch });
  } catch (error) {
    throw new CliError((error as Error).message, exitCodes.usage);
  }
}

/** Aborts when stdout goes to a program that has ended, such as `head`. */
function outputClosed(): AbortSignal {
  const controller = new AbortController();
  process.stdout.once("error", () => controller.abort());
  return controller.signal;
}

function listening({ baseUrl }: Access, target: string): string {
  return `Listening to ${baseUrl}${target && `, forwarding to ${target}`}. Ctrl-C ends it.`;
}

function say(text: string): void {
  stderr.write(`${text}\n`);
}

function signingSecrets(): string[] {
  const given = userWebhookSecrets();
  const unfit = given.find((secret) => !decodeSecret(secret));
  if (unfit !== undefined) {
    const problems = readSecret(unfit).problems.join(", ");
    throw new CliError(`The secret of DISBURSE_WEBHOOK_SECRET ${problems}.`, exitCodes.usage);
  }
  if (given.length > 0) return given;
  const secret = newWebhookSecret();
  say(`Webhook secret for this session: ${secret}`);
  return [secret];
}

function toStop(error: unknown): unknown {
  if (!(error instanceof DisburseError)) return error;
  const cure = error.code in refusals ? `\n  ${refusals[error.code as Code][2]}` : "";
  return new CliError(`${error.code}: ${error.message}${cure}`);
}

/** A user name or password in the URL would be printed, and not be sent. */
function readTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new InvalidArgumentError("Give a URL such as http://localhost:3000/events.");
  }
  return url;
}

function readTypes(text: string): string[] {
  const types = text.split(",").map((part) => part.trim());
  if (types.every((type) => Object.hasOwn(eventSchemas, type))) return types;
  const known = Object.keys(eventSchemas).join(", ");
  throw new InvalidArgumentError(`Each must be one of ${known}.`);
}
