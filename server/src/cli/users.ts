// disburse people list | setup-link | invite | reset | disable

import { type Command, Option } from "commander";
import { CliError, exitCodes } from "../app/cli-error.ts";
import { configuration } from "../app/configuration.ts";
import type { Opened } from "../app/open-database.ts";
import type { Actor } from "../audit/actor.ts";
import { isUuid, newId } from "../ids.ts";
import { findSubaccount } from "../subaccounts/queries.ts";
import { changeUser } from "../users/change.ts";
import { linkOf, newSetUpToken } from "../users/invitation.ts";
import { inviteUser } from "../users/invite.ts";
import { findUserByEmail, listUsers } from "../users/queries.ts";
import { resetUser } from "../users/reset.ts";
import { type Role, roles } from "../users/user.ts";
import { commandActor } from "./command-actor.ts";
import { withDatabase } from "./database.ts";
import { readLine } from "./option-values.ts";
import { print } from "./output.ts";

type Options = { json?: boolean; by?: string };
type InviteOptions = Options & { email: string; name?: string; role: Role; subaccount?: string[] };

export function addUserCommands(people: Command): void {
  people
    .command("list")
    .description("who uses the console, and what each may do")
    .option("--json", "print JSON")
    .action(({ json }: Options) =>
      withDatabase("people list", async ({ db }) => {
        const rows = await listUsers(db, Date.now());
        const shown = rows.map(({ id, name, email, role, subaccount_ids, ...rest }) => ({
          ...{ id, name, email, role, subaccount_id: subaccount_ids?.join(" ") ?? null },
          logged_in_at: rest.logged_in_at,
          ...{ sessions: rest.sessions, disabled_at: rest.disabled_at },
        }));
        print(shown, { json });
      }),
    );

  people
    .command("setup-link")
    .description("make the link by which the first admin comes in; one from before stops working")
    .option("--json", "print JSON")
    .action(({ json }: Options) =>
      withDatabase("people setup-link", async ({ db }) => {
        const token = await newSetUpToken(db);
        if (!token) {
          const instead = "Make a link with disburse people invite, or disburse people reset.";
          throw new CliError(`The console has an admin already. ${instead}`, exitCodes.refused);
        }
        print({ link: consoleLink(token), works }, { json });
      }),
    );

  writing(people.command("invite"))
    .description("let somebody in: prints the link by which they choose their password")
    .requiredOption("--email <address>", "their e-mail address")
    .addOption(new Option("--role <role>", "what they may do").choices(roles).makeOptionMandatory())
    .option("--name <name>", "their name", readLine(100))
    .option("--subaccount <ids...>", "the only ones that a developer sees")
    .action(({ json, by, email, role, name = email, subaccount }: InviteOptions) =>
      withDatabase("people invite", async ({ db, seal }) => {
        for (const id of subaccount ?? []) await demandSubaccount(db, id);
        const wish = { email, name, role, subaccountIds: subaccount };
        const made = await inviteUser({ db, seal }, wish, userCommandActor(by), Date.now());
        printLink({ ...made, email }, { json });
      }),
    );

  writing(people.command("reset <email>"))
    .description("end their sessions, password and passkeys; prints a link for a new password")
    .action((email: string, { json, by }: Options) =>
      withDatabase("people reset", async ({ db, seal }) => {
        const id = await demandPerson(db, email);
        const token = await resetUser({ db, seal }, id, userCommandActor(by), Date.now());
        printLink({ id, email, token }, { json });
      }),
    );

  writing(people.command("disable <email>"))
    .description("let somebody in no more; their sessions end at once")
    .option("--undo", "let them in again")
    .action((email: string, { json, by, undo = false }: Options & { undo?: boolean }) =>
      withDatabase("people disable", async ({ db, seal }) => {
        const id = await demandPerson(db, email);
        await changeUser({ db, seal }, id, { isDisabled: !undo }, userCommandActor(by), Date.now());
        print({ id, email, disabled: !undo }, { json });
      }),
    );
}

function writing(command: Command): Command {
  return command
    .option("--by <name>", "who you are, for the audit; your user name when absent", readLine(100))
    .option("--json", "print JSON");
}

/** Each command has its own request id in the audit. */
function userCommandActor(by: string | undefined): Actor {
  return { ...commandActor(by), requestId: newId() };
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
  return linkOf(consoleUrl ?? `http://localhost:${port}`, token);
}

async function demandPerson(db: Opened["db"], email: string): Promise<string> {
  const id = await findUserByEmail(db, email);
  if (!id) throw new CliError(`Nobody has the e-mail address ${email}.`, exitCodes.notFound);
  return id;
}

async function demandSubaccount(db: Opened["db"], id: string): Promise<void> {
  if (isUuid(id) && (await findSubaccount(db, id))) return;
  throw new CliError(`There is no subaccount ${id}.`, exitCodes.notFound);
}
