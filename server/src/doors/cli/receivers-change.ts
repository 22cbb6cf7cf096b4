// disburse receivers create | disable | enable | kyc approve | kyc reject | kyc-link

import { type Command, Option } from "commander";
import { createPersonLink, personLinkMaker } from "../../people/kyc/index.ts";
import {
  activateReceiver,
  createReceiver,
  deactivateReceiver,
  type ReceiverActParts,
} from "../../people/receivers/index.ts";
import { approveIdentity, rejectIdentity } from "../../people/reviews/index.ts";
import { noScreening } from "../../people/screening/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { actCommand, type Context } from "./act-command.ts";
import { type CommandContext, screenerFor } from "./command-context.ts";
import { readLine } from "./option-values.ts";
import { time } from "./output.ts";
import { existingReceiver, ofReceiver } from "./receivers-read.ts";
import { stderr } from "./terminal.ts";

export function changeReceiverCommands(receivers: Command): void {
  actCommand(receivers, "create", createReceiver, {
    file: "REVR232",
    parts: async (context) => ({
      ...partsOf(context),
      screener: await screenerFor(context),
    }),
    show: async (id, context) => {
      const { receiver } = await existingReceiver(context as CommandContext, id);
      return statesOf(receiver);
    },
  });

  const reason = new Option("--reason <text>", "why, for the history")
    .argParser(readLine(500))
    .default("deactivated");
  const carried = { ...ofReceiver, worksWhenClosed: true, parts: partsOf, show: statesOf } as const;
  actCommand(receivers, "disable <receiver-id>", deactivateReceiver, {
    ...carried,
    options: [reason],
  });
  actCommand(receivers, "enable <receiver-id>", activateReceiver, carried);

  kycCommands(receivers.command("kyc").description("decide the identity check of a receiver"));

  actCommand(receivers, "kyc-link <receiver-id>", createPersonLink, {
    ...ofReceiver,
    parts: (context) => ({
      makePersonLink: personLinkMaker({
        ...(context as CommandContext),
        clock: context.clock,
        // The reason is for the operator alone, and names no secret.
        log: { warn: (context: object) => void stderr.write(reasonIn(context)) },
      }),
    }),
    show: ({ receiver_id, url, expiresAtMs }, _context, { json }) => {
      const expires_at = json ? String(expiresAtMs) : time(String(expiresAtMs));
      return { receiver_id, url, expires_at };
    },
  });
}

function kycCommands(kyc: Command): void {
  const reason = () =>
    new Option("--reason <text>", "why; kept in the history, which API callers can read")
      .argParser(readLine(500))
      .makeOptionMandatory();

  actCommand(kyc, "approve <receiver-id>", approveIdentity, {
    ...ofReceiver,
    show: statesOf,
    options: [reason()],
  });
  actCommand(kyc, "reject <receiver-id>", rejectIdentity, {
    ...ofReceiver,
    fields: { ...ofReceiver.fields, reason: "note" },
    show: statesOf,
    options: [
      reason(),
      new Option("--final", "final: no further try").conflicts("retry"),
      new Option("--retry", "the receiver may try again"),
    ],
    read: (given, context) => ofReceiver.read({ final: false, ...given }, context),
  }).hook("preAction", (command) => {
    const { final, retry } = command.opts();
    if (!final === !retry) throw new CliError("Give either --final or --retry.", exitCodes.usage);
  });
}

/** Of changes that screen no one. */
function partsOf(context: Context): ReceiverActParts {
  return { providers: (context as CommandContext).providers, screener: noScreening };
}

type InStates = Record<"id" | "status" | "kyc_status", string>;

function statesOf({ id, status, kyc_status }: InStates) {
  return { receiver_id: id, status, kyc_status };
}

function reasonIn(context: object): string {
  const { err } = context as { err?: unknown };
  return err instanceof Error ? `${err.message}\n` : "";
}
