// Lists of addresses from which keys and tokens may be used.

import ipaddr from "ipaddr.js";

export type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Whether it is an address, or a range in CIDR notation. An IPv4 address has four numbers: 10.1 would be read as 10.0.0.1. */
export function isAddressOrRange(text: string): boolean {
  const [address = ""] = text.split("/");
  if (!address.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(address)) return false;
  return ipaddr.isValidCIDR(text) || ipaddr.isValid(text);
}

/** An address, or a range in CIDR notation. */
export function toRange(entry: string): AddressRange {
  const [address, bits] = ipaddr.parseCIDR(
    ipaddr.isValidCIDR(entry)
      ? entry
      : `${entry}/${ipaddr.parse(entry).kind() === "ipv4" ? 32 : 128}`,
  );
  // IPv4 callers are compared as IPv4, so mapped IPv4 ranges are converted too.
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96) {
    return [address.toIPv4Address(), bits - 96];
  }
  return [address, bits];
}

/** An empty list allows every address. */
export function isInRanges(ip: string, ranges: readonly AddressRange[]): boolean {
  if (ranges.length === 0) return true;
  // A proxy may report something that is no IP address ("unknown", or one with a port).
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return ranges.some(
    ([range, bits]) => range.kind() === address.kind() && address.match([range, bits] as never),
  );
}
