// Reads a response: its payload, or its error.

import {
  AuthenticationError,
  ConflictError,
  DisburseError,
  type ErrorDetails,
  type ErrorEntry,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  ValidationError,
} from "./errors.ts";
import type { Reply } from "./exchange.ts";
import { retryAfterMsOf } from "./retry.ts";

export type Answer<Payload> = { payload: Payload; headers: Headers };

// The status is 400, as for a malformed field, so only the code distinguishes them.
export const classByCode: Record<string, typeof DisburseError> = {
  REVR101: NotFoundError,
  REAC101: NotFoundError,
  REAC104: NotFoundError,
  REAC211: NotFoundError,
  SUBA101: NotFoundError,
  ENDP101: NotFoundError,
  EVNT101: NotFoundError,
  PAYO101: NotFoundError,
  PAYO102: NotFoundError,
  PAYO205: NotFoundError,
  PAYO206: NotFoundError,
  REVR201: ConflictError,
};

// There is no 404 here on purpose. It means an unknown route, most likely a wrong baseUrl; a caller
// who took it for a missing receiver might go and create the receiver again.
export const classByStatus: Record<number, typeof DisburseError> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  409: ConflictError,
  413: ValidationError,
  422: ConflictError,
  429: RateLimitError,
};

const ENTRIES_IN_MESSAGE_MAX = 3;

export function readReply<Payload>(reply: Reply): Answer<Payload> | DisburseError {
  const { status, headers } = reply;
  if (reply.redirected) return redirectError(reply);
  const body = parseObject(reply.text);
  if (status < 200 || status > 299) return failureOf(reply, body);
  if (body && "payload" in body) return { payload: body.payload as Payload, headers };
  const message = `the answer (${status}) is not one of Disburse; is something else at this address?`;
  return new DisburseError(message, { ...detailsOf(reply), code: "UNREADABLE_RESPONSE" });
}

function failureOf(reply: Reply, body: Record<string, unknown> | null): DisburseError {
  const { status } = reply;
  const details = { ...detailsOf(reply), retryAfterMs: retryAfterMsOf(reply.headers) };
  const errors = entriesOf(body);
  const [first] = errors;
  if (!first) {
    // Not the envelope, so a proxy's page. Its text stays out: it can be long, and holds anything.
    const message = `the answer (${status}) did not come from Disburse itself`;
    return new (classOfStatus(status, false))(message, { ...details, code: `HTTP_${status}` });
  }
  const ErrorClass = classByCode[first.code] ?? classOfStatus(status, true);
  return new ErrorClass(messageOf(body?.message, errors), {
    ...details,
    code: first.code,
    errors,
  });
}

function classOfStatus(status: number, isEnvelope: boolean): typeof DisburseError {
  if (status >= 500) return ServerError;
  // A proxy can turn a caller away, but it knows nothing of fields or of conflicts.
  if (!isEnvelope && ![401, 403, 429].includes(status)) return DisburseError;
  return classByStatus[status] ?? DisburseError;
}

function redirectError(reply: Reply): DisburseError {
  const location = reply.headers.get("location") ?? "";
  const target = URL.canParse(location) ? ` to ${new URL(location).origin}` : "";
  const message = `redirected${target}: signed requests are not passed on; set baseUrl to the final address`;
  return new DisburseError(message, { ...detailsOf(reply), code: "REDIRECTED" });
}

function detailsOf(reply: Reply): Omit<ErrorDetails, "code"> {
  return { status: reply.status, requestId: reply.headers.get("x-request-id") };
}

// "get receiver failed: Receiver ID not found (REVR101)"
function messageOf(summary: unknown, errors: ErrorEntry[]): string {
  const shown = errors.slice(0, ENTRIES_IN_MESSAGE_MAX);
  const texts = shown.map(({ code, message }) => `${message} (${code})`);
  if (errors.length > shown.length) texts.push(`and ${errors.length - shown.length} more`);
  return `${typeof summary === "string" ? summary : "the request failed"}: ${texts.join(", ")}`;
}

function entriesOf(body: Record<string, unknown> | null): ErrorEntry[] {
  const entries = body?.error;
  if (!Array.isArray(entries)) return [];
  return entries.filter((entry) => {
    return typeof entry?.code === "string" && typeof entry.message === "string";
  });
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
