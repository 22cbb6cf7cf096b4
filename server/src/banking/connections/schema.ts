// The schema of GET /api/balance/funding.

import Type, { type Static } from "typebox";

export const FundingAccount = Type.Object(
  {
    bank: Type.String({ description: "Our name for the bank connection" }),
    holder_name: Type.String({ description: "In whose name the account is" }),
    account_number: Type.String({ description: "The account number or IBAN, in full" }),
    bsb: Type.String({ description: "Australia; empty elsewhere" }),
    bank_code: Type.String({
      description: "Routing number, sort code or bank and branch; empty where the number has it",
    }),
    bic: Type.String({ description: "Empty where we do not know it" }),
  },
  { title: "FundingAccount" },
);
export type FundingAccount = Static<typeof FundingAccount>;

const FundingCurrency = Type.Object(
  {
    currency: Type.String({ examples: ["AUD"] }),
    deposit_reference: Type.String({
      description:
        "Write it into the reference or description of a transfer, with or without spaces. It never changes.",
      examples: ["K7Q2M9XW4F"],
    }),
    bank_accounts: Type.Array(FundingAccount, {
      description: "Where money in this currency can be sent; empty with the sandbox bank",
    }),
  },
  { title: "FundingCurrency" },
);

export const FundingInstructions = Type.Object(
  {
    instructions: Type.String({ description: "What to do, in words" }),
    currencies: Type.Array(FundingCurrency),
  },
  { title: "FundingInstructions" },
);
export type FundingInstructions = Static<typeof FundingInstructions>;
