// Why banks return, reject or change payments: every code of every scheme, with its cause in plain words.

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

export const bankCodes: readonly BankCode[] = rows("becs", becs);

function rows(scheme: BankCodeScheme, codes: readonly CodeRow[]): BankCode[] {
  return codes.map(([code, cause, outcome]) => ({ scheme, code, cause, outcome }));
}

const codesByKey = new Map(bankCodes.map((row) => [`${row.scheme}/${row.code}`, row]));

export function findBankCode(scheme: BankCodeScheme, code: string): BankCode | undefined {
  return codesByKey.get(`${scheme}/${code}`);
}
