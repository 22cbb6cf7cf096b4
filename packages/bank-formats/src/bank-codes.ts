// Why banks return, reject or change payments: every code of every scheme, with its cause in plain words.

import { isoReasonCodes } from "./iso/reason-codes.ts";

export type BankCodeScheme = "becs" | "nacha" | "iso";

export type BankCode = {
  scheme: BankCodeScheme;
  code: string;
  /** For people: one sentence without its full stop. */
  cause: string;
  /** Whether the same payment can succeed once its details are corrected. */
  outcome: "final" | "correctable";
};

type CodeRow = readonly [code: string, cause: string, outcome: BankCode["outcome"]];

/** Returns of Direct Entry payments in Australia. 0 and 7 have no meaning. */
const becs: readonly CodeRow[] = [
  ["1", "The BSB does not exist", "correctable"],
  ["2", "The payment was stopped", "final"],
  ["3", "The account is closed", "correctable"],
  ["4", "The account holder has died", "final"],
  ["5", "There is no account with this number", "correctable"],
  ["6", "The bank refers us to the account holder", "final"],
  ["8", "The bank does not know our Direct Entry user ID", "final"],
  ["9", "The payment is technically invalid", "correctable"],
];

/**
 * Of the American clearing houses. R: returns; from R61 dishonoured returns, from R71 contested ones. C: notifications of
 * change; from C61 refusals of these.
 */
const nacha: readonly CodeRow[] = [
  ["R01", "The account had too little money", "final"],
  ["R02", "The account is closed", "correctable"],
  ["R03", "There is no account with this number, or it is not the receiver's", "correctable"],
  ["R04", "The account number is invalid", "correctable"],
  [
    "R05",
    "A debit of a business class was made to a consumer's account without authorization",
    "final",
  ],
  ["R06", "Our bank asked for the return", "final"],
  ["R07", "The receiver revoked the authorization", "final"],
  ["R08", "The receiver stopped the payment", "final"],
  ["R09", "The account's money was not available yet", "final"],
  ["R10", "The receiver says that the originator is unknown or not authorized", "final"],
  ["R11", "The receiver says that the entry differs from what was authorized", "correctable"],
  ["R12", "The account's branch was sold to another bank", "correctable"],
  ["R13", "The routing number is invalid", "correctable"],
  ["R14", "The receiver's representative has died or can't act any more", "final"],
  ["R15", "The receiver or account holder has died", "final"],
  ["R16", "The account is frozen, or the payment was stopped by sanctions rules", "final"],
  ["R17", "The bank could not read or process the entry, or finds it questionable", "correctable"],
  ["R18", "The effective date is not allowed", "correctable"],
  ["R19", "The amount field is wrong", "correctable"],
  ["R20", "The account takes no such payments", "correctable"],
  ["R21", "The company identification is invalid", "correctable"],
  ["R22", "The receiver's identification number is invalid", "correctable"],
  ["R23", "The receiver refused the payment", "final"],
  ["R24", "The entry is a duplicate", "final"],
  ["R25", "The addenda are wrong", "correctable"],
  ["R26", "A mandatory field is wrong", "correctable"],
  ["R27", "The trace number is wrong", "correctable"],
  ["R28", "The check digit of the routing number is wrong", "correctable"],
  ["R29", "The business says that the entry was not authorized", "final"],
  ["R30", "The bank does not take part in check truncation", "final"],
  ["R31", "The bank returns the entry late, with our bank's permission", "final"],
  ["R32", "The bank can't settle", "final"],
  ["R33", "The bank returns an XCK entry", "final"],
  ["R34", "The bank may take part in the clearing only in part", "final"],
  ["R35", "A debit was made to a class or account that takes none", "final"],
  ["R36", "A credit was made in a class that takes none", "correctable"],
  ["R37", "The source document was presented for payment", "final"],
  ["R38", "A stop payment was put on the source document", "final"],
  ["R39", "The source document is not eligible", "final"],
  ["R40", "The government agency returns the enrolment entry", "final"],
  ["R41", "The transaction code of the enrolment entry is invalid", "correctable"],
  ["R42", "The routing number or its check digit in the enrolment entry is wrong", "correctable"],
  ["R43", "The account number in the enrolment entry is invalid", "correctable"],
  [
    "R44",
    "The individual's identification number in the enrolment entry is invalid",
    "correctable",
  ],
  ["R45", "The individual's or company's name in the enrolment entry is invalid", "correctable"],
  ["R46", "The representative payee indicator of the enrolment entry is invalid", "correctable"],
  ["R47", "The enrolment entry is a duplicate", "final"],
  ["R50", "State law does not allow the presentment fee or item", "final"],
  ["R51", "The represented check is not eligible, or its notice was wrong", "final"],
  ["R52", "A stop payment was put on the represented check", "final"],
  ["R53", "The check and its entry were both presented", "final"],
  ["R61", "The return went to the wrong bank", "correctable"],
  ["R62", "The return follows from an erroneous or reversing entry", "final"],
  ["R67", "The return is a duplicate", "final"],
  ["R68", "The return came too late", "final"],
  ["R69", "Fields of the return are wrong", "correctable"],
  ["R70", "The return was not permitted or not requested", "final"],
  ["R71", "The dishonoured return went to the wrong bank", "correctable"],
  ["R72", "The dishonoured return came too late", "final"],
  ["R73", "The original return was in time", "final"],
  ["R74", "The return is sent again, corrected", "final"],
  ["R75", "The return was no duplicate", "final"],
  ["R76", "The returned fields had no errors", "final"],
  ["R77", "The bank does not accept the dishonoured return", "final"],
  ["R80", "The fields of the international entry are wrong", "correctable"],
  ["R81", "The bank takes no international entries", "final"],
  ["R82", "The foreign receiving bank's identification is invalid", "correctable"],
  ["R83", "The foreign receiving bank can't settle", "final"],
  ["R84", "The gateway did not process the entry", "final"],
  ["R85", "An international payment was sent in a domestic class", "correctable"],
  ["C01", "The account number is wrong", "correctable"],
  ["C02", "The routing number is wrong", "correctable"],
  ["C03", "The routing number and the account number are wrong", "correctable"],
  ["C04", "The receiver's name is wrong", "correctable"],
  ["C05", "The account type (transaction code) is wrong", "correctable"],
  ["C06", "The account number and the account type are wrong", "correctable"],
  ["C07", "The routing number, the account number and the account type are wrong", "correctable"],
  ["C08", "The foreign receiving bank's identification is wrong", "correctable"],
  ["C09", "The receiver's identification number is wrong", "correctable"],
  ["C10", "The company name is wrong", "correctable"],
  ["C11", "The company identification is wrong", "correctable"],
  ["C12", "The company name and the company identification are wrong", "correctable"],
  ["C13", "The format of the addenda is wrong", "correctable"],
  ["C14", "The class does not fit an international payment", "correctable"],
  ["C61", "The notification of change went to the wrong bank", "final"],
  ["C62", "The trace number of the notification of change is wrong", "final"],
  ["C63", "The company identification of the notification of change is wrong", "final"],
  ["C64", "The identification number of the notification of change is wrong", "final"],
  ["C65", "The corrected data has the wrong format", "final"],
  ["C66", "The corrected data is the same as before", "final"],
  ["C67", "The routing number in the corrected data is wrong", "final"],
  ["C68", "The account number in the corrected data is wrong", "final"],
  ["C69", "The transaction code in the corrected data is wrong", "final"],
];

export const bankCodes: readonly BankCode[] = [
  ...rows("becs", becs),
  ...rows("nacha", nacha),
  ...rows("iso", isoReasonCodes),
];

function rows(scheme: BankCodeScheme, codes: readonly CodeRow[]): BankCode[] {
  return codes.map(([code, cause, outcome]) => ({ scheme, code, cause, outcome }));
}

const codesByKey = new Map(bankCodes.map((row) => [`${row.scheme}/${row.code}`, row]));

export function findBankCode(scheme: BankCodeScheme, code: string): BankCode | undefined {
  return codesByKey.get(`${scheme}/${code}`);
}
