// The people that the company of the screenshots pays: made up, with account numbers that pass every check.

import type { NewReceiver, NewReceiverAccount } from "../../client/src/wire.ts";

export type Payee = { person: NewReceiver; account: Omit<NewReceiverAccount, "receiver_id"> };

const names = [
  "Amelia Hart",
  "Noah Whitfield",
  "Priya Raman",
  "Liam O'Connor",
  "Chloe Nguyen",
  "Mateo Alvarez",
  "Hannah Schmidt",
  "Ethan Brooks",
  "Isla McKenzie",
  "Jonas Lindgren",
  "Mei Chen",
  "Oliver Grant",
  "Zara Haddad",
  "Lucas Moreau",
  "Ruby Thompson",
  "Kai Tanaka",
  "Sofia Rossi",
  "Harry Bennett",
  "Ngaire Walker",
  "Daniel Cohen",
  "Grace Papadopoulos",
  "Tomas Novak",
  "Aroha Ngata",
  "Finn Gallagher",
  "Leila Farouk",
  "Jack Morrison",
  "Ana Silva",
  "Wiremu Parata",
  "Emily Carter",
  "Samuel Okafor",
  "Ivy Laurent",
  "Max Fischer",
  "Georgia Kelly",
  "Arjun Mehta",
  "Freya Olsen",
  "Ben Fraser",
];
const streets = ["Rathdowne Street", "Bourke Street", "Lygon Street", "Harbour Esplanade"];
const trades = ["Courier", "Photographer", "Tutor", "Ceramics", "Catering", "Carpenter"];

const melbourne = { city: "Melbourne", state: "VIC", postcode: "3000", country: "AUS" };
const auckland = { city: "Auckland", state: "Auckland", postcode: "1010", country: "NZL" };

/** All of these accounts are valid. The day, not the account, decides the outcome of a payout. */
export function payees(): Payee[] {
  return names.map((name, index) => {
    const [first_name = "", last_name = ""] = name.split(" ");
    const isNewZealand = index % 6 === 4;
    const place = isNewZealand ? auckland : melbourne;
    const mailbox = name.toLowerCase().replace(/[^a-z]+/g, ".");
    return {
      person: {
        first_name,
        last_name,
        ...place,
        email: `${mailbox}@example.com`,
        gender: index % 2 === 0 ? "F" : "M",
        dob: `19${70 + (index % 29)}-0${1 + (index % 9)}-1${index % 9}`,
        dialcode: isNewZealand ? "64" : "61",
        phone: isNewZealand
          ? `21${String(4_300_00 + index * 7)}`
          : `4${String(12_340_000 + index * 317)}`,
        address: `${12 + index * 3} ${streets[index % streets.length]}`,
        address2: index % 5 === 0 ? `Unit ${1 + (index % 9)}` : "",
        reference: `maker-${String(1042 + index * 3)}`,
      },
      account: {
        account_type: "I",
        occupation: trades[index % trades.length] ?? "",
        ...(isNewZealand
          ? { account_number: newZealandNumber(index) }
          : {
              bsb: ["083004", "062000", "013140", "033088"][index % 4],
              account_number: String(41_207_300 + index * 1_113),
            }),
      },
    } as Payee;
  });
}

/** Bank 01, branch 0902: the weighted sum of the digits must be a multiple of 11. */
function newZealandNumber(index: number): string {
  const weights = [0, 0, 6, 3, 7, 9, 0, 0, 10, 5, 8, 4, 2, 1];
  for (let body = 68_389 + index * 91; ; body += 1) {
    const digits = `010902${String(body).padStart(8, "0")}`;
    const sum = [...digits].reduce(
      (total, digit, place) => total + Number(digit) * (weights[place] ?? 0),
      0,
    );
    if (sum % 11 === 0) return `01-0902-${String(body).padStart(7, "0")}-00`;
  }
}
