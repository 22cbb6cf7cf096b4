// What waits for a reviewer at the company: a hit on a list of made-up people, and a payout that a rule holds.

import type { Disburse } from "../../client/src/index.ts";
import { readNewList } from "../../server/src/people/list-files/readers.ts";
import { importVersion } from "../../server/src/people/sanctions-lists/import.ts";
import { unFile } from "../../server/test/support/list-files.ts";
import type { Company } from "./company.ts";
import { payees } from "./people-paid.ts";

const listed = {
  key: "QDi.417",
  names: ["TAREQ", "ANWAR", "VELASCO"],
  more: `<INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Tarik Velasko</ALIAS_NAME></INDIVIDUAL_ALIAS>
    <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>The Captain</ALIAS_NAME></INDIVIDUAL_ALIAS>
    <NATIONALITY><VALUE>Panama</VALUE></NATIONALITY>
    <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><YEAR>1974</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
    <COMMENTS1>Made up for these pictures. Owner of a shipping company.</COMMENTS1>`,
};

/** Resolves when the service screens against the list. */
export async function haveAList({ db, screener }: Company): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const given = readNewList("un", [unFile([listed], day)]);
  const isLoaded = new Promise<void>((resolve) => screener.onLoad(resolve));
  const by = { who: "operator:theo@northwind.example", atMs: Date.now() };
  await db.transaction((tx) => importVersion(tx, given, by));
  await isLoaded;
}

export async function haveReviews(client: Disburse): Promise<void> {
  const [first] = payees();
  if (!first) throw new Error("there are no payees");
  const pay = async (person: object, account: object, amount: number, reference: string) => {
    const { receiver_id } = await client.receivers.create({ ...first.person, ...person });
    await client.testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
    const { account_id } = await client.receiverAccounts.create({
      ...{ ...first.account, ...account, receiver_id },
    });
    await client.payouts.create({ receiver_id, account_id, amount, currency: "AUD", reference });
  };
  await pay(
    {
      first_name: "Tarik",
      last_name: "Velasko",
      email: "tarik@velasko.example",
      dob: "1974-08-03",
    },
    // The bank knows this account by another name.
    { account_number: "12345552" },
    1_150_00,
    "INV-2911",
  );
  await pay(
    { first_name: "Odette", last_name: "Marchand", email: "odette@marchand.example" },
    { account_number: "22345999" },
    6_200_00,
    "FIT-OUT-8",
  );
  const { person } = first;
  await client.receivers.create({
    ...person,
    last_name: "Hartley",
    email: "amelia@hartley.example",
  });
}
