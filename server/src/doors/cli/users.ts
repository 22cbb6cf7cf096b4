// disburse users list | setup-link | invite | reset | confirm | disable | end-sessions; `disburse people` is an alias.

import { type Command, Option } from "commander";
import { isUuid } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Fields } from "../../platform/fields/index.ts";
import { findSubaccount } from "../../tenants/subaccounts/index.ts";
import { findUserByEmail, listUsers } from "../../tenants/user-records/index.ts";
import {
  changeUser,
  confirmUser,
  endAllSessions,
  inviteUser,
  linkOf,
  newSetUpTokens,
  resetUser,
} from "../../tenants/users/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { actCommand, type Context } from "./act-command.ts";
import { withDatabase } from "./database.ts";
import { userBaseUrl } from "./environment.ts";
import { readLine } from "./option-values.ts";
import { print, type Shown } from "./output.ts";

type Options = { json?: boolean };

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
    .description("create the links for the first two admins; they replace earlier links")
    .option("--json", "print JSON")
    .action(({ json }: Options) =>
      withDatabase("users setup-link", async ({ db }) => {
        const tokens = await newSetUpTokens(db);
        if (!tokens) {
          const instead = "Create a link with disburse users invite, or disburse users reset.";
          throw new CliError(`The console has an admin already. ${instead}`, exitCodes.refused);
        }
        const links = {
          link: consoleLink(tokens.first),
          second_link: consoleLink(tokens.second),
        };
        print({ ...links, works }, { json });
      }),
    );

  actCommand(users, "invite", inviteUser, {
    fields: { subaccount: "subaccount_ids" },
    options: [
      new Option("--name <name>", "name of the user").argParser(readLine(100)),
      new Option("--email <address>", "email of the user").makeOptionMandatory(),
      new Option("--subaccount <ids...>", "the subaccounts that a developer can see"),
    ],
    without: ["subaccount_id"],
    async read(given, { db }) {
      for (const id of (given.subaccount_ids as string[] | undefined) ?? []) {
        await requireSubaccount(db, id);
      }
      return given;
    },
    show: showLink,
  });

  actCommand(users, "reset <email>", resetUser, { ...ofUser, show: showLink });

  actCommand(users, "confirm <email>", confirmUser, {
    ...ofUser,
    show: ({ id }, _, __, { email }) => ({ id, email, confirmed: true }),
  });

  actCommand(users, "disable <email>", changeUser, {
    fields: { undo: "disabled" },
    options: [new Option("--undo", "enable the user again")],
    without: ["id", "role", "subaccount_id", "subaccount_ids"],
    read: async (given, context) => ({
      ...(await ofUser.read(given, context)),
      disabled: !given.disabled,
    }),
    show: ({ id }, _, __, { email, disabled }) => ({ id, email, disabled: !disabled }),
  }).description("disable a user; their sessions end immediately");

  actCommand(users, "end-sessions", endAllSessions, {
    show: (sessions) => ({ sessions_ended: sessions }),
  });
}

const ofUser = {
  without: ["id"],
  async read({ email }: Fields, { db }: Context) {
    const id = await findUserByEmail(db, String(email));
    if (id) return { id };
    throw new CliError(`There is no user with the email ${email}.`, exitCodes.notFound);
  },
};

function showLink(
  { id, token }: { id: string; token: string },
  _context: Context,
  _options: object,
  { email }: Shown,
) {
  return { id, email, link: consoleLink(token), works };
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

async function requireSubaccount(db: Db, id: string): Promise<void> {
  if (isUuid(id) && (await findSubaccount(db, id))) return;
  throw new CliError(`There is no subaccount ${id}.`, exitCodes.notFound);
}
