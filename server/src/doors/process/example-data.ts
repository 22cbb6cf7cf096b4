// Example data of the first start: a test subaccount with receivers, so that the first call returns something.
// It is created in one transaction, and only in an installation without subaccounts.

import { createAccount, type NewReceiverAccount } from "../../people/accounts/index.ts";
import { sandboxProvider } from "../../people/kyc-providers/index.ts";
import {
  insertReceivers,
  type NewReceiver,
  type ReceiverToInsert,
  toReceiverCreation,
} from "../../people/receivers/index.ts";
import { noScreening } from "../../people/screening/index.ts";
import { newId, scopes } from "../../platform/base/index.ts";
import { type Db, statement } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { IssuedKey } from "../../tenants/api-keys/index.ts";
import { addSubaccount } from "../../tenants/subaccounts/index.ts";

const exampleLock = 4_242_003;
const lock = statement<never>("example-lock", "select pg_advisory_xact_lock($1)");
const anySubaccount = statement<{ id: string }>("example-any", "select id from subaccount limit 1");

type ExampleReceiver = NewReceiver &
  Pick<ReceiverToInsert, "status" | "kyc_status"> & {
    accounts: Omit<NewReceiverAccount, "receiver_id">[];
  };

const melbourne = { city: "Melbourne", state: "VIC", postcode: "3004", country: "AUS" };

const receivers: ExampleReceiver[] = [
  {
    first_name: "Ada",
    last_name: "Lovelace",
    email: "ada@example.com",
    dob: "1990-12-10",
    dialcode: "61",
    phone: "412345678",
    gender: "F",
    address: "1 St. Kilda Road",
    address2: "",
    ...melbourne,
    reference: "staff-0001",
    status: "active",
    kyc_status: "completed",
    accounts: [
      { account_type: "I", bsb: "062000", account_number: "12345999" },
      { account_type: "I", bsb: "083004", account_number: "001234567" },
    ],
  },
  {
    first_name: "Grace",
    middle_name: "Brewster",
    last_name: "O'Hopper",
    email: "grace@example.com",
    dob: "1986-12-09",
    dialcode: "61",
    phone: "498765432",
    gender: "F",
    address: "20 Collins Street",
    address2: "Level 3",
    ...melbourne,
    reference: "vendor-0002",
    status: "active",
    kyc_status: "completed",
    accounts: [
      {
        account_type: "B",
        bsb: "062000",
        account_number: "87654321",
        aka: "Hopper Compilers Pty Ltd",
        occupation: "Software",
        abn: "51824753556",
      },
    ],
  },
  {
    first_name: "Alan",
    last_name: "Turing",
    email: "alan@example.com",
    dob: "1992-06-23",
    dialcode: "61",
    phone: "423456789",
    gender: "M",
    address: "7 Bletchley Lane",
    address2: "",
    ...melbourne,
    status: "pending",
    kyc_status: "pending",
    accounts: [],
  },
];

const sandbox = sandboxProvider({ delayMs: 0 });

/** Returns the new key, or undefined when there are subaccounts already. */
export function createExampleData(db: Db, seal: Seal): Promise<IssuedKey | undefined> {
  return db.transaction(async (tx) => {
    await tx.run(lock, [exampleLock]);
    if ((await tx.run(anySubaccount)).length > 0) return undefined;

    const issued = await addSubaccount(tx, seal, {
      name: "Example",
      mode: "test",
      scopes,
      details: {
        title: "Ms",
        first_name: "Erin",
        last_name: "Example",
        email: "erin@example.com",
        dob: "1980-01-31",
        business_name: "Example Pty Ltd",
        support_email: "support@example.com",
        mobile_dialcode: "+61",
        mobile: "400000000",
        home_dialcode: "+61",
        home_telephone: "390000000",
        address: "1 Example Street",
        suburb: "Melbourne",
        state: "VIC",
        country: "AUS",
        postcode: "3000",
      },
    });
    const { subaccountId, mode, key } = issued;

    for (const { accounts, ...receiver } of receivers) {
      const caller = { subaccountId, mode, key, requestId: newId(), nonce: undefined };
      const { row } = toReceiverCreation(caller, receiver, {
        provider: sandbox,
        screener: noScreening,
        seal,
        who: "service",
      });
      const { status, kyc_status } = receiver;
      const decided = { status, kyc_status, kyc_step: undefined, kyc_due_at_ms: undefined };
      await insertReceivers(tx, [{ ...row, ...decided }]);
      for (const account of accounts) {
        const actor = { subaccountId, who: "service" };
        await createAccount({ tx, seal, screener: noScreening }, actor, {
          receiver_id: row.id,
          ...account,
        });
      }
    }
    return issued;
  });
}
