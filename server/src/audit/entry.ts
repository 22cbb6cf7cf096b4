// An entry of the audit, and how it is chained to the one before it. Pure.

import { toNumber } from "../money.ts";
import type { Seal } from "../seal.ts";

export type AuditEntry = {
  number: number;
  atMs: number;
  who: string;
  action: string;
  objectKind: string;
  objectId: string;
  subaccountId: string | null;
  before: AuditJson;
  after: AuditJson;
  ip: string;
  requestId: string;
};

export type AuditJson = { [name: string]: JsonValue };
type JsonValue = null | boolean | number | string | JsonValue[] | AuditJson;

/** The end of a chain, or where in it an entry stands. */
export type ChainLink = { number: number; hash: string };

/**
 * The entry's hash. Each part has its place in a list, so that no two entries read alike, and an object's names are
 * in order, since the database keeps them in an order of its own.
 */
export function hashOf(seal: Seal, entry: AuditEntry, previousHash: string): string {
  const { number, atMs, who, action, objectKind, objectId, subaccountId } = entry;
  const { before, after, ip, requestId } = entry;
  const what = [who, action, objectKind, objectId, subaccountId, inOrder(before), inOrder(after)];
  return seal.sign("entry", JSON.stringify([previousHash, number, atMs, ...what, ip, requestId]));
}

/** Says that the chain ends here. */
export function headMarkOf(seal: Seal, { number, hash }: ChainLink): string {
  return seal.sign("head", JSON.stringify([number, hash]));
}

function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== "object") return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name] as JsonValue)]));
}

/** What the database keeps and gives back the same: no bigint, no date, and no text that it would change. */
export function plainJson(value: Record<string, unknown>): AuditJson {
  const text = JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part === "bigint") return toNumber(part);
    return typeof part === "string" ? plainText(part) : part;
  });
  return JSON.parse(text) as AuditJson;
}

/** Half a character, and the character zero, are none to PostgreSQL. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
