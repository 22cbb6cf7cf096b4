// Checks where events may be sent: when a URL is saved, and again for every DNS result when connecting.

import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { isInNetworks, type Network } from "./private-networks.ts";

/**
 * "loopback" also allows this machine itself, by http too and on any port: for development. The operator may also name
 * private networks, which are reached by https, on any port.
 */
export type AddressPolicy =
  | "public"
  | "loopback"
  | { base: "public" | "loopback"; networks: readonly Network[] };

export type Address = { address: string; family: 4 | 6 };
export type Lookup = (hostname: string) => Promise<Address[]>;

/** Events are never sent there. The message names neither host nor address. */
export class ForbiddenAddress extends Error {}

const urlCharsMax = 2048;
const publicPorts = ["", "443", "8443"];

/**
 * Top-level names that are never in the public DNS: RFC 6761 and its registry (arpa holds home.arpa), and names that
 * private networks use without a reservation. A name that is missing here is still checked when connecting.
 */
const specialNames = new Set(
  (
    "localhost local internal arpa test invalid example onion alt " +
    "localdomain domain lan home corp mail intranet private"
  ).split(" "),
);

/** Looks public, but is an internal service of every Azure machine. */
const azureWireServer = "168.63.129.16";

/** Undefined: events may be sent to this URL. Otherwise the reason, as words that follow "postback_url". */
export function addressProblem(url: string, policy: AddressPolicy): string | undefined {
  if (url.length > urlCharsMax) return `must have at most ${urlCharsMax} characters`;
  // URL parsers drop or repair these silently, so a user and we could read two different hosts.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(url)) {
    return "must not contain spaces, backslashes or invisible characters";
  }
  const parsed = URL.parse(url);
  if (!parsed) return "must be a URL such as https://example.com/events";

  const { protocol, username, password, port } = parsed;
  const hostname = withoutBrackets(parsed.hostname);
  const { base, networks } = partsOf(policy);
  const isHere = base === "loopback" && isThisMachine(hostname);
  if (protocol !== "https:" && !(isHere && protocol === "http:")) return "must begin with https://";
  // The parser reads https:host and https:///host as well.
  if (!/^https?:\/\/[^/]/i.test(url)) return "must begin with https:// and a host";
  if (username || password || /^[^/?#]*\/\/[^/?#]*@/.test(url)) {
    return "must not contain a user name or password";
  }
  if (url.includes("#")) return "must not contain a fragment (#)";
  if (isIP(hostname) === 4 && !url.slice(protocol.length + 2).startsWith(hostname)) {
    return "must spell an address as four plain numbers";
  }
  if (isHere) return undefined;
  if (isIP(hostname)) {
    if (isInNetworks(hostname, networks)) return undefined;
    if (!isPublic(hostname)) return "must lead to a public address";
  } else if (!isPublicName(hostname)) {
    // An internal name may lead to an allowed private network. Its addresses are checked when connecting.
    if (networks.length > 0 && !isThisMachine(hostname)) return undefined;
    return "must name a host of the public internet";
  }
  return publicPorts.includes(port) ? undefined : "must use port 443 or 8443";
}

/**
 * The addresses to connect to, all of them allowed. Throws ForbiddenAddress if one is not: a name with private and
 * public addresses is suspicious. Connect to these and never to the name, which may resolve differently a moment later.
 * Sets no time limit.
 */
export async function resolvePublic(
  hostname: string,
  policy: AddressPolicy,
  { lookup = lookupInDns }: { lookup?: Lookup | undefined } = {},
): Promise<Address[]> {
  const host = withoutBrackets(hostname);
  const family = isIP(host);
  const { base, networks } = partsOf(policy);
  if (base === "loopback" && isThisMachine(host)) return family ? [toAddress(host)] : loopback;
  const mayResolve = isPublicName(host) || (networks.length > 0 && !isThisMachine(host));
  if (!family && !mayResolve) throw new ForbiddenAddress("not a name of the internet");
  const answers = family ? [toAddress(host)] : await lookup(host);
  if (!answers.every(({ address }) => isPublic(address) || isInNetworks(address, networks))) {
    throw new ForbiddenAddress("not a public address");
  }
  return answers;
}

function partsOf(policy: AddressPolicy): Exclude<AddressPolicy, string> {
  return typeof policy === "string" ? { base: policy, networks: [] } : policy;
}

const loopback: Address[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

function toAddress(address: string): Address {
  return { address, family: isIP(address) === 4 ? 4 : 6 };
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/** A loopback address, or a name that always means one (RFC 6761) and is never resolved by DNS. */
function isThisMachine(hostname: string): boolean {
  if (isIP(hostname)) return ipaddr.process(hostname).range() === "loopback";
  return hostname === "localhost" || hostname.endsWith(".localhost");
}

function isPublicName(hostname: string): boolean {
  const labels = hostname.split(".");
  // A single label is a local name. An empty label means a dot at the end, which is the same name again.
  return labels.length > 1 && !labels.includes("") && !specialNames.has(labels.at(-1) as string);
}

/** Whether an address is a unicast address of the public internet. */
function isPublic(text: string): boolean {
  if (!isIP(text) || text.includes("%")) return false;
  const address = ipaddr.process(text); // Reads an IPv4-mapped IPv6 address as IPv4.
  if (address.range() !== "unicast") return false;
  if (address instanceof ipaddr.IPv6) return ((address.parts[0] as number) & 0xe000) === 0x2000;
  return address.toString() !== azureWireServer;
}

/**
 * The system's lookup blocks one of the four threads of the process until a name server answers, so four names with a
 * dead name server would stop all deliveries. This resolver waits on sockets. The second try waits twice as long; if
 * only one address family is answered, both end within two seconds.
 */
const resolver = new Resolver({ timeout: 600, tries: 2 });

async function lookupInDns(hostname: string): Promise<Address[]> {
  return lookupWith(resolver, hostname);
}

/** All IPv4 and IPv6 addresses of a name. One family is enough. */
export async function lookupWith(from: Resolver, hostname: string): Promise<Address[]> {
  const [four, six] = await Promise.allSettled([from.resolve4(hostname), from.resolve6(hostname)]);
  const found = [four, six].flatMap((answer) =>
    answer.status === "fulfilled" ? answer.value : [],
  );
  if (found.length === 0 && four.status === "rejected") throw four.reason;
  return found.map(toAddress);
}
