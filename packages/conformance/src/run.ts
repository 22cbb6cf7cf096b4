// One run against a server: its requests, each made once, and what they were answered.

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { maskedText } from "./mask.ts";
import { type Credentials, type Signer, version1 } from "./signature.ts";

export type Target = {
  url: string;
  by: Credentials;
  /** A key of another subaccount, to see what is kept from it. */
  other?: Credentials | undefined;
  /** Also what Disburse adds to the published document. */
  isDisburse: boolean;
};

/** A request and its response. */
export type Exchange = {
  request: string;
  status: number;
  headers: Headers;
  text: string;
  /** Undefined: the body is no JSON. */
  json: unknown;
};

export type Call = (run: Run) => Promise<Exchange>;

export type Asked = {
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  raw?: string;
  headers?: Record<string, string>;
  signer?: Signer;
  by?: Credentials;
  /** What the report says of a request whose line and body don't show what is asked. */
  note?: string;
};

/** Why a promise could not be tried. */
export class NotTried extends Error {}

const attemptsMax = 6;
const pauseMs = 250;
const pauseMaxMs = 10_000;

export class Run {
  /** In the emails of what this run creates, and as a reference, by which somebody finds it later. */
  readonly marker = `conformance-${randomBytes(5).toString("hex")}`;
  readonly target: Target;
  readonly #done = new Map<unknown, Promise<unknown>>();

  /** What the address has before /api is signed too. */
  readonly #prefix: string;

  constructor(target: Target) {
    this.target = target;
    this.#prefix = new URL(target.url).pathname.replace(/\/$/, "");
  }

  /** Work that several promises are about is done for the first of them. */
  once<Result>(work: (run: Run) => Promise<Result>): Promise<Result> {
    const done = this.#done.get(work) ?? work(this);
    this.#done.set(work, done);
    return done as Promise<Result>;
  }

  /** Without its secrets. */
  shown(text: string): string {
    const { by, other } = this.target;
    return maskedText(text, [by.secret, ...(other ? [other.secret] : [])]);
  }

  /** `line`: method and path. A busy server is asked again. */
  async ask(line: string, asked: Asked = {}): Promise<Exchange> {
    for (let attempt = 1; ; attempt++) {
      const exchange = await this.#send(line, asked);
      const isBusy = exchange.status === 429 || exchange.status === 503;
      if (!isBusy || attempt === attemptsMax) return exchange;
      const waitMs = Number(exchange.headers.get("retry-after") ?? 0) * 1000 || pauseMs * attempt;
      await sleep(Math.min(waitMs, pauseMaxMs));
    }
  }

  async #send(
    line: string,
    { body, raw, headers = {}, signer = version1, by = this.target.by, note }: Asked,
  ): Promise<Exchange> {
    const [method = "", path = ""] = line.split(" ");
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(this.target.url + path, {
      method,
      redirect: "manual",
      headers: {
        ...(sent !== undefined && { "content-type": "application/json" }),
        ...signer(by, { method, path: this.#prefix + path, body: sent ?? "" }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    });
    const text = await response.text();
    const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const parts = [line, ...(note ? [`(${note})`] : []), ...named, sent ?? ""];
    return {
      request: this.shown(parts.join(" ").trimEnd()),
      status: response.status,
      headers: response.headers,
      text,
      json: parsed(text),
    };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value at a path such as "payload.address_data.city"; of an array, "payload.0.id". */
export function valueAt(json: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name))
      return undefined;
    return (value as Record<string, unknown>)[name];
  }, json);
}

/** An id that other requests need. */
export function idAt({ json, request }: Exchange, path: string): string {
  const id = valueAt(json, path);
  if (typeof id === "string" && id !== "") return id;
  const [method, asked] = request.split(" ");
  throw new NotTried(`${method} ${asked} gave no ${path}`);
}
