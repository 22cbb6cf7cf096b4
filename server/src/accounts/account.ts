// What a receiver's bank account is.

/** The row identity that an account number is sealed to. */
export function accountNumberIdentity(subaccountId: string, accountId: string): string {
  return `receiver_account.account_number:${subaccountId}:${accountId}`;
}
