// What other nouns use of signatures. The rest of this folder is private to it.

export {
  type HmacKey,
  hmac,
  hmacKey,
  matches,
  parseSignature,
  type Signature,
  type SignedRequest,
  signatureHeader,
  stringToSign,
} from "./signature.ts";
