// Where we may send to: asked when an address is saved, and again of every answer of the DNS when connecting.

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

/** Somewhere that events are never sent. The message names neither host nor address. */
export class ForbiddenAddress extends Error {}

const urlCharsMax = 2048;
const publicPorts = ["", "443", "8443"];

/**
 * Names that are never in the public DNS, with all below them, so that an event could not arrive: RFC 6761 and
 * the registry it started (arpa holds home.arpa), and what networks use inside though nobody reserved it. A name
 * that is not listed gains nothing: whatever it leads to is judged when connecting.
 */
const specialNames = new Set(
  (
    "localhost local internal arpa test invalid example onion alt " +
    "localdomain domain lan home corp mail intranet private"
  ).split(" "),
);

/** Looks public, and is the inside of every machine at Azure. */
const azureWireServer = "168.63.129.16";

/** Undefined where events may be sent to this URL, else why not, in words that follow "postback_url". */
export function addressProblem(url: string, policy: AddressPolicy): string | undefined {
  if (url.length > urlCharsMax) return `must have at most ${urlCharsMax} characters`;
  // A URL parser drops or mends these silently, so that a person and we could read two different hosts.
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
    // A name of the inside may lead to a named network. Where it leads is judged when connecting.
    if (networks.length > 0 && !isThisMachine(hostname)) return undefined;
    return "must name a host of the public internet";
  }
  return publicPorts.includes(port) ? undefined : "must use port 443 or 8443";
}

/**
 * The addresses to connect to, each of them allowed. Throws ForbiddenAddress where any is not: a name with one
 * private answer among public ones is up to something. Connect to these and never to the name, which may lead
 * elsewhere a moment later. How long it may take is the caller's to say.
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
  const mayAsk = isPublicName(host) || (networks.length > 0 && !isThisMachine(host));
  if (!family && !mayAsk) throw new ForbiddenAddress("not a name of the internet");
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

/** By a loopback address or a name that always stands for one (RFC 6761), and is never asked of the DNS. */
function isThisMachine(hostname: string): boolean {
  if (isIP(hostname)) return ipaddr.process(hostname).range() === "loopback";
  return hostname === "localhost" || hostname.endsWith(".localhost");
}

function isPublicName(hostname: string): boolean {
  const labels = hostname.split(".");
  // One label is a name of the local network; an empty last one (a dot at the end) is the same name once more.
  return labels.length > 1 && !labels.includes("") && !specialNames.has(labels.at(-1) as string);
}

/** Whether an address is routed in the whole internet, and to one machine. */
function isPublic(text: string): boolean {
  if (!isIP(text) || text.includes("%")) return false;
  const address = ipaddr.process(text); // An IPv4 address in the clothes of IPv6 is judged as what it is.
  if (address.range() !== "unicast") return false;
  if (address instanceof ipaddr.IPv6) return ((address.parts[0] as number) & 0xe000) === 0x2000;
  return address.toString() !== azureWireServer;
}

/**
 * The system's own lookup would occupy one of the process's four threads until a name server answers, so that
 * four names with a dead one would stop the deliveries to everybody. This one waits on sockets.
 */
// The second try waits for twice as long. Where only one family is answered, both are over within two seconds.
const resolver = new Resolver({ timeout: 600, tries: 2 });

async function lookupInDns(hostname: string): Promise<Address[]> {
  return lookupWith(resolver, hostname);
}

/** All addresses of a name, of both families; one family is enough. */
export async function lookupWith(from: Resolver, hostname: string): Promise<Address[]> {
  const [four, six] = await Promise.allSettled([from.resolve4(hostname), from.resolve6(hostname)]);
  const found = [four, six].flatMap((answer) =>
    answer.status === "fulfilled" ? answer.value : [],
  );
  if (found.length === 0 && four.status === "rejected") throw four.reason;
  return found.map(toAddress);
}
