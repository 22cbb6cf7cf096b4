// ISO 20022 messages as banks send them: pain.002 and camt.054.

const withoutDashes = (id: string) => id.replaceAll("-", "");

export type StatusLine = { payoutId: string; status: string; code?: string; text?: string };

const reasonXml = ({ code, text }: { code?: string | undefined; text?: string | undefined }) =>
  code === undefined
    ? ""
    : `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn>${text ? `<AddtlInf>${text}</AddtlInf>` : ""}</StsRsnInf>`;

/** A status report about a file of ours. */
export function pain002(
  batchId: string,
  {
    group = "",
    code,
    lines = [] as readonly StatusLine[],
  }: {
    group?: string;
    code?: string;
    lines?: readonly StatusLine[];
  },
): string {
  const message = withoutDashes(batchId);
  const transactions = lines.map(
    ({ payoutId, status, ...reason }) => `
      <TxInfAndSts><OrgnlEndToEndId>${withoutDashes(payoutId)}</OrgnlEndToEndId><TxSts>${status}</TxSts>${reasonXml(reason)}</TxInfAndSts>`,
  );
  const block =
    transactions.length === 0
      ? ""
      : `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${message}-1</OrgnlPmtInfId>${transactions.join("")}
    </OrgnlPmtInfAndSts>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03">
  <CstmrPmtStsRpt>
    <GrpHdr><MsgId>STATUS-1</MsgId><CreDtTm>2026-11-16T10:00:00</CreDtTm></GrpHdr>
    <OrgnlGrpInfAndSts><OrgnlMsgId>${message}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId>${
      group ? `<GrpSts>${group}</GrpSts>` : ""
    }${reasonXml({ code })}</OrgnlGrpInfAndSts>
    ${block}
  </CstmrPmtStsRpt>
</Document>
`;
}

export type ReturnEntry = {
  amount: string;
  payoutId?: string;
  code?: string;
  creditor?: string;
  remittance?: string;
  status?: string;
  direction?: string;
};

/** A notification of returned payments. */
export function camt054(account: string, date: string, entries: readonly ReturnEntry[]): string {
  const xml = entries.map(
    (entry) => `
      <Ntry>
        <Amt Ccy="AUD">${entry.amount}</Amt><CdtDbtInd>${entry.direction ?? "CRDT"}</CdtDbtInd>
        <Sts>${entry.status ?? "BOOK"}</Sts><BookgDt><Dt>${date}</Dt></BookgDt>
        <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>RRTN</SubFmlyCd></Fmly></Domn></BkTxCd>
        <NtryDtls><TxDtls>
          <Refs><EndToEndId>${entry.payoutId ? withoutDashes(entry.payoutId) : "NOTPROVIDED"}</EndToEndId></Refs>
          <Amt Ccy="AUD">${entry.amount}</Amt><CdtDbtInd>${entry.direction ?? "CRDT"}</CdtDbtInd>
          ${entry.creditor ? `<RltdPties><CdtrAcct><Id><Othr><Id>${entry.creditor}</Id></Othr></Id></CdtrAcct></RltdPties>` : ""}
          ${entry.remittance ? `<RmtInf><Ustrd>${entry.remittance}</Ustrd></RmtInf>` : ""}
          <RtrInf><Rsn><Cd>${entry.code ?? "AC04"}</Cd></Rsn></RtrInf>
        </TxDtls></NtryDtls>
      </Ntry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.04">
  <BkToCstmrDbtCdtNtfctn>
    <GrpHdr><MsgId>NOTICE-1</MsgId><CreDtTm>${date}T10:00:00</CreDtTm></GrpHdr>
    <Ntfctn>
      <Id>N1</Id><CreDtTm>${date}T10:00:00</CreDtTm>
      <Acct><Id><Othr><Id>${account}</Id></Othr></Id></Acct>${xml.join("")}
    </Ntfctn>
  </BkToCstmrDbtCdtNtfctn>
</Document>
`;
}
