// Credit transfer initiations (pain.001): where each field stands and how long it is, for reading and writing alike.

import { characterSet } from "../characters.ts";
import { childrenOf, findElement, textAt, type XmlElement } from "../documents/index.ts";
import { shape } from "./shapes.ts";

/** `others` are paths of other versions, which are read only. A repeatable field has its parts in lines. */
type XmlField = {
  path: string;
  length: number;
  others?: readonly string[];
  isRepeatable?: true;
};
export type XmlLayout<Name extends string = string> = Readonly<Record<Name, XmlField>>;
export type XmlFieldValues<Table> = { [Name in keyof Table]: string };

/** What every bank of the euro payments area has to take. Other countries' banks take it, too. */
export const epcCharacters = characterSet("/-?:().,'+");

export type Pain001Version = "pain.001.001.03" | "pain.001.001.09";

/** Since version 08 a date stands in an element of its own. */
export function hasDateChoice(messageName: string): boolean {
  return Number(messageName.slice(-2)) >= 8;
}

const idLength = 35;
const nameLength = 140;

function addressFields(party: string) {
  return {
    street: { path: `${party}/PstlAdr/StrtNm`, length: 70 },
    postcode: { path: `${party}/PstlAdr/PstCd`, length: 16 },
    town: { path: `${party}/PstlAdr/TwnNm`, length: 35 },
    region: { path: `${party}/PstlAdr/CtrySubDvsn`, length: 35 },
    country: { path: `${party}/PstlAdr/Ctry`, length: 2 },
    addressLines: { path: `${party}/PstlAdr/AdrLine`, length: 70, isRepeatable: true },
  } as const;
}

function agentFields(agent: string, messageName: string) {
  const bic = `${agent}/FinInstnId/BIC`;
  const isNew = hasDateChoice(messageName);
  return {
    bic: { path: isNew ? `${bic}FI` : bic, length: 11, others: [isNew ? bic : `${bic}FI`] },
    clearingSystem: { path: `${agent}/FinInstnId/ClrSysMmbId/ClrSysId/Cd`, length: 5 },
    memberId: { path: `${agent}/FinInstnId/ClrSysMmbId/MmbId`, length: idLength },
    otherAgent: { path: `${agent}/FinInstnId/Othr/Id`, length: idLength },
  };
}

/** Each table is in the order of the message. */
export function pain001Layout(messageName: string) {
  const date = hasDateChoice(messageName)
    ? { path: "ReqdExctnDt/Dt", others: ["ReqdExctnDt/DtTm", "ReqdExctnDt"] }
    : { path: "ReqdExctnDt" };
  return {
    header: {
      messageId: { path: "MsgId", length: idLength },
      createdAt: { path: "CreDtTm", length: 35 },
      count: { path: "NbOfTxs", length: 15 },
      controlSum: { path: "CtrlSum", length: 19 },
      initiatingParty: { path: "InitgPty/Nm", length: nameLength },
      organisationId: { path: "InitgPty/Id/OrgId/Othr/Id", length: idLength },
    },
    block: {
      id: { path: "PmtInfId", length: idLength },
      method: { path: "PmtMtd", length: 3 },
      batchBooking: { path: "BtchBookg", length: 5 },
      count: { path: "NbOfTxs", length: 15 },
      controlSum: { path: "CtrlSum", length: 19 },
      serviceLevel: { path: "PmtTpInf/SvcLvl/Cd", length: 4 },
      executionDate: { ...date, length: 35 },
      debtorName: { path: "Dbtr/Nm", length: nameLength },
      ...addressFields("Dbtr"),
      iban: { path: "DbtrAcct/Id/IBAN", length: 34 },
      account: { path: "DbtrAcct/Id/Othr/Id", length: 34 },
      accountCurrency: { path: "DbtrAcct/Ccy", length: 3 },
      ...agentFields("DbtrAgt", messageName),
      chargeBearer: { path: "ChrgBr", length: 4 },
    },
    transfer: {
      instructionId: { path: "PmtId/InstrId", length: idLength },
      endToEndId: { path: "PmtId/EndToEndId", length: idLength },
      uetr: { path: "PmtId/UETR", length: 36 },
      instructedAmount: { path: "Amt/InstdAmt", length: 19, others: ["Amt/EqvtAmt/Amt"] },
      ultimateDebtor: { path: "UltmtDbtr/Nm", length: nameLength },
      ...agentFields("CdtrAgt", messageName),
      name: { path: "Cdtr/Nm", length: nameLength },
      ...addressFields("Cdtr"),
      iban: { path: "CdtrAcct/Id/IBAN", length: 34 },
      account: { path: "CdtrAcct/Id/Othr/Id", length: 34 },
      purpose: { path: "Purp/Cd", length: 4 },
      remittance: { path: "RmtInf/Ustrd", length: 140, isRepeatable: true },
    },
  } as const satisfies Record<string, XmlLayout>;
}

export type Pain001Layout = ReturnType<typeof pain001Layout>;

export function readXmlFields<Table extends XmlLayout>(
  element: XmlElement,
  table: Table,
): XmlFieldValues<Table> {
  const entries = Object.entries(table).map(([name, { path, others = [], isRepeatable }]) => {
    if (!isRepeatable) return [name, textAt(element, path, ...others)];
    return [
      name,
      elementsAt(element, path)
        .map(({ text }) => text)
        .join("\n"),
    ];
  });
  return Object.fromEntries(entries);
}

/** Every element at a path whose last name may repeat. */
export function elementsAt(element: XmlElement, path: string): XmlElement[] {
  const cut = path.lastIndexOf("/");
  const parent = cut < 0 ? element : findElement(element, path.slice(0, cut));
  return parent ? childrenOf(parent, path.slice(cut + 1)) : [];
}

export const pain001Shapes = {
  message: shape("GrpHdr! PmtInf!* SplmtryData*"),
  header: shape("MsgId! CreDtTm! Authstn* NbOfTxs! CtrlSum InitgPty! FwdgAgt"),
  block: shape(
    `PmtInfId! PmtMtd! BtchBookg NbOfTxs CtrlSum PmtTpInf ReqdExctnDt! PoolgAdjstmntDt Dbtr! DbtrAcct! DbtrAgt!
     DbtrAgtAcct InstrForDbtrAgt UltmtDbtr ChrgBr ChrgsAcct ChrgsAcctAgt CdtTrfTxInf!*`,
  ),
  transfer: shape(
    `PmtId! PmtTpInf Amt! XchgRateInf ChrgBr ChqInstr UltmtDbtr IntrmyAgt1 IntrmyAgt1Acct IntrmyAgt2 IntrmyAgt2Acct
     IntrmyAgt3 IntrmyAgt3Acct CdtrAgt CdtrAgtAcct Cdtr CdtrAcct UltmtCdtr InstrForCdtrAgt* InstrForDbtrAgt Purp
     RgltryRptg* Tax RltdRmtInf* RmtInf SplmtryData*`,
  ),
  paymentId: shape("InstrId EndToEndId! UETR"),
  party: shape("Nm PstlAdr Id CtryOfRes CtctDtls"),
  account: shape("Id! Tp Ccy Nm Prxy"),
  agent: shape("FinInstnId! BrnchId"),
  address: shape(
    `AdrTp Dept SubDept StrtNm BldgNb BldgNm Flr PstBx Room PstCd TwnNm TwnLctnNm DstrctNm CtrySubDvsn Ctry AdrLine*`,
  ),
};
