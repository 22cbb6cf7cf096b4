// The bank connection that a file from a bank belongs to: by our account in it, or by what we sent.

import type { Runner } from "../../platform/db/index.ts";
import type { BankConnection } from "../connections/index.ts";
import { comparableAccount } from "../files/index.ts";
import type { FileOwner, InboundLine } from "../readers/index.ts";
import { findSendingConnection } from "./inbound-queries.ts";

/** The settings by which a bank calls us, by their names on the wire. */
const ownNames = ["account_number", "company_id"] as const;
/** Shorter ones are no account numbers, and would be found at the end of others. */
const shortestNumber = 5;

/** Whether a bank that writes this means the connection. Banks write the number with or without their own before it. */
function isCalled({ settings }: BankConnection, ours: string): boolean {
  const given = comparableAccount(ours);
  return ownNames.some((name) => {
    const own = comparableAccount(String((settings as Record<string, unknown>)[name] ?? ""));
    if (given.length < shortestNumber || own.length < shortestNumber) return given === own;
    return given.endsWith(own) || own.endsWith(given);
  });
}

/** A line that names no account of ours belongs to the connection of its file. */
export function isOurs({ ours }: Pick<InboundLine, "ours">, connection: BankConnection): boolean {
  return ours === "" || isCalled(connection, ours);
}

/** Those that the file names, by our account. */
export function connectionsCalled(
  connections: readonly BankConnection[],
  { ours }: Pick<FileOwner, "ours">,
): BankConnection[] {
  return connections.filter((one) => [...ours].some((text) => isCalled(one, text)));
}

/** Undefined where nothing says so, or several fit. */
export async function findOwner(
  db: Runner,
  connections: readonly BankConnection[],
  owner: FileOwner,
): Promise<BankConnection | undefined> {
  const [only, ...others] = connectionsCalled(connections, owner);
  if (only && others.length === 0) return only;
  const id = await findSendingConnection(db, owner);
  return connections.find((one) => one.id === id);
}
