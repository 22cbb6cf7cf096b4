// Writes credit transfer initiations: pain.001.001.03 and pain.001.001.09.

import { createHash } from "node:crypto";
import { toBankText } from "../characters.ts";
import type { FileFacts, FileTotals, FileWriter, Payment, PaymentFormat } from "../format.ts";
import { toDecimal } from "../money.ts";
import {
  epcCharacters,
  type Pain001Layout,
  type Pain001Version,
  pain001Layout,
} from "./pain-001-layout.ts";
import {
  creditorAccountOf,
  type Pain001Currency,
  type Pain001Settings,
  pain001Problems,
  pain001Profiles,
  remittanceLength,
  structuredAddress,
} from "./pain-001-profiles.ts";
import { writeXmlFields } from "./xml-writer.ts";

/** A file of this many payments has about 100 million characters, which a reader can still hold. */
const limits = { count: 100_000, total: 10n ** 15n };

export const pain001v03Format = pain001Format("pain.001.001.03");
export const pain001v09Format = pain001Format("pain.001.001.09");

function pain001Format(version: Pain001Version): PaymentFormat<Pain001Settings> {
  return {
    name: version,
    problemsOf: (payment, settings) => pain001Problems(payment, settings, version),
    limits,
    toReference: (text) => toText(text, remittanceLength),
    open: (facts, settings) => openFile(version, facts, settings),
  };
}

function openFile(
  version: Pain001Version,
  facts: FileFacts,
  settings: Pain001Settings,
): FileWriter {
  const { currency, debtorName } = settings;
  const frame: TransferFrame = {
    layout: pain001Layout(version).transfer,
    currency,
    debtorName: toText(debtorName, pain001Profiles[currency].nameLength),
    hasUetr: settings.hasUetr && version === "pain.001.001.09",
  };
  return {
    header: (totals) => writeHeader(version, { ...facts, ...totals }, settings),
    payment: (payment) => writeTransfer(payment, frame),
    trailer: () => "    </PmtInf>\n  </CstmrCdtTrfInitn>\n</Document>\n",
  };
}

function writeHeader(
  version: Pain001Version,
  { fileId, processDate, createdAtMs, count, total }: FileFacts & FileTotals,
  settings: Pain001Settings,
): string {
  const { currency, debtorAddress, clearingCode, bic } = settings;
  const accountNumber = settings.accountNumber.replace(/[ -]/g, "");
  const profile = pain001Profiles[currency];
  const { header, block } = pain001Layout(version);
  const messageId = withoutDashes(fileId);
  const totals = { count: String(count), controlSum: toDecimal(total, currency) };
  const debtorName = toText(settings.debtorName, profile.nameLength);
  const headerXml = writeXmlFields(
    header,
    {
      messageId,
      createdAt: new Date(createdAtMs).toISOString().replace(/\.\d+Z$/, "Z"),
      ...totals,
      initiatingParty: debtorName,
      organisationId: toText(settings.organisationId, header.organisationId.length),
    },
    "      ",
  );
  const blockXml = writeXmlFields(
    block,
    {
      id: `${messageId}-1`,
      method: "TRF",
      batchBooking: String(settings.isBatchBooked),
      ...totals,
      serviceLevel: profile.serviceLevel(settings),
      executionDate: processDate,
      debtorName,
      ...(debtorAddress && structuredAddress(debtorAddress)),
      iban: clearingCode === "" ? accountNumber : "",
      account: clearingCode === "" ? "" : accountNumber,
      accountCurrency: currency,
      bic,
      clearingSystem: clearingCode === "" ? "" : profile.clearingSystem,
      memberId: clearingCode,
      // The agent may not be empty.
      otherAgent: bic === "" && clearingCode === "" ? "NOTPROVIDED" : "",
      chargeBearer: profile.chargeBearer,
    },
    "      ",
  );
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${version}">\n` +
    `  <CstmrCdtTrfInitn>\n    <GrpHdr>\n${headerXml}    </GrpHdr>\n    <PmtInf>\n${blockXml}`
  );
}

/** What all transfers of a file have in common. */
type TransferFrame = {
  layout: Pain001Layout["transfer"];
  currency: Pain001Currency;
  debtorName: string;
  hasUetr: boolean;
};

function writeTransfer(payment: Payment, frame: TransferFrame): string {
  const { layout, currency, debtorName, hasUetr } = frame;
  const { nameLength, clearingSystem } = pain001Profiles[currency];
  const id = withoutDashes(payment.payoutId);
  const payer = toText(payment.statementName, nameLength);
  const creditor = creditorAccountOf(payment, currency);
  const xml = writeXmlFields(
    layout,
    {
      instructionId: id,
      endToEndId: id,
      uetr: hasUetr ? uetrOf(payment.payoutId) : "",
      instructedAmount: {
        text: toDecimal(payment.amount, currency),
        attributes: ` Ccy="${currency}"`,
      },
      ultimateDebtor: payer === debtorName ? "" : payer,
      clearingSystem: creditor?.memberId ? clearingSystem : "",
      ...creditor,
      name: toText(payment.payeeName, nameLength),
      ...(payment.address && structuredAddress(payment.address)),
      purpose: payment.purpose,
      remittance: toText(payment.statementReference, remittanceLength),
    },
    "        ",
  );
  return `      <CdtTrfTxInf>\n${xml}      </CdtTrfTxInf>\n`;
}

function toText(text: string, length: number): string {
  return toBankText(text, epcCharacters, length);
}

function withoutDashes(id: string): string {
  return id.replaceAll("-", "");
}

/** Version 4, which banks insist on. Always the same for a payout, so that a file written again has the same bytes. */
export function uetrOf(payoutId: string): string {
  const digits = createHash("sha256").update(`uetr ${payoutId}`).digest("hex");
  const variant = "89ab"[Number.parseInt(digits[16] ?? "0", 16) % 4];
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-");
}
