// disburse accounts list | get | create | validate | check-name. Account numbers are masked.

import type { Command } from "commander";
import { screenerOfCommand } from "../../money/screener/index.ts";
import {
  type AccountWarning,
  type CreatedReceiverAccount,
  createAccount,
  findAccount,
  listAccounts,
  NewReceiverAccount,
  type Proposed,
  proposalEntry,
  proposeAccount,
  type ReceiverAccount,
  ReceiverAccountToValidate,
  requestPayeeCheck,
  validateAccount,
} from "../../people/accounts/index.ts";
import { maskedNumber, tailOf } from "../../people/person/index.ts";
import { isUuid } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { GivenFields } from "../../platform/fields/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import {
  about,
  type CommandContext,
  type ReadOptions,
  readOptions,
  requireOpenForCommand,
  type WriteOptions,
  withCommandContext,
  writeOptions,
} from "./command-context.ts";
import { withDatabase } from "./database.ts";
import { print, type Shown } from "./output.ts";
import { existingReceiver } from "./receivers-read.ts";
import { checked, fieldOptions, fieldsOrFile, fileOption } from "./schema-options.ts";

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
      const { subaccountId } = context;
      const found = await findAccount(context, { subaccountId, id: id.toLowerCase() });
      if (!found) throw noSuchAccount(id, subaccountId);
      const account = masked(found);
      print(options.json ? account : inLines(account), options);
    }),
  );

  const except = ["receiver_id"];
  const create = accounts
    .command("create")
    .description("add an account to a receiver; in a live subaccount a second user must approve it")
    .requiredOption("--receiver <id>", "the receiver");
  fieldOptions(fileOption(writeOptions(create)), NewReceiverAccount, { except }).action(
    async (options: WriteOptions & { receiver: string; file?: string }) => {
      const fields = fieldsOrFile(options, NewReceiverAccount, "REAC227");
      await withCommandContext(
        "accounts create",
        about("receiver", options.receiver, options),
        async (context) => {
          requireOpenForCommand(context);
          const { key } = await existingReceiver(context, options.receiver);
          const input = { ...fields, receiver_id: key.id };
          const given: GivenFields<NewReceiverAccount> = checked(NewReceiverAccount, input);
          const { record, warnings } = await (context.mode === "live" ? propose : make)(
            context,
            given,
          );
          printResult(record, warnings, options);
          if (context.mode === "live" && !options.json) {
            process.stderr.write("It waits for the approval of a second user, in the console.\n");
          }
        },
      );
    },
  );

  addCheckNameCommand(accounts);

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
        printResult(options.json ? account : inLines(account), warnings, options);
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

function addCheckNameCommand(accounts: Command): void {
  const checkName = accounts
    .command("check-name <account-id>")
    .description("check again whether the bank knows the payee by the name, in the background");
  writeOptions(checkName).action((id: string, options: WriteOptions) =>
    withCommandContext("accounts check-name", about("account", id, options), async (context) => {
      requireOpenForCommand(context);
      const { subaccountId, actor } = context;
      if (!isUuid(id)) throw noSuchAccount(id, subaccountId);
      const key = { subaccountId, id: id.toLowerCase() };
      const object = { kind: "account", id: key.id };
      await audited(context, actor).transaction(
        { action: "account.check_name", object },
        async (tx) => {
          const isOpen = await requestPayeeCheck(tx, key, Date.now());
          if (!isOpen) throw noSuchAccount(id, subaccountId);
        },
      );
      print({ account_id: key.id, payee_name_check: "requested" }, options);
    }),
  );
}

function noSuchAccount(id: string, subaccountId: string): CliError {
  return new CliError(
    `There is no account ${id} in subaccount ${subaccountId}.`,
    exitCodes.notFound,
  );
}

type Made = { record: Shown; warnings: AccountWarning[] };

/** In test mode, an account needs no approval. */
async function make(
  context: CommandContext,
  given: GivenFields<NewReceiverAccount>,
): Promise<Made> {
  const { seal, subaccountId, actor } = context;
  const screener = await screenerOfCommand(context.db);
  const made = await audited(context, actor).transaction<CreatedReceiverAccount>(
    ({ account_id, receiver_id }) => ({
      action: "account.create",
      object: { kind: "account", id: account_id },
      after: { receiver_id },
    }),
    (tx) => createAccount({ tx, seal, screener }, { subaccountId, who: actor.who }, given),
  );
  const { account_id, receiver_id, status, warnings } = made;
  return { record: { account_id, receiver_id, status }, warnings };
}

async function propose(
  context: CommandContext,
  given: GivenFields<NewReceiverAccount>,
): Promise<Made> {
  const { seal, subaccountId, actor } = context;
  const proposed = await audited(context, actor).transaction<Proposed>(proposalEntry, (tx) =>
    proposeAccount({ tx, seal }, { subaccountId, who: actor.who }, given),
  );
  const { changeId: change_id, receiverId: receiver_id, warnings } = proposed;
  return { record: { change_id, receiver_id, status: "awaiting_approval" }, warnings };
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

function printResult(record: Shown, warnings: AccountWarning[], options: ReadOptions): void {
  print(options.json ? { ...record, warnings } : record, options);
  if (options.json) return;
  for (const { field, message } of warnings) {
    process.stderr.write(`Warning, ${field}: ${message}\n`);
  }
}
