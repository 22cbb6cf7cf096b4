// What other nouns use of addresses. The rest of this folder is private to it.

export {
  type Address,
  type AddressPolicy,
  addressProblem,
  ForbiddenAddress,
  type Lookup,
  resolvePublic,
} from "./address-guard.ts";
export { isLoopbackHost, readNetwork } from "./private-networks.ts";
export { type AddressRange, isAddressOrRange, isInRanges, toRange } from "./ranges.ts";
