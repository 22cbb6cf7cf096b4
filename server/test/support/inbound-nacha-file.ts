// NACHA files as banks send them: returns, and notifications of change.

export type NachaReport = {
  code: string;
  /** Which payment of our file it was. */
  place: number;
  account: string;
  reference: string;
  amount?: number;
  corrected?: string;
};

const ourRouting = "021000021";
const payeeBank = "12100024";
export const companyId = "1987654321";

/** The settings of our connection. */
export const nachaSettings = {
  immediate_destination: ourRouting,
  destination_name: "FIRST BANK",
  immediate_origin: "1987654321",
  origin_name: "ACME PAYOUTS",
  company_name: "ACME PAYOUTS",
  company_id: companyId,
  entry_description: "PAYOUT",
  odfi: ourRouting.slice(0, 8),
  account_number: "440011223",
};

const number = (value: number | string, length: number) => String(value).padStart(length, "0");

export function nachaReports(
  date: string,
  reports: readonly NachaReport[],
  { entryHash }: { entryHash?: string } = {},
): string {
  const [year = "", month = "", day = ""] = date.split("-");
  const yymmdd = year.slice(2) + month + day;
  const isChange = reports.some(({ corrected }) => corrected !== undefined);
  const total = reports.reduce((sum, { amount = 0 }) => sum + amount, 0);
  const hash = entryHash ?? number(reports.length * Number(ourRouting.slice(0, 8)), 10);
  const sums = hash.slice(-10) + number(0, 12) + number(total, 12);
  const lines = [
    `101 ${ourRouting}${companyId}${yymmdd}1200A094101${"ACME PAYOUTS".padEnd(23)}${"FIRST BANK".padEnd(23)}${" ".repeat(8)}`,
    `5${"220"}${"ACME PAYOUTS".padEnd(16)}${" ".repeat(20)}${companyId}${isChange ? "COR" : "PPD"}${"PAYOUT".padEnd(10)}${" ".repeat(6)}${yymmdd}   1${payeeBank}${number(1, 7)}`,
    ...reports.flatMap((report, index) => {
      const trace = payeeBank + number(index + 1, 7);
      const original = ourRouting.slice(0, 8) + number(report.place, 7);
      const entry = `621${ourRouting}${report.account.padEnd(17)}${number(report.amount ?? 0, 10)}${report.reference.padEnd(15)}${"ADA LOVELACE".padEnd(22)}  1${trace}`;
      const information =
        report.corrected === undefined
          ? `${" ".repeat(6)}${payeeBank}${" ".repeat(44)}`
          : `${" ".repeat(6)}${payeeBank}${report.corrected.padEnd(29)}${" ".repeat(15)}`;
      const type = report.corrected === undefined ? "99" : "98";
      return [entry, `7${type}${report.code}${original}${information}${trace}`];
    }),
    `8220${number(reports.length * 2, 6)}${sums}${companyId}${" ".repeat(25)}${payeeBank}${number(1, 7)}`,
  ];
  const blocks = Math.ceil((lines.length + 1) / 10);
  const control = `9${number(1, 6)}${number(blocks, 6)}${number(reports.length * 2, 8)}${sums}`;
  lines.push(control.padEnd(94));
  while (lines.length % 10 !== 0) lines.push("9".repeat(94));
  return `${lines.join("\n")}\n`;
}
