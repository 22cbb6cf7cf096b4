// One running POST: receives undici's callbacks, and ends with exactly one outcome.

import { type Dispatcher, errors } from "undici";
import { limits } from "../../platform/limits/index.ts";
import { keepAnswer } from "./answer.ts";
import { connectFailureOf, NoConnection } from "./connector.ts";
import type { Deadlines, DeadlineWait } from "./deadlines.ts";
import type { LaneConnection } from "./lane-connections.ts";

export type PostFailure = "forbidden" | "dns" | "connect" | "tls" | "timeout" | "cut" | "malformed";

export type PostResult = {
  /** Undefined: no response. */
  status: number | undefined;
  /** Why there is no response, or why it does not count: it must end, and in time. */
  failure: PostFailure | undefined;
  /** A short text about the failure, without secrets or the URL. */
  detail: string;
  /** The header as received. */
  retryAfter: string | undefined;
  /** The start of the response as redacted text, at most `limits.answerKeptBytesMax`. */
  answer: string;
  tookMs: number;
};

type Parts = {
  lane: LaneConnection;
  request: Dispatcher.DispatchOptions;
  calls: Deadlines<PostAttempt>;
  startMs: number;
  resolve: (posted: PostResult) => void;
  reject: (error: Error) => void;
};

/** If a kept-alive connection breaks before the request is written, it is sent again on another, this often. */
const startsMax = 4;
const nothing = Buffer.alloc(0);
const overdue = new Error("given up");

export class PostAttempt implements DeadlineWait, Dispatcher.DispatchHandler {
  readonly startMs: number;
  earlier: DeadlineWait | undefined = undefined;
  later: DeadlineWait | undefined = undefined;

  readonly #parts: Parts;
  #controller: Dispatcher.DispatchController | undefined = undefined;
  #isDone = false;
  #starts = 0;
  #interims = 0;
  #status: number | undefined = undefined;
  #retryAfter: string | undefined = undefined;
  #read = 0;
  #answer: Buffer = nothing;
  #stopListening: (() => void) | undefined = undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.startMs = parts.startMs;
    parts.calls.add(this);
  }

  start(): void {
    if (this.#isDone) return;
    const { lane, request } = this.#parts;
    this.#starts += 1;
    if (lane.pool) lane.pool.dispatch(request, this);
    else this.#end("forbidden", "nothing is sent to such an address");
  }

  giveUpOn(signal: AbortSignal): void {
    const giveUp = () => this.giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    this.#stopListening = () => signal.removeEventListener("abort", giveUp);
    if (signal.aborted) giveUp();
  }

  giveUp(): void {
    this.#stop("cut", "given up");
  }

  onDeadline(): void {
    this.#stop("timeout", this.#status ? "the answer did not end" : "no answer");
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It may have timed out while it waited for a connection.
    if (this.#isDone) controller.abort(overdue);
    else this.#controller = controller;
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) {
      this.#interims += 1;
      if (this.#interims > limits.answersInterimMax)
        this.#stop("malformed", "only interim answers");
      return;
    }
    this.#status = status;
    const retryAfter = headers["retry-after"];
    this.#retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#read === 0) this.#answer = chunk;
    else if (this.#read < limits.answerKeptBytesMax) {
      this.#answer = Buffer.concat([this.#answer, chunk]);
    }
    this.#read += chunk.length;
    // The status is known, and the rest of the body is not needed.
    if (this.#read > limits.answerReadBytesMax) this.#stop(undefined, "");
  }

  onResponseEnd(): void {
    this.#end(undefined, "");
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.#isDone) return;
    const isUnsent = this.#controller === undefined;
    if (error instanceof NoConnection) {
      this.#end(error.stage, error.message);
    } else if (error instanceof errors.InvalidArgumentError) {
      // A header that can't be sent is a bug of ours.
      this.#parts.reject(error);
      this.#end(undefined, "");
    } else if (isUnsent && this.#starts < startsMax) {
      this.start();
    } else {
      this.#end(toFailure(error, this.#status), toDetail(error));
    }
  }

  #stop(failure: PostFailure | undefined, detail: string): void {
    this.#end(failure, detail);
    this.#controller?.abort(overdue);
  }

  #end(failure: PostFailure | undefined, detail: string): void {
    if (this.#isDone) return;
    this.#isDone = true;
    const { lane, calls, resolve } = this.#parts;
    calls.remove(this);
    lane.running -= 1;
    this.#stopListening?.();
    resolve({
      status: this.#status,
      failure,
      detail,
      retryAfter: this.#retryAfter,
      answer: this.#read === 0 ? "" : keepAnswer(this.#answer),
      tookMs: Math.round(performance.now() - this.startMs),
    });
  }
}

/** For errors after the connection was made: it broke, or the response is not HTTP. */
function toFailure(error: Error, status: number | undefined): PostFailure {
  if (error instanceof errors.HTTPParserError) {
    return error.message.includes("Invalid EOF") ? "cut" : "malformed";
  }
  if (error instanceof errors.ResponseContentLengthMismatchError) {
    // Before there is a body, undici reports contradicting headers with this error.
    return status === undefined ? "malformed" : "cut";
  }
  if (error instanceof errors.HeadersOverflowError) return "malformed";
  if (error instanceof errors.SocketError && error.message.startsWith("bad ")) return "malformed";
  return connectFailureOf(error).startsWith("ERR_SSL_") ? "tls" : "cut";
}

function toDetail(error: Error): string {
  if (error instanceof errors.HTTPParserError) return "no HTTP";
  return error instanceof errors.SocketError ? error.message : connectFailureOf(error);
}
