// What other nouns use of encryption. The rest of this folder is private to it.

export {
  dataKeyId,
  isUnderPersonKey,
  isUnreadable,
  KeyRing,
  keyIdOf,
  masterKeyBytes,
  masterKeyFingerprint,
  ofPersonKeys,
  PersonKey,
  type Seal,
  sealedHeadBytes,
  sealOf,
  sealWith,
  UnknownDataKey,
} from "./seal.ts";
