// A notification of change: the bank paid, and corrects the payee's details. It becomes a proposal that a user accepts.

import { addBankingDays } from "../../../../packages/bank-formats/src/calendars/index.ts";
import { proposeChange } from "../../people/accounts/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import type { BankConnection } from "../connections/index.ts";
import type { InboundLine } from "../readers/index.ts";
import { isChangeProposed } from "./inbound-change-queries.ts";
import type { LockedPayout } from "./inbound-queries.ts";

type ChangeRun = {
  tx: Tx;
  seal: Seal;
  connection: BankConnection;
  who: string;
  isFetched: boolean;
  confirmedBy: string;
  day: string;
};

/** Banks want the details corrected within this time. */
const bankingDaysToCorrect = 6;

/**
 * Its maker is the user who brought the file, because a user could have written it: neither they nor the user who
 * confirmed it can approve the change, or payouts to it. The bank made a file that the service fetched itself.
 *
 * Returns what was done, or undefined where the details can't be proposed. */
export async function proposeCorrection(
  { tx, seal, connection, who, isFetched, confirmedBy, day }: ChangeRun,
  { subaccount_id, account_id }: LockedPayout,
  { correction }: InboundLine,
): Promise<string | undefined> {
  const { bankCode, accountNumber } = correction ?? {};
  if (!bankCode && !accountNumber) return undefined;
  const key = { subaccountId: subaccount_id, id: account_id };
  // A second proposal would fail the transaction of the whole file.
  if (await isChangeProposed(tx, key)) return undefined;
  try {
    await proposeChange(
      { tx, seal },
      { ...key, who: isFetched ? `rail:${connection.rail}` : who, confirmedBy },
      {
        ...(bankCode && { bank_code: bankCode }),
        ...(accountNumber && { account_number: accountNumber }),
      },
    );
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
  const until = addBankingDays(connection.calendar, day, bankingDaysToCorrect);
  return `proposed as new bank details; to be corrected until ${until}`;
}
