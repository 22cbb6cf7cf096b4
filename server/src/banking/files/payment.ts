// A payout as a bank file needs it. Only here are its account number and address decrypted.

import type { Payment, PaymentFormat } from "../../../../packages/bank-formats/src/index.ts";
import {
  ifReadable,
  openNumberWith,
  openPersonWith,
  type PersonFields,
  payeeOf,
  personKeyOf,
} from "../../people/person/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { PayoutToFreeze } from "./freeze-queries.ts";

/** The payment, or why it can't be paid. */
export type Prepared = { payment: Payment } | { cause: string };

type FileRules<Settings> = {
  format: PaymentFormat<Settings>;
  settings: Settings;
  /** The limit may be lower than when the payout was created. */
  fileTotalMax: bigint;
};

export function preparePayment<Settings>(
  row: PayoutToFreeze,
  seal: Seal,
  { format, settings, fileTotalMax }: FileRules<Settings>,
): Prepared {
  if (row.receiver_status !== "active" || row.kyc_status !== "completed") {
    return { cause: "the receiver can no longer be paid" };
  }
  if (row.account_status !== "active") return { cause: "the account can no longer be paid" };
  if (BigInt(row.sent_amount) > fileTotalMax) {
    return { cause: "the amount is above what one file of the bank connection may hold" };
  }
  const payee = ifReadable(() => openPayee(row, seal));
  if (payee === undefined) return { cause: "its account number can't be decrypted" };
  const reference = [row.statement_reference, row.reference, referenceOf(row.id)]
    .map((text) => format.toReference(text))
    .find((text) => text !== "");
  const payment = toPayment(row, payee, reference ?? "");
  const [problem] = format.problemsOf(payment, settings);
  return problem ? { cause: problem.message } : { payment };
}

type Payee = PersonFields & { accountNumber: string };

function openPayee(row: PayoutToFreeze, seal: Seal): Payee {
  const { subaccount_id, receiver_id: id, person_key, account_version: version } = row;
  const key = personKeyOf(seal, subaccount_id, { id, person_key });
  const accountNumber = openNumberWith(seal, key, { ...row, version });
  return { ...openPersonWith(key, subaccount_id, { ...row, id }), accountNumber };
}

function toPayment(row: PayoutToFreeze, payee: Payee, reference: string): Payment {
  return {
    payoutId: row.id,
    amount: BigInt(row.sent_amount),
    currency: row.currency,
    country: row.country,
    bsb: row.bsb,
    bankCode: row.bank_code,
    accountNumber: payee.accountNumber,
    payeeName: payeeOf(row),
    isBusiness: row.individual_or_business === "B",
    accountType: row.checking_or_savings || "checking",
    address: {
      street: payee.address,
      city: payee.city,
      state: payee.state,
      postcode: payee.postcode,
      country: row.receiver_country,
    },
    statementReference: reference,
    statementName: row.statement_name,
    purpose: row.purpose,
  };
}

/** For a payout whose reference the format can't carry: the end of its id, which no other of the day has. */
function referenceOf(payoutId: string): string {
  return payoutId.replaceAll("-", "").slice(-12).toUpperCase();
}
