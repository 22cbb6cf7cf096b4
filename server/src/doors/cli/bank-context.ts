// What the commands about banks share: the database, the connections, the actor.

import {
  type BankConnection,
  listConnections,
  toConnection,
} from "../../banking/connections/index.ts";
import type { Fields } from "../../platform/fields/index.ts";
import type { Actor } from "../../tenants/audit/index.ts";
import type { Opened } from "../database/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { commandActor } from "./command-actor.ts";
import { withDatabase } from "./database.ts";

export type BankOptions = { json?: boolean; by?: string };

export type BankContext = Pick<Opened, "db" | "seal"> & {
  actor: Actor;
  /** By name or id. */
  connection(name: string): Promise<BankConnection>;
};

export async function withBankContext(
  purpose: string,
  { by }: BankOptions,
  work: (context: BankContext) => Promise<void>,
  database: Parameters<typeof withDatabase>[2] = {},
): Promise<void> {
  await withDatabase(
    purpose,
    async ({ db, seal }) => {
      const actor = await commandActor(db, by);
      await work({
        db,
        seal,
        actor,
        async connection(name) {
          const rows = await listConnections(db);
          const row = rows.find((one) => one.name === name || one.id === name);
          if (!row) {
            const known = rows.map((one) => `  ${one.name}`).join("\n") || "  none";
            throw new CliError(
              `There is no bank connection ${name}. There are:\n${known}`,
              exitCodes.notFound,
            );
          }
          const found = toConnection(row, seal);
          if (!found) throw new CliError(cantDecrypt(row.name));
          return found;
        },
      });
    },
    database,
  );
}

/** The field `id` of a command whose argument names a bank connection. */
export async function readBank(given: Fields, context: object): Promise<Fields> {
  const { id } = await (context as BankContext).connection(String(given.id));
  return { ...given, id };
}

export const cantDecrypt = (names: string) => `The settings of ${names} can't be decrypted.`;
