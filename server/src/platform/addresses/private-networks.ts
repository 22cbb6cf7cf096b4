// Private networks that the installation allows as targets of events.

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** RFC 1918, RFC 6598 (carriers and clusters) and RFC 4193. Only parts of these can be allowed. */
const privateRanges = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "fc00::/7",
];
const ranges = privateRanges.map((range) => ipaddr.parseCIDR(range));

/** Metadata services of clouds, which give out credentials. Inside the ranges above, and never allowed. */
const metadataAddresses = new Set(
  ["100.100.100.200", "fd00:ec2::254", "fd20:ce::254"].map(normalised),
);

/** Undefined: not a private network in CIDR notation. */
export function readNetwork(text: string): Network | undefined {
  if (!ipaddr.isValidCIDR(text)) return undefined;
  const network = ipaddr.parseCIDR(text);
  const [address, bits] = network;
  const isPrivate = ranges.some((range) => bits >= range[1] && isIn(address, range));
  return isPrivate ? network : undefined;
}

export function isInNetworks(text: string, networks: readonly Network[]): boolean {
  if (networks.length === 0 || !isIP(text) || text.includes("%")) return false;
  const address = ipaddr.process(text);
  if (metadataAddresses.has(address.toNormalizedString())) return false;
  return networks.some((network) => isIn(address, network));
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Network): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

function normalised(text: string): string {
  return ipaddr.parse(text).toNormalizedString();
}

/** Whether only this machine can reach a server that listens there. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || (isIP(host) !== 0 && ipaddr.process(host).range() === "loopback");
}
