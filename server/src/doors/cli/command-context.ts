// The shared parts of commands about a subaccount's data: the options, the chosen subaccount, the actor.

import type { Command } from "commander";
import { type RailDirectory, railsOf } from "../../money/rails/index.ts";
import { screenerOfCommand } from "../../money/screener/index.ts";
import { type KycProviders, kycProviders } from "../../people/kyc-providers/index.ts";
import type { Screener } from "../../people/screening/index.ts";
import { isUuid, type Mode } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { readEventId } from "../../platform/event-catalogue/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import type { Actor } from "../../tenants/audit/index.ts";
import { sees } from "../../tenants/roles/index.ts";
import { findSubaccount, listSubaccounts } from "../../tenants/subaccounts/index.ts";
import type { Opened } from "../database/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { byOption, commandActor } from "./command-actor.ts";
import { withDatabase } from "./database.ts";
import { type CommandObject, findSubaccountOf } from "./object-queries.ts";
import { remoteRun } from "./terminal.ts";

export type ReadOptions = {
  json?: boolean;
  subaccount?: string;
  /** What the command is about. Its subaccount need not be named. */
  object?: CommandObject;
};
export type WriteOptions = ReadOptions & { by?: string };

export function readOptions(command: Command): Command {
  return command
    .option("--subaccount <id>", "optional with an id, and when only one subaccount is open")
    .option("--json", "print JSON");
}

export function writeOptions(command: Command): Command {
  return byOption(readOptions(command));
}

/** The options of a command that takes an id. Its subaccount follows from it. */
export function about<Options extends ReadOptions>(
  kind: CommandObject["kind"],
  id: string,
  options: Options,
): Options {
  return { ...options, object: { kind, id } };
}

/** The context of a command about one subaccount's data. */
export type CommandContext = {
  db: Db;
  seal: Seal;
  providers: KycProviders;
  rails: RailDirectory;
  subaccountId: string;
  mode: Mode;
  isClosed: boolean;
  actor: Actor;
};

/** Opens the database, runs the command for the chosen subaccount, and closes. */
export async function withCommandContext(
  purpose: string,
  { subaccount, object, by }: WriteOptions,
  work: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const inSubaccount = async ({ db, seal }: Pick<Opened, "db" | "seal">) => {
    const { providers, rails } = remoteRun() ?? (await connected({ db, seal }));
    const of = await subaccountOf(db, object);
    if (subaccount === undefined && object && of !== undefined && !isSeen(of)) {
      throw new CliError(`There is no ${object.kind} ${object.id}.`, exitCodes.notFound);
    }
    const named = subaccount ?? of;
    const chosen = await chosenSubaccount(db, named, object);
    const actor = { ...(await commandActor(db, by)), subaccountId: chosen.subaccountId };
    await work({ db, seal, providers, rails, actor, ...chosen });
  };
  await withDatabase(purpose, inSubaccount, { isOfSubaccount: true });
}

/** The lists that a process which serves has in memory, or those of this command. */
export async function screenerFor({ db }: Pick<Opened, "db">): Promise<Screener> {
  return remoteRun()?.screener ?? (await screenerOfCommand(db));
}

/** As a process that serves connects them. */
async function connected(parts: Pick<Opened, "db" | "seal">) {
  const config = configuration();
  const rails = railsOf(config);
  const { connectBanks } = await import("../../banking/connections/index.ts");
  await connectBanks({ ...parts, rails });
  return { providers: kycProviders(config.kyc), rails };
}

/** The data of a closed subaccount can be read and reviewed, but nothing new can be created. */
export function requireOpenForCommand({ isClosed }: CommandContext): void {
  if (isClosed) throw new Refusal("SUBA101");
}

/** Who does it, and where. Four eyes and permissions are those of the user over HTTP. */
export function byInSubaccount({ actor, subaccountId: id, mode, isClosed }: CommandContext) {
  const { session, user, caller, stillMay } = remoteRun() ?? {};
  return { actor, session, user, caller, stillMay, subaccount: { id, mode, isClosed } };
}

/** Undefined if there is no such object: then the command says so. */
async function subaccountOf(
  db: Db,
  object: CommandObject | undefined,
): Promise<string | undefined> {
  const id = object?.kind === "event" ? readEventId(object.id) : object?.id;
  const isId = id !== undefined && (object?.kind === "key" || isUuid(id));
  return object && isId ? findSubaccountOf(db, { ...object, id }) : undefined;
}

/** Over HTTP, what the user may not see is like what does not exist. */
function isSeen(id: string): boolean {
  const { user, caller } = remoteRun() ?? {};
  if (caller) return caller.subaccountId === id.toLowerCase();
  return user === undefined || sees(user, id.toLowerCase());
}

async function chosenSubaccount(
  db: Db,
  id: string | undefined,
  object: CommandObject | undefined,
): Promise<Pick<CommandContext, "subaccountId" | "mode" | "isClosed">> {
  if (id !== undefined) {
    const found = isUuid(id) && isSeen(id) ? await findSubaccount(db, id) : undefined;
    if (!found) throw new CliError(`There is no subaccount ${id}.`, exitCodes.notFound);
    return { subaccountId: found.wire.id, mode: found.mode, isClosed: !!found.closedAt };
  }
  const open = (await listSubaccounts(db)).filter(
    ({ closed_at, subaccount_id }) => closed_at === null && isSeen(subaccount_id),
  );
  const [only, ...others] = open;
  if (!only) throw new CliError("There is no open subaccount.", exitCodes.notFound);
  if (others.length > 0 && object) {
    throw new CliError(`There is no ${object.kind} ${object.id}.`, exitCodes.notFound);
  }
  if (others.length > 0) {
    const list = open.map(
      ({ subaccount_id, mode, name }) => `  ${subaccount_id}  ${mode}  ${name}`,
    );
    throw new CliError(
      `Several subaccounts are open. Name one with --subaccount:\n${list.join("\n")}`,
      exitCodes.usage,
    );
  }
  return { subaccountId: only.subaccount_id, mode: only.mode, isClosed: false };
}
