// Authenticates a request by x-api-key and signature. Each failure has its own code.

import { randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { isInRanges } from "../../platform/addresses/index.ts";
import type { Caller, Clock, Scope } from "../../platform/base/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { movedRefusal, Refusal } from "../../platform/refusals/index.ts";
import {
  hmacKey,
  matches,
  parseSignature,
  type Signature,
  stringToSign,
} from "../../platform/signatures/index.ts";
import {
  cellOfKey,
  type KeyCache,
  type LiveKey,
  type LiveSecret,
} from "../../tenants/api-keys/index.ts";

export type Authenticator = {
  authenticate(request: FastifyRequest, scope: Scope): Caller | Promise<Caller>;
  /** Called before the body is read. Throws when the request fails whatever its body is. */
  admit(request: FastifyRequest, scope: Scope): Promise<void>;
};

type AuthenticateOptions = {
  keys: KeyCache;
  clock: Clock;
  windowMs: number;
  /** Empty: the default cell. */
  cell: string;
  /** Called when an unknown key names another cell. The response is that of any unknown key. */
  onMisrouted: (requestId: string, otherCell: string) => void;
};

// Checked in place of an unknown key's secret, so that timing does not reveal whether a key exists.
const noSecret: LiveSecret = {
  id: "",
  hmacKey: hmacKey(randomBytes(32).toString("hex")),
  expiresAtMs: Number.POSITIVE_INFINITY,
  isUsed: true,
};

export function authenticator(options: AuthenticateOptions): Authenticator {
  const { keys, clock, windowMs } = options;

  function prove(
    request: FastifyRequest,
    scope: Scope,
    signature: Signature,
    key: LiveKey | undefined,
    asOf: "earlier" | "now" = "earlier",
  ): Caller | Promise<Caller> {
    const now = clock();
    const live = key && key.expiresAtMs > now ? key : undefined;

    const text = stringToSign(signature, {
      key: request.headers["x-api-key"] as string,
      method: request.method,
      path: request.raw.url as string,
      body: request.body instanceof Buffer ? request.body : undefined,
    });
    let proof: LiveSecret | undefined;
    for (const secret of live?.secrets ?? [noSecret]) {
      if (matches(signature.hex, secret.hmacKey, text) && secret.expiresAtMs > now)
        proof ??= secret;
    }
    if (!live) {
      if (!key) reportIfMisrouted(request);
      throw new Refusal("AUTH104");
    }
    if (!proof) {
      if (asOf === "now") throw new Refusal("AUTH105");
      return proveAsOfNow(request, scope, signature, live);
    }

    const aheadMs = signature.ms - now;
    if (Math.abs(aheadMs) > windowMs) throw outsideWindow(now, aheadMs, windowMs);
    if (live.version2Only && signature.version === 1) throw new Refusal("AUTH108");
    if (!isInRanges(request.ip, live.addresses)) throw new Refusal("AUTH109");
    if (live.movesUntilMs > now) {
      // The move may have ended in the meantime.
      if (asOf === "earlier") return proveAsOfNow(request, scope, signature, live);
      throw movedRefusal(live.hasMoved ? "moved" : "moving");
    }
    if (live.closed) throw new Refusal("SUBA101");
    if (!live.scopes.has(scope)) throw new Refusal("AUTH110");
    keys.noteUse(live, proof);

    return {
      subaccountId: live.subaccountId,
      mode: live.mode,
      key: live.key,
      scopes: live.scopes,
      requestId: request.id,
      nonce:
        signature.version === 2
          ? { value: signature.nonce, expiresAtMs: signature.ms + windowMs }
          : undefined,
    };
  }

  async function proveAsOfNow(
    request: FastifyRequest,
    scope: Scope,
    signature: Signature,
    { key }: LiveKey,
  ): Promise<Caller> {
    return prove(request, scope, signature, await keys.findAsOfNow(key), "now");
  }

  /** A key of another cell that moved here with its subaccount is in this database, so it is not unknown. */
  function reportIfMisrouted({ id, headers }: FastifyRequest): void {
    const cell = cellOfKey(headers["x-api-key"] as string);
    if (cell !== undefined && cell !== options.cell) options.onMisrouted(id, cell);
  }

  return {
    authenticate(request, scope) {
      const { key, signature } = readHeaders(request);
      const found = keys.find(key, request.span?.context);
      return found instanceof Promise
        ? found.then((live) => prove(request, scope, signature, live))
        : prove(request, scope, signature, found);
    },
    async admit(request, scope) {
      const { key, signature } = readHeaders(request);
      const live = await keys.find(key, request.span?.context);
      // Version 1 does not sign the body. For version 2, check what does not depend on it.
      if (!live || signature.version === 1) {
        await prove(request, scope, signature, live);
        return;
      }
      const aheadMs = signature.ms - clock();
      if (live.expiresAtMs <= clock()) throw new Refusal("AUTH104");
      if (Math.abs(aheadMs) > windowMs) throw outsideWindow(clock(), aheadMs, windowMs);
      // A stranger who knows a key must not fill the memory that its owner needs.
      if (!isInRanges(request.ip, live.addresses)) throw new Refusal("AUTH109");
    },
  };
}

function readHeaders({ headers }: FastifyRequest): { key: string; signature: Signature } {
  const { "x-api-key": key, signature: header } = headers;
  if (typeof key !== "string" || key === "") throw new Refusal("AUTH101");
  if (typeof header !== "string" || header === "") throw new Refusal("AUTH102");
  const signature = parseSignature(header);
  if (!signature) throw new Refusal("AUTH103");
  // No key is this long, so refuse it before it is hashed.
  if (key.length > limits.keyCharsMax) throw new Refusal("AUTH104");
  return { key, signature };
}

function outsideWindow(nowMs: number, aheadMs: number, windowMs: number): Refusal {
  const side = aheadMs < 0 ? "behind" : "ahead of";
  const message =
    `signature is outside the time window: our clock says ${nowMs}, ` +
    `yours is ${Math.abs(aheadMs)} ms ${side} it, and ${windowMs} ms are allowed`;
  return new Refusal("AUTH106", { message });
}
