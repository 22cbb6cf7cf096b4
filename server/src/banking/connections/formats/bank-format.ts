// What a format needs for a bank connection: the schema of its settings, and what is usual for it.

import Type, { type Static, type TObject } from "typebox";
import type {
  CalendarName,
  Clearing,
} from "../../../../../packages/bank-formats/src/calendars/index.ts";
import type { PaymentFormat } from "../../../../../packages/bank-formats/src/index.ts";

/** Our account, as someone who transfers money to it needs it. Empty where it has no such part. */
export type OwnAccount = {
  holderName: string;
  accountNumber: string;
  bsb: string;
  bankCode: string;
  bic: string;
};

export type BankFormat = {
  // A table of formats, each with settings of its own, has no type that fits all of them.
  format: PaymentFormat<object>;
  /** Facts of our own account, by their names on the wire. `account_number` is among them in every format. */
  settings: TObject;
  /** From the settings of a connection. */
  ownAccountOf(given: object): OwnAccount;
  fileEnding: string;
  clearing: Clearing;
  /** Banking days after the process date on which the bank may debit the file at the latest. Absent: on that date. */
  debitDays?: number;
  usual: {
    currency: string;
    countries: readonly string[];
    calendar: CalendarName;
    timeZone: string;
    bankCutoff: string;
    successDays: number;
  };
};

type Entry<Settings extends object, Schema extends TObject> = Omit<
  BankFormat,
  "format" | "settings" | "ownAccountOf"
> & {
  format: PaymentFormat<Settings>;
  settings: Schema;
  toSettings(given: Static<Schema>): Settings;
  /** Without those parts that the account does not have. */
  toOwnAccount(
    given: Static<Schema>,
  ): Partial<OwnAccount> & Pick<OwnAccount, "holderName" | "accountNumber">;
};

/** Its settings are stored by their names on the wire, and read as the format names them. */
export function bankFormat<Settings extends object, Schema extends TObject>({
  format,
  settings,
  toSettings,
  toOwnAccount,
  fileEnding,
  clearing,
  debitDays = 0,
  usual,
}: Entry<Settings, Schema>): BankFormat {
  const read = (given: object) => toSettings(given as Static<Schema>);
  return {
    settings,
    ownAccountOf: (given) => ({ ...noParts, ...toOwnAccount(given as Static<Schema>) }),
    fileEnding,
    clearing,
    debitDays,
    usual,
    format: {
      ...format,
      problemsOf: (payment, given) => format.problemsOf(payment, read(given)),
      open: (facts, given) => format.open(facts, read(given)),
    },
  };
}

const noParts = { bsb: "", bankCode: "", bic: "" };

/** A line of printable ASCII. */
export const settingLine = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: "^[\\x20-\\x7E]*$", description });

export const settingDigits = (min: number, max: number, description: string) =>
  Type.String({ pattern: `^[0-9]{${min},${max}}$`, description });

/** As for receivers: the connection keeps the six digits. */
export const bsbPattern = "[0-9]{3}[ \\-]?[0-9]{3}";

/** False if absent. */
export const settingFlag = (description: string) => Type.Boolean({ description, default: false });
