// An entry of the audit log, and its hash, which chains it to the entry before. Pure.

import { toNumber } from "../../platform/base/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";

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
  /** The name of the token with which a program did it. */
  token: string | null;
};

export type AuditJson = { [name: string]: JsonValue };
type JsonValue = null | boolean | number | string | JsonValue[] | AuditJson;

/** The end of the chain, or the place of an entry in it. */
export type ChainLink = { number: number; hash: string };

/**
 * The hash of an entry. Each part has a fixed place in a list, so that no two entries have the same text. Object keys
 * are sorted, because the database does not keep their order.
 */
export function hashOf(seal: Seal, entry: AuditEntry, previousHash: string): string {
  const { number, atMs, who, action, objectKind, objectId, subaccountId } = entry;
  const { before, after, ip, requestId, token } = entry;
  const what = [who, action, objectKind, objectId, subaccountId, inOrder(before), inOrder(after)];
  // Entries of before 0007, and those without a token, have no such part.
  const by = token === null ? [ip, requestId] : [ip, requestId, token];
  return seal.sign("entry", JSON.stringify([previousHash, number, atMs, ...what, ...by]));
}

/**
 * A signature that proves that we removed the content of an entry, and that nothing else took its place. The hash stays,
 * so the entries after it still follow.
 */
export function redactionMarkOf(seal: Seal, entry: AuditEntry, link: ChainLink): string {
  return seal.sign("redaction", hashOf(seal, entry, link.hash));
}

/** A signature that proves that the chain ends here. */
export function headMarkOf(seal: Seal, { number, hash }: ChainLink): string {
  return seal.sign("head", JSON.stringify([number, hash]));
}

function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== "object") return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name] as JsonValue)]));
}

/**
 * Converts to values that the database stores and returns unchanged: no bigint, no date, no text that it would alter.
 */
export function plainJson(value: Record<string, unknown>): AuditJson {
  const text = JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part === "bigint") return toNumber(part);
    return typeof part === "string" ? plainText(part) : part;
  });
  return JSON.parse(text) as AuditJson;
}

/** PostgreSQL stores neither unpaired surrogates nor the character zero. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
