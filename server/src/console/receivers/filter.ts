// Chooses the index scan for a filter, and how far it reads. Pure.

import { beforeIdOf, firstIdOf, readCursor } from "../../cursor.ts";
import { limits } from "../../limits.ts";
import { wantedStates } from "../../receivers/filter.ts";
import { emailKey } from "../../receivers/receiver.ts";
import { pageSizeOf } from "../paging.ts";
import type { ReceiversFilter } from "./schema.ts";

export type ReceiverScan = {
  subaccountId: string;
  way: "all" | "states" | "email" | "reference" | "name";
  states: ReturnType<typeof wantedStates>;
  emailKey: string | undefined;
  reference: string | undefined;
  country: string | undefined;
  /** Prefixes of a first and a last name. A row has to match one pair. */
  names: NameParts[];
  /** The last row of the page before. */
  afterId: string | undefined;
  /** The requested time range, as ids: before the first, not before the second. */
  beforeId: string;
  fromId: string;
  /** Rows of the page, and one more that shows whether there is a next page. */
  limit: number;
  scannedMax: number;
};

export type NameParts = { first: string; last: string };

export function receiverScanOf(subaccountId: string, filter: ReceiversFilter): ReceiverScan {
  const { q = "", reference, country } = filter;
  const isEmail = q.includes("@");
  const email = filter.email ?? (isEmail ? q : undefined);
  const names = q === "" || isEmail ? [] : namesOf(q);
  const states = wantedStates(filter);
  const way =
    (email !== undefined && "email") ||
    (reference !== undefined && "reference") ||
    (names.length > 0 && "name") ||
    (states && "states") ||
    "all";
  const limit = pageSizeOf(filter) + 1;
  return {
    subaccountId,
    way,
    states,
    reference,
    country,
    names,
    limit,
    emailKey: email && emailKey(email),
    afterId: filter.cursor && readCursor(filter.cursor),
    beforeId: beforeIdOf(filter.to === undefined ? {} : { to: filter.to }),
    fromId: firstIdOf(Number(filter.from ?? 0)),
    scannedMax: Math.max(limit, scannedMax(way, filter, names)),
  };
}

/** Only one page, if every row of the scan matches. */
function scannedMax(
  way: ReceiverScan["way"],
  { country, status, kyc_status, from, to }: ReceiversFilter,
  names: readonly NameParts[],
): number {
  if (way === "name") {
    const others = [country, status, kyc_status, from, to];
    const isPlain = names.length === 1 && others.every((one) => one === undefined);
    return isPlain ? 0 : limits.receiversByNameScannedMax;
  }
  const isPlain = (way === "all" || way === "states") && country === undefined;
  return isPlain ? 0 : limits.receiversScannedMax;
}

/** "Silva" is a prefix of a last name. "van der Berg" is one too, or a first name with a last name. */
export function namesOf(text: string): NameParts[] {
  const whole = text.replaceAll(/\s+/g, " ");
  const space = whole.indexOf(" ");
  const parts = [{ first: "", last: whole }];
  if (space > 0) parts.push({ first: whole.slice(0, space), last: whole.slice(space + 1) });
  return parts;
}
