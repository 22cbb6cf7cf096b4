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
  /** Beginnings of a first and a last name: a row has to fit one pair of them. */
  names: NameParts[];
  /** The last row of the page before. */
  afterId: string | undefined;
  /** The time that is asked for, as ids: before the one, not before the other. */
  beforeId: string;
  fromId: string;
  /** Rows of the page, and one more that tells whether there is a next one. */
  limit: number;
  lookedAtMax: number;
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
    lookedAtMax: Math.max(limit, lookedAtMax(way, filter, names)),
  };
}

/** No more than the page where every row that is looked at is wanted. */
function lookedAtMax(
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

/** "Silva" begins a last name. "van der Berg" may begin one as well, or be a first name and the rest. */
export function namesOf(text: string): NameParts[] {
  const whole = text.replaceAll(/\s+/g, " ");
  const space = whole.indexOf(" ");
  const parts = [{ first: "", last: whole }];
  if (space > 0) parts.push({ first: whole.slice(0, space), last: whole.slice(space + 1) });
  return parts;
}
