// disburse receivers create | disable | enable | kyc approve | kyc reject | kyc-link

import { type Command, Option } from "commander";
import { screenerOfCommand } from "../../money/screener/index.ts";
import {
  createPersonLink,
  decideKyc,
  type KycDecision,
  personLinkMaker,
} from "../../people/kyc/index.ts";
import {
  changeReceiver,
  createReceiversOnce,
  disableReceiver,
  NewReceiver,
  toReceiverCreation,
} from "../../people/receivers/index.ts";
import { noScreening } from "../../people/screening/index.ts";
import { systemClock } from "../../platform/base/index.ts";
import { responseOrRefuse } from "../../platform/idempotency/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type AuditNote, audited } from "../../tenants/audit/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import {
  about,
  commandCallerOf,
  requireOpenForCommand,
  type WriteOptions,
  withCommandContext,
  writeOptions,
} from "./command-context.ts";
import { readLine } from "./option-values.ts";
import { print, time } from "./output.ts";
import { existingReceiver } from "./receivers-read.ts";
import { checkedOrRefused, fieldOptions, fieldsOrFile, fileOption } from "./schema-options.ts";

const readReason = readLine(500);

export function changeReceiverCommands(receivers: Command): void {
  const create = receivers.command("create").description("create a receiver");
  fieldOptions(fileOption(writeOptions(create)), NewReceiver).action(
    async (options: WriteOptions & { file?: string }) => {
      const given = fieldsOrFile(options, NewReceiver, "REVR232");
      const input = checkedOrRefused<NewReceiver>(NewReceiver, given);
      await withCommandContext("receivers create", options, async (context) => {
        requireOpenForCommand(context);
        const { providers, mode, seal } = context;
        const { who } = context.actor;
        const creation = toReceiverCreation(commandCallerOf(context), input, {
          provider: providers[mode],
          screener: await screenerOfCommand(context.db),
          seal,
          who,
        });
        const { id, status, kyc_status } = creation.row;
        await audited(context, context.actor).transaction(
          actOn("receiver.create", id),
          async (tx) => {
            const [outcome] = await createReceiversOnce(tx, [creation]);
            if (!outcome) throw new Error("a creation must be answered");
            if (outcome === "email-taken") throw new Refusal("REVR201");
            responseOrRefuse(outcome);
          },
        );
        print({ receiver_id: id, status, kyc_status }, options);
      });
    },
  );

  const disable = receivers
    .command("disable <receiver-id>")
    .description("deactivate a receiver, who then can't be paid")
    .option("--reason <text>", "why, for the history", readReason, "deactivated");
  writeOptions(disable).action((id: string, options: WriteOptions & { reason: string }) =>
    withCommandContext("receivers disable", about("receiver", id, options), async (context) => {
      const { providers } = context;
      const { who } = context.actor;
      const { key } = await existingReceiver(context, id);
      const changing = { who, providers, atMs: Date.now() };
      const { reason } = options;
      const states = await audited(context, context.actor).transaction(
        actOn("receiver.disable", key.id, { reason }),
        (tx) => disableReceiver(tx, key, changing, reason),
      );
      printStates(key.id, states, options);
    }),
  );

  const enable = receivers.command("enable <receiver-id>").description("activate a receiver again");
  writeOptions(enable).action((id: string, options: WriteOptions) =>
    withCommandContext("receivers enable", about("receiver", id, options), async (context) => {
      const { providers, seal } = context;
      const { who } = context.actor;
      const { key } = await existingReceiver(context, id);
      const changing = { who, providers, seal, screener: noScreening, atMs: Date.now() };
      const states = await audited(context, context.actor).transaction(
        actOn("receiver.enable", key.id),
        (tx) => changeReceiver(tx, key, { status: "active" }, changing),
      );
      printStates(key.id, states, options);
    }),
  );

  addKycCommands(receivers);
  addLinkCommand(receivers);
}

function addLinkCommand(receivers: Command): void {
  const link = receivers
    .command("kyc-link <receiver-id>")
    .description("create a link with which the person gives what the identity check needs");
  writeOptions(link).action((id: string, options: WriteOptions) =>
    withCommandContext("receivers kyc-link", about("receiver", id, options), async (context) => {
      requireOpenForCommand(context);
      const { key } = await existingReceiver(context, id);
      // The reason is for the operator alone, and names no secret.
      const log = { warn: (context: object) => void process.stderr.write(reasonIn(context)) };
      const makePersonLink = personLinkMaker({ ...context, clock: systemClock, log });
      const parts = { ...context, makePersonLink };
      const { url, expiresAtMs } = await createPersonLink(parts, key, context.actor);
      const expires_at = options.json ? String(expiresAtMs) : time(String(expiresAtMs));
      print({ receiver_id: key.id, url, expires_at }, options);
    }),
  );
}

function reasonIn(context: object): string {
  const { err } = context as { err?: unknown };
  return err instanceof Error ? `${err.message}\n` : "";
}

type Reasoned = WriteOptions & { reason: string };

function addKycCommands(receivers: Command): void {
  const kyc = receivers.command("kyc").description("decide the identity check of a receiver");
  const reason = () =>
    new Option("--reason <text>", "why; kept in the history, which API callers can read")
      .argParser(readReason)
      .makeOptionMandatory();

  const approve = kyc
    .command("approve <receiver-id>")
    .description("approve the identity, also after a failed check")
    .addOption(reason());
  writeOptions(approve).action((id: string, options: Reasoned) =>
    decide(id, options, { verdict: "approve" }),
  );

  const reject = kyc
    .command("reject <receiver-id>")
    .description("reject the identity, finally or with another try")
    .addOption(reason())
    .addOption(new Option("--final", "final: no further try").conflicts("retry"))
    .addOption(new Option("--retry", "the receiver may try again"));
  writeOptions(reject).action((id: string, options: Reasoned & Record<string, unknown>) => {
    const { final = false, retry = false } = options as { final?: boolean; retry?: boolean };
    if (final === retry) throw new CliError("Give either --final or --retry.", exitCodes.usage);
    return decide(id, options, { verdict: "reject", final });
  });
}

type Verdict = { verdict: "approve" } | { verdict: "reject"; final: boolean };

function decide(id: string, options: Reasoned, verdict: Verdict): Promise<void> {
  return withCommandContext(
    `receivers kyc ${verdict.verdict}`,
    about("receiver", id, options),
    async (context) => {
      const { key } = await existingReceiver(context, id);
      const { reason } = options;
      const judgement: KycDecision = {
        who: context.actor.who,
        reason,
        atMs: Date.now(),
        ...verdict,
      };
      const states = await audited(context, context.actor).transaction(
        actOn("receiver.review", key.id, { reason, ...verdict }),
        (tx) => decideKyc(tx, key, judgement),
      );
      printStates(key.id, states, options);
    },
  );
}

function actOn(action: string, id: string, after: AuditNote["after"] = {}): AuditNote {
  return { action, object: { kind: "receiver", id }, after };
}

function printStates(
  receiver_id: string,
  { status, kyc_status }: { status: string; kyc_status: string },
  options: WriteOptions,
): void {
  print({ receiver_id, status, kyc_status }, options);
}
