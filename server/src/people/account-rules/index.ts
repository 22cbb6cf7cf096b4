// What other nouns use of account-rules. The rest of this folder is private to it.

export { accountSchema, type BankAccountSchema } from "./account-schema.ts";
export { checkAccount, type Finding, hasSavingsAccounts, rulesFor } from "./countries.ts";
