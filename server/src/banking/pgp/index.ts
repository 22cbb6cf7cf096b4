// What other nouns use of pgp. The rest of this folder is private to it.

export { encryptForBank, readPgpKeys } from "./pgp.ts";
export {
  type InboundKeys,
  isPgpMessage,
  type OpenedMessage,
  openFromBank,
  readInboundKey,
  requireSigningKey,
  requiresSignature,
  verificationKeyOf,
} from "./pgp-inbound.ts";
