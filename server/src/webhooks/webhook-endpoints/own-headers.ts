// The headers that a subaccount has set for a webhook endpoint. They often hold a credential, so their values are stored
// encrypted and never shown.

import type { Seal } from "../../platform/encryption/index.ts";
import { type Problem, problem } from "../../platform/refusals/index.ts";
import type { EndpointKey } from "./endpoint-tables.ts";

export const ownHeadersMax = 20;
const nameCharsMax = 64;
const valueCharsMax = 1024;

/** Headers of the request itself, of its body, of its signature, and of the connection. */
const forbidden =
  /^(host|connection|transfer-encoding|keep-alive|upgrade|te|trailer|expect|user-agent|traceparent|tracestate|(webhook|content|proxy)-.*)$/;
const token = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
const printable = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** Names in lower case. */
export function toOwnHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

export function ownHeadersProblems(headers: unknown): Problem[] {
  const entries = Object.entries((headers ?? {}) as Record<string, string>);
  const names = new Set(entries.map(([name]) => name.toLowerCase()));
  const isFine = entries.every(([name, value]) => isAllowed(name.toLowerCase()) && isValue(value));
  const isWhole = isFine && names.size === entries.length && entries.length <= ownHeadersMax;
  return isWhole ? [] : [problem("ENDP205", "headers")];
}

const isAllowed = (name: string) =>
  name.length <= nameCharsMax && token.test(name) && !forbidden.test(name);
const isValue = (value: string) => value.length <= valueCharsMax && printable.test(value);

const identityOf = ({ subaccountId, endpointId = "" }: EndpointKey) =>
  headersIdentity(subaccountId, endpointId);

/** The identity of the row, which is encrypted together with the headers. */
export function headersIdentity(subaccountId: string, endpointId: string): string {
  return `webhook_endpoint.headers:${subaccountId}:${endpointId}`;
}

export function sealOwnHeaders(
  seal: Seal,
  of: EndpointKey,
  headers: Record<string, string>,
): { names: string[]; sealed: Buffer | null } {
  const names = Object.keys(headers).sort();
  const sealed = names.length > 0 ? seal.encrypt(JSON.stringify(headers), identityOf(of)) : null;
  return { names, sealed };
}

/** As a lane reads them. Undefined: there are none. */
export function readOwnHeaders(
  seal: Seal,
  of: EndpointKey,
  base64: string | null | undefined,
): Record<string, string> | undefined | "unreadable" {
  if (!base64) return undefined;
  const text = seal.decryptIfReadable(Buffer.from(base64, "base64"), identityOf(of));
  return text === undefined ? "unreadable" : JSON.parse(text);
}
