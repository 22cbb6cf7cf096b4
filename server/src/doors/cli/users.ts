// disburse users list | setup-link | invite | reset | confirm | disable | end-sessions; `disburse people` is an alias.

import { type Command, Option } from "commander";
import { isUuid, newId } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { type Actor, userActorName } from "../../tenants/audit/index.ts";
import { type Role, roles } from "../../tenants/roles/index.ts";
import { findSubaccount } from "../../tenants/subaccounts/index.ts";
import { findUserByEmail, listUsers } from "../../tenants/user-records/index.ts";
import {
  changeUser,
  confirmUser,
  endAllSessions,
  inviteUser,
  linkOf,
  newSetUpToken,
  resetUser,
} from "../../tenants/users/index.ts";
import type { Opened } from "../database/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { byOption, commandActor } from "./command-actor.ts";
import { withDatabase } from "./database.ts";
import { userBaseUrl } from "./environment.ts";
import { readLine } from "./option-values.ts";
import { print } from "./output.ts";

type Options = { json?: boolean; by?: string };
type InviteOptions = Options & { email: string; name?: string; role: Role; subaccount?: string[] };

export function addUserCommands(users: Command): void {
  users
    .command("list")
    .description("list users and their roles")
    .option("--json", "print JSON")
    .action(({ json }: Options) =>
      withDatabase("users list", async ({ db }) => {
        const rows = await listUsers(db, Date.now());
        const shown = rows.map(({ id, name, email, role, subaccount_ids, ...rest }) => ({
          id,
          name,
          email,
          role,
          subaccount_id: subaccount_ids?.join(" ") ?? null,
          logged_in_at: rest.logged_in_at,
          sessions: rest.sessions,
          disabled_at: rest.disabled_at,
        }));
        print(shown, { json });
      }),
    );

  users
    .command("setup-link")
    .description("create the link for the first admin; it replaces an earlier link")
    .option("--json", "print JSON")
    .action(({ json }: Options) =>
      withDatabase("users setup-link", async ({ db }) => {
        const token = await newSetUpToken(db);
        if (!token) {
          const instead = "Create a link with disburse users invite, or disburse users reset.";
          throw new CliError(`The console has an admin already. ${instead}`, exitCodes.refused);
        }
        print({ link: consoleLink(token), works }, { json });
      }),
    );

  writing(users.command("invite"))
    .description("invite a user: prints the link with which they choose a password")
    .requiredOption("--email <address>", "email of the user")
    .addOption(new Option("--role <role>", "role of the user").choices(roles).makeOptionMandatory())
    .option("--name <name>", "name of the user", readLine(100))
    .option("--subaccount <ids...>", "the subaccounts that a developer can see")
    .action(({ json, by, email, role, name = email, subaccount }: InviteOptions) =>
      withDatabase("users invite", async ({ db, seal }) => {
        for (const id of subaccount ?? []) await requireSubaccount(db, id);
        const invitation = { email, name, role, subaccountIds: subaccount };
        const made = await inviteUser(
          { db, seal },
          invitation,
          await userCommandActor(db, by),
          Date.now(),
        );
        printLink({ ...made, email }, { json });
      }),
    );

  writing(users.command("reset <email>"))
    .description("reset sessions, password and passkeys; prints a link for a new password")
    .action((email: string, { json, by }: Options) =>
      withDatabase("users reset", async ({ db, seal }) => {
        const id = await requireUser(db, email);
        const token = await resetUser({ db, seal }, id, await userCommandActor(db, by), Date.now());
        printLink({ id, email, token }, { json });
      }),
    );

  writing(users.command("confirm <email>"))
    .description(
      "confirm a user whom one admin let in, where no other admin can do it at the console",
    )
    .action((email: string, { json, by }: Options) =>
      withDatabase("users confirm", async ({ db, seal }) => {
        const id = await requireUser(db, email);
        const user = { id, who: userActorName({ email }) };
        await confirmUser({ db, seal }, user, await userCommandActor(db, by), Date.now());
        print({ id, email, confirmed: true }, { json });
      }),
    );

  writing(users.command("disable <email>"))
    .description("disable a user; their sessions end immediately")
    .option("--undo", "enable the user again")
    .action((email: string, { json, by, undo = false }: Options & { undo?: boolean }) =>
      withDatabase("users disable", async ({ db, seal }) => {
        const id = await requireUser(db, email);
        await changeUser(
          { db, seal },
          id,
          { isDisabled: !undo },
          await userCommandActor(db, by),
          Date.now(),
        );
        print({ id, email, disabled: !undo }, { json });
      }),
    );

  writing(users.command("end-sessions"))
    .description("end the sessions of all users: each signs in again")
    .action(({ json, by }: Options) =>
      withDatabase("users end-sessions", async (opened) => {
        const actor = await userCommandActor(opened.db, by);
        print({ sessions_ended: await endAllSessions(opened, actor) }, { json });
      }),
    );
}

function writing(command: Command): Command {
  return byOption(command).option("--json", "print JSON");
}

/** Each command has its own request id in the audit. */
async function userCommandActor(db: Db, by: string | undefined): Promise<Actor> {
  return { ...(await commandActor(db, by)), requestId: newId() };
}

function printLink(
  { id, email, token }: { id: string; email: string; token: string },
  { json }: { json: boolean | undefined },
): void {
  print({ id, email, link: consoleLink(token), works }, { json });
}

const works = "once, for 24 hours";

function consoleLink(token: string): string {
  const { consoleUrl, port } = configuration();
  return linkOf(consoleUrl ?? consoleAt(userBaseUrl()) ?? `http://localhost:${port}`, token);
}

/** A console on this machine is opened as localhost, because passkeys need a name and not an IP address. */
function consoleAt(baseUrl: string | undefined): string | undefined {
  if (baseUrl === undefined) return undefined;
  if (!URL.canParse(baseUrl)) {
    throw new CliError("DISBURSE_BASE_URL is not a URL.", exitCodes.usage);
  }
  const url = new URL(baseUrl);
  if (url.hostname === "127.0.0.1") url.hostname = "localhost";
  return url.origin;
}

async function requireUser(db: Opened["db"], email: string): Promise<string> {
  const id = await findUserByEmail(db, email);
  if (!id) throw new CliError(`There is no user with the email ${email}.`, exitCodes.notFound);
  return id;
}

async function requireSubaccount(db: Opened["db"], id: string): Promise<void> {
  if (isUuid(id) && (await findSubaccount(db, id))) return;
  throw new CliError(`There is no subaccount ${id}.`, exitCodes.notFound);
}
