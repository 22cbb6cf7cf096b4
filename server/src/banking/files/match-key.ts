// The key by which a returned payment is found again: payee's account, amount and reference, as a keyed hash.

import type { Seal } from "../../platform/encryption/index.ts";

/** Letters and digits only: banks change case, spaces and punctuation. */
export function comparableText(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
}

/** Some banks fill account numbers with zeros. */
export function comparableAccount(account: string): string {
  return comparableText(account).replace(/^0+/, "");
}

type ReturnedFacts = { accountNumber: string; amount: bigint; reference: string };

/** Without the bank's own number: formats shorten it. It is compared apart. */
export function matchKey(
  seal: Pick<Seal, "fingerprint">,
  connectionId: string,
  { accountNumber, amount, reference }: ReturnedFacts,
): string {
  const account = comparableAccount(accountNumber);
  const text = `match ${connectionId} ${account} ${amount} ${comparableText(reference)}`;
  return shortHash(seal, text);
}

/** For debits that carry no reference of ours. */
export function accountKey(
  seal: Pick<Seal, "fingerprint">,
  connectionId: string,
  { accountNumber, amount }: Omit<ReturnedFacts, "reference">,
): string {
  return shortHash(seal, `account ${connectionId} ${comparableAccount(accountNumber)} ${amount}`);
}

/** 132 bits of a keyed hash. */
export function shortHash(seal: Pick<Seal, "fingerprint">, text: string): string {
  return seal.fingerprint(Buffer.from(text)).slice(0, 22);
}
