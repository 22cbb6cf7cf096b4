// A postal address on one line.

type Address = Record<"address" | "address2" | "city" | "state" | "postcode", string>;

export function addressText({ address, address2, city, state, postcode }: Address): string {
  return [address, address2, city, state, postcode].filter(Boolean).join(", ");
}
