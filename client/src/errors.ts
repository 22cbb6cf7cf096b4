// The errors of a call. Every class has a code, so that callers need not match texts.

/** One entry of the server's list of problems. */
export type ErrorEntry = { code: string; message: string; field?: string };

export type ErrorDetails = {
  code: string;
  status?: number | null;
  requestId?: string | null;
  errors?: ErrorEntry[];
  retryAfterMs?: number | null;
  cause?: unknown;
};

/** The base class of all errors. Used directly if no narrower class fits. */
export class DisburseError extends Error {
  /** The server's code, such as `REVR101`. The README lists the codes of other failures. */
  readonly code: string;
  /** The HTTP status, or null if there was no response. */
  readonly status: number | null;
  /** Quote it when you ask the operator of the service what happened. */
  readonly requestId: string | null;
  /** Every problem the server found, not only the first. */
  readonly errors: ErrorEntry[];
  /** The server's `Retry-After`, if it sent one. */
  readonly retryAfterMs: number | null;

  // A getter on the prototype, so that the name survives minifiers and heads the stack.
  override get name(): string {
    return "DisburseError";
  }

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.status = details.status ?? null;
    this.requestId = details.requestId ?? null;
    this.errors = details.errors ?? [];
    this.retryAfterMs = details.retryAfterMs ?? null;
  }

  // An Error's message is not enumerable and would be lost from a JSON log line. The cause stays out:
  // it comes from the runtime or from a caller's own fetch, and may reference anything.
  toJSON(): Record<string, unknown> {
    const { name, message, code, status, requestId, errors, retryAfterMs } = this;
    return { name, message, code, status, requestId, errors, retryAfterMs };
  }
}

/** The key or the signature was refused (401). */
export class AuthenticationError extends DisburseError {
  override get name(): string {
    return "AuthenticationError";
  }
}

/** The key is good, but may not do this (403). */
export class PermissionError extends DisburseError {
  override get name(): string {
    return "PermissionError";
  }
}

/** The request is not valid; `errors` names the fields. */
export class ValidationError extends DisburseError {
  override get name(): string {
    return "ValidationError";
  }
}

/** The object does not exist in this subaccount. */
export class NotFoundError extends DisburseError {
  override get name(): string {
    return "NotFoundError";
  }
}

/** The request conflicts with the stored data, such as an email that is taken. */
export class ConflictError extends DisburseError {
  override get name(): string {
    return "ConflictError";
  }
}

/** Too many requests (429); `retryAfterMs` says when to retry. */
export class RateLimitError extends DisburseError {
  override get name(): string {
    return "RateLimitError";
  }
}

/** The server, or something in front of it, failed (5xx). After a write, the outcome is unknown. */
export class ServerError extends DisburseError {
  override get name(): string {
    return "ServerError";
  }
}

/** There was no response. After a write, the outcome is unknown. */
export class ConnectionError extends DisburseError {
  override get name(): string {
    return "ConnectionError";
  }
}

/** There was no response in time. After a write, the outcome is unknown. */
export class TimeoutError extends DisburseError {
  override get name(): string {
    return "TimeoutError";
  }
}
