// Endpoints that can't be reached, one row each, with the expected outcome.

import { type BadEndpoint, plain, secure, whole } from "./bad-endpoint-kinds.ts";
import {
  noServer,
  type Opened,
  serveSockets,
  serveTls,
  stuckServer,
} from "./bad-endpoint-servers.ts";
import { certificates } from "./certificates/certificates.ts";

export const badConnections: BadEndpoint[] = [
  {
    name: "refuses",
    open: noServer,
    url: plain,
    expected: { failure: "connect", detail: "ECONNREFUSED" },
  },
  {
    name: "never accepts",
    tests: "connectMs",
    open: stuckServer,
    url: plain,
    expected: { failure: "connect", detail: /too long/ },
  },
  {
    name: "resets at once",
    open: () => serveSockets((socket) => socket.resetAndDestroy()),
    url: plain,
    expected: { failure: ["connect", "cut"] },
  },
  {
    name: "closes at once",
    open: () => serveSockets((socket) => socket.end()),
    url: plain,
    expected: { failure: "cut" },
  },
  {
    name: "no such name",
    url: () => "https://nowhere.example.com/",
    expected: { failure: "dns", detail: "ENOTFOUND" },
  },
  {
    name: "a name without addresses",
    url: () => "https://empty.example.com/",
    expected: { failure: "dns" },
  },
  {
    name: "a name server that is silent",
    tests: "dnsMs",
    url: () => "https://silent.example.com/",
    expected: { failure: "dns" },
  },
  {
    name: "a name with a private address",
    url: () => "https://inside.example.com/",
    expected: { failure: "forbidden" },
  },
  { name: "a private address", url: () => "https://10.0.0.1/", expected: { failure: "forbidden" } },
  { name: "no URL at all", url: () => "nonsense", expected: { failure: "forbidden" } },
];

const tls = (name: string, open: () => Promise<Opened>, detail?: string | RegExp): BadEndpoint => ({
  name: `TLS: ${name}`,
  open,
  url: secure,
  expected: { failure: "tls", ...(detail && { detail }) },
});

const answerWhole = (socket: { write(text: string): void }) => socket.write(whole);

export const badTls: BadEndpoint[] = [
  {
    name: "TLS: a good one",
    open: () => serveTls(certificates.good, answerWhole),
    url: secure,
    expected: { status: 200, answer: "ok" },
  },
  {
    name: "TLS: a good one by its address",
    open: () => serveTls(certificates.good, answerWhole),
    url: (port) => `https://127.0.0.1:${port}/`,
    expected: { status: 200, answer: "ok" },
  },
  tls("expired", () => serveTls(certificates.expired, answerWhole), "CERT_HAS_EXPIRED"),
  tls(
    "wrong name",
    () => serveTls(certificates.wrongName, answerWhole),
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ),
  tls(
    "self-signed",
    () => serveTls(certificates.selfSigned, answerWhole),
    "DEPTH_ZERO_SELF_SIGNED_CERT",
  ),
  ...(["TLSv1", "TLSv1.1"] as const).map((version) =>
    tls(`nothing above ${version}`, () =>
      serveTls(
        {
          ...certificates.good,
          minVersion: "TLSv1",
          maxVersion: version,
          ciphers: "ALL:@SECLEVEL=0",
        },
        answerWhole,
      ),
    ),
  ),
  {
    name: "TLS: requires a client certificate",
    open: () =>
      serveTls({ ...certificates.good, requestCert: true, rejectUnauthorized: true }, answerWhole),
    url: secure,
    expected: { failure: ["tls", "cut"] },
  },
  { ...tls("silent", () => serveSockets(() => {}), /too long/), tests: "tlsMs" },
  tls("reset in the handshake", () =>
    serveSockets((socket) => socket.once("data", () => socket.resetAndDestroy())),
  ),
  tls("closed in the handshake", () =>
    serveSockets((socket) => socket.once("data", () => socket.end())),
  ),
  tls("plain HTTP", () => serveSockets((socket) => socket.once("data", () => socket.end(whole)))),
  {
    name: "TLS where plain HTTP is spoken",
    open: () => serveTls(certificates.good, answerWhole),
    url: plain,
    expected: { failure: ["malformed", "cut"] },
  },
];
