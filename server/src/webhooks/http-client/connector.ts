// Opens a connection to a webhook endpoint: DNS, address guard, TCP, TLS, each with its own timeout.

import { connect as connectTcp, isIP, Socket } from "node:net";
import {
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  type SecureContext,
} from "node:tls";
import type { buildConnector } from "undici";
import {
  type Address,
  type AddressPolicy,
  ForbiddenAddress,
  type Lookup,
  resolvePublic,
} from "../../platform/addresses/index.ts";
import { limits } from "../../platform/limits/index.ts";

export type ConnectTimes = {
  dnsMs: number;
  /** How long to wait for one address before the next is tried. */
  addressMs: number;
  connectMs: number;
  tlsMs: number;
};

type ConnectStage = "forbidden" | "dns" | "connect" | "tls";

/** There was no connection, so nothing was sent. The message may be shown. */
export class NoConnection extends Error {
  readonly stage: ConnectStage;

  constructor(stage: ConnectStage, message: string) {
    super(message);
    this.stage = stage;
  }
}

/** Most responses are smaller and arrive in one piece. */
const pieceBytes = 2_048;

export function connector(options: {
  policy: AddressPolicy;
  times: ConnectTimes;
  lookup?: Lookup | undefined;
  /** Trusted in addition to the authorities that Node trusts. */
  ca?: string | undefined;
}): buildConnector.connector {
  const { policy, times, lookup, ca } = options;
  // Created once: reading a hundred certificates takes longer than a handshake.
  const secureContext = createSecureContext({
    minVersion: "TLSv1.2",
    ...(ca && { ca: [...getCACertificates("default"), ca] }),
  });
  const lookups = new Map<string, Promise<Address[]>>();

  /** Connections that are opened together share one DNS query. */
  function resolve(hostname: string): Promise<Address[]> {
    let answers = lookups.get(hostname);
    if (!answers) {
      answers = withinTime(resolvePublic(hostname, policy, { lookup }), times.dnsMs).finally(() =>
        lookups.delete(hostname),
      );
      lookups.set(hostname, answers);
    }
    return answers;
  }

  return ({ hostname, protocol, port }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (addresses.length === 0) return callback(new NoConnection("dns", "no address"), null);
        const tls = protocol === "https:" ? secureContext : undefined;
        open({ hostname, port: Number(port || (tls ? 443 : 80)), addresses, tls, times }, callback);
      },
      (error: unknown) => callback(toNoConnection(error), null),
    );
  };
}

type Target = {
  hostname: string;
  port: number;
  addresses: Address[];
  tls: SecureContext | undefined;
  times: ConnectTimes;
};

function open(
  { hostname, port, addresses, tls, times }: Target,
  callback: buildConnector.Callback,
): void {
  const to = {
    host: hostname,
    port,
    // Only the checked addresses, one after the other: the name may resolve differently by now.
    lookup: (_: string, __: unknown, found: (error: null, addresses: Address[]) => void) =>
      found(null, addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: times.addressMs,
    noDelay: true,
    highWaterMark: limits.answerReadBytesMax,
  };
  let stage: ConnectStage = "connect";
  let isDone = false;
  const socket: Socket = tls
    ? connectTls({
        ...to,
        secureContext: tls,
        servername: isIP(hostname) ? "" : hostname,
        ALPNProtocols: ["http/1.1"],
      })
    : connectTcp(to);
  let timer = setTimeout(giveUp, times.connectMs);
  socket.once("connect", () => {
    if (!tls || isDone) return;
    stage = "tls";
    clearTimeout(timer);
    timer = setTimeout(giveUp, times.tlsMs);
  });
  socket.once(tls ? "secureConnect" : "connect", () => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    socket.read = readLittle;
    callback(null, socket);
  });
  // Stays on the socket, because an error without a listener would end the process.
  socket.on("error", (error) => fail(connectFailureOf(error)));
  socket.once("close", () => fail("closed"));

  function giveUp(): void {
    fail("took too long");
    socket.destroy();
  }

  function fail(message: string): void {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    callback(new NoConnection(stage, message), null);
  }
}

/**
 * Replaces `read` of the socket. When headers are too long, undici creates an error for each further header, so an
 * endpoint that sends ten thousand would block the process for a tenth of a second.
 */
function readLittle(this: Socket): Buffer | null {
  if (this.destroyed) return null;
  return Socket.prototype.read.call(this, Math.min(this.readableLength, pieceBytes));
}

function withinTime<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new NoConnection("dns", "took too long")), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function toNoConnection(error: unknown): NoConnection {
  if (error instanceof NoConnection) return error;
  if (error instanceof ForbiddenAddress) return new NoConnection("forbidden", error.message);
  return new NoConnection("dns", connectFailureOf(error));
}

/** The code of a system error. Unlike the message, it names no host. */
export function connectFailureOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? code : "unknown";
}
