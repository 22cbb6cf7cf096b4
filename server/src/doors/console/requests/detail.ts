// Presents one request of the request log. Pure.

import { refusals } from "../../../platform/refusals/index.ts";
import { hidden, type RequestRow, type SignatureHint } from "../../../tenants/request-log/index.ts";
import {
  type Linked,
  objectOf,
  presentRequestRow,
  type RequestDetail,
  redacted,
  shownPath,
} from "../../request-list/index.ts";
import { curlOf } from "./curl.ts";

/** As stored in the log. */
type Detail = {
  body?: unknown;
  bytes?: number;
  idempotency?: "sent" | "replayed";
  problems?: [code: string, field: string][];
  /** How many problems were not stored. */
  problems_left?: number;
  signature?: SignatureHint;
};

export function toDetail(
  row: RequestRow & { detail: string | null },
  origin: string,
): RequestDetail {
  const detail: Detail = row.detail === null ? {} : JSON.parse(row.detail, shownValue);
  const line = presentRequestRow(row);
  const { key, method, path } = line;
  const body = detail.body === undefined ? null : JSON.stringify(detail.body, null, 2);
  const { signature, bytes = null, idempotency = "none" } = detail;
  return {
    ...line,
    body,
    bytes,
    idempotency,
    problems: problemsOf(row, detail),
    problems_left: detail.problems_left ?? 0,
    links: linksOf(row, detail),
    curl: curlOf({ origin, key, method, path, body }),
    signature: signature
      ? { expected: null, received: null, ...signature, ...shownExpected(signature) }
      : null,
  };
}

function shownValue(_name: string, value: unknown): unknown {
  if (value === hidden) return redacted;
  if (typeof value !== "object" || value === null || !(hidden in value)) return value;
  const { [hidden]: unknown, ...known } = value;
  return { ...known, [redacted]: unknown };
}

/** The path is in its sixth line. */
function shownExpected({ expected }: SignatureHint): { expected?: string } {
  if (expected === undefined) return {};
  const lines = expected.split("\n");
  return { expected: lines.map((line, at) => (at === 5 ? shownPath(line) : line)).join("\n") };
}

function problemsOf({ codes }: RequestRow, detail: Detail): RequestDetail["problems"] {
  const pairs = detail.problems ?? (codes ?? "").split(" ").map((code) => [code, ""] as const);
  return pairs.flatMap(([code, field]) => {
    const known = Object.hasOwn(refusals, code)
      ? refusals[code as keyof typeof refusals]
      : undefined;
    const shown = field === redacted ? "" : field;
    return known ? [{ code, field: shown, text: known[1], cure: known[2] }] : [];
  });
}

const fieldKinds: Record<string, Linked["kind"]> = {
  receiver_id: "receiver",
  account_id: "account",
  receiver_account_id: "account",
};

/** The objects that the request read or created, and its events. */
function linksOf(row: RequestRow, { body }: Detail): Linked[] {
  const sent = (body ?? {}) as Record<string, unknown>;
  const rows = [sent, ...(Array.isArray(sent.payouts) ? sent.payouts : [])];
  const named = rows.flatMap((one: Record<string, unknown>) =>
    Object.entries(fieldKinds).flatMap(([field, kind]) =>
      typeof one[field] === "string" && one[field] !== redacted ? [{ kind, id: one[field] }] : [],
    ),
  );
  const set = row.route === "/api/test-helpers/status" && row.object_id;
  const about = set
    ? { kind: sent.type === "payout" ? ("payout" as const) : ("receiver" as const), id: set }
    : objectOf(row);
  const all = about ? [about, ...named] : named;
  return all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index);
}
