// disburse accounts list | get | create | validate | check-name. Account numbers are masked.

import { type Command, Option } from "commander";
import {
  type AccountWarning,
  addAccount,
  checkPayeeName,
  findAccount,
  listAccounts,
  type ReceiverAccount,
  ReceiverAccountToValidate,
  validateAccount,
} from "../../people/accounts/index.ts";
import { maskedNumber, tailOf } from "../../people/person/index.ts";
import { noScreening } from "../../people/screening/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { GivenFields } from "../../platform/fields/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { actCommand } from "./act-command.ts";
import {
  about,
  type CommandContext,
  type ReadOptions,
  readOptions,
  screenerFor,
  withCommandContext,
} from "./command-context.ts";
import { withDatabase } from "./database.ts";
import { importAccountsCommand } from "./import-accounts.ts";
import { print, type Shown } from "./output.ts";
import { existingReceiver } from "./receivers-read.ts";
import { checked, fieldOptions, fieldsOrFile, fileOption } from "./schema-options.ts";
import { stderr } from "./terminal.ts";

export function addAccountCommands(accounts: Command): void {
  const list = accounts
    .command("list <receiver-id>")
    .description("list the open accounts of a receiver, newest first");
  readOptions(list).action((id: string, options: ReadOptions) =>
    withCommandContext("accounts list", about("receiver", id, options), async (context) => {
      const { key } = await existingReceiver(context, id);
      const found = (await listAccounts(context, key)).map(masked);
      print(options.json ? found : found.map(inShort), options);
    }),
  );

  const get = accounts.command("get <account-id>").description("show an account, open or closed");
  readOptions(get).action((id: string, options: ReadOptions) =>
    withCommandContext("accounts get", about("account", id, options), async (context) => {
      const account = masked(await existingAccount(context, id));
      print(options.json ? account : inLines(account), options);
    }),
  );

  actCommand(accounts, "create", addAccount, {
    object: "receiver",
    file: "REAC227",
    fields: { receiver: "receiver_id" },
    options: [new Option("--receiver <id>", "the receiver").makeOptionMandatory()],
    async read(given, context) {
      const id = String(given.receiver_id);
      const { key } = await existingReceiver(context as CommandContext, id);
      return { ...given, receiver_id: key.id };
    },
    parts: async (context) => ({
      // Only an account that is created at once is screened.
      screener:
        (context as CommandContext).mode === "test" ? await screenerFor(context) : noScreening,
    }),
    show({ warnings, ...record }, _context, options) {
      if (!options.json && record.status === "awaiting_approval") {
        stderr.write("It waits for the approval of a second user, in the console.\n");
      }
      return withWarnings(record, warnings, options);
    },
  });

  importAccountsCommand(accounts);

  actCommand(accounts, "check-name <account-id>", checkPayeeName, {
    object: "account",
    fields: { "account-id": "id" },
    async read({ id }, context) {
      await existingAccount(context as CommandContext, String(id));
      return { id };
    },
  });

  const except = ["receiver_id"];
  const validate = accounts
    .command("validate")
    .description("check an account without creating it")
    .option("--receiver <id>", "the receiver; without it, give --country");
  fieldOptions(fileOption(readOptions(validate)), ReceiverAccountToValidate, { except }).action(
    async (options: ReadOptions & { receiver?: string; file?: string }) => {
      const fields = fieldsOrFile(options, ReceiverAccountToValidate, "REAC227");
      const answer = async (
        reading: { db: Db; seal: Seal },
        subaccountId: string,
        receiver: { receiver_id?: string },
      ) => {
        const input = { ...fields, ...receiver };
        const given: GivenFields<ReceiverAccountToValidate> = checked(
          ReceiverAccountToValidate,
          input,
        );
        const { warnings, ...account } = masked(
          await validateAccount(reading, subaccountId, given),
        );
        print(withWarnings(options.json ? account : inLines(account), warnings, options), options);
      };
      const { receiver } = options;
      // Without a receiver there is nothing to look up, so no subaccount is needed.
      if (receiver === undefined) {
        return withDatabase("accounts validate", ({ db, seal }) => answer({ db, seal }, "", {}));
      }
      return withCommandContext("accounts validate", options, async (context) => {
        const { key } = await existingReceiver(context, receiver);
        await answer(context, key.subaccountId, { receiver_id: key.id });
      });
    },
  );
}

async function existingAccount(
  { db, seal, subaccountId }: CommandContext,
  id: string,
): Promise<ReceiverAccount> {
  const found = await findAccount({ db, seal }, { subaccountId, id: id.toLowerCase() });
  if (found) return found;
  throw new CliError(
    `There is no account ${id} in subaccount ${subaccountId}.`,
    exitCodes.notFound,
  );
}

type WithBank = Pick<ReceiverAccount, "bank_account_data" | "account_data">;

function masked<Account extends WithBank>(account: Account): Account {
  const { account_number, ...bank } = account.bank_account_data;
  const shown = maskedNumber(tailOf(account_number));
  return { ...account, bank_account_data: { account_number: shown, ...bank } };
}

function inShort(account: ReceiverAccount) {
  const { id, individual_or_business, bank_account_data, address_data, payee_name_check } = account;
  const { country } = address_data;
  return { id, individual_or_business, ...bank_account_data, country, payee_name_check };
}

/** Flattens the nested objects. */
function inLines(account: WithBank & Partial<Pick<ReceiverAccount, "address_data">>): Shown {
  const { address_data, bank_account_data, account_data, ...rest } = account;
  return { ...rest, ...address_data, ...bank_account_data, ...account_data };
}

/** Warnings are part of the JSON, and lines for a person. */
function withWarnings(record: Shown, warnings: AccountWarning[], { json }: ReadOptions): Shown {
  if (json) return { ...record, warnings };
  for (const { field, message } of warnings) {
    stderr.write(`Warning, ${field}: ${message}\n`);
  }
  return record;
}
