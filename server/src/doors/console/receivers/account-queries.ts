// The SQL of a receiver's bank accounts. Numbers are masked.

import { maskedNumber } from "../../../people/person/index.ts";
import type { ReceiverKey } from "../../../people/receivers/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import type { Metadata } from "../../../platform/metadata/index.ts";
import type { AccountLine } from "../../review-list/index.ts";

type BankRow = {
  version: number;
  country: string;
  individual_or_business: string;
  account_number_tail: string;
  bsb: string;
  bank_code: string;
  bank_name: string;
  business_name: string;
  checking_or_savings: string;
  created_at_ms: string;
  created_by: string;
};
type VersionRow = BankRow & {
  id: string;
  current_version: number;
  status: string;
  aka: string;
  reference: string;
  metadata: Metadata | null;
  receiver_address_outcome: string | null;
  payee_name_check: string | null;
  payee_name_checked_at_ms: string | null;
  account_created_at_ms: string;
};

const listVersions = statement<VersionRow>(
  "console-accounts-of-receiver",
  `select a.id, a.version as current_version, a.status, a.aka, a.reference, a.metadata, a.receiver_address_outcome,
          a.created_at_ms as account_created_at_ms, b.version, b.country, b.individual_or_business,
          b.account_number_tail, b.bsb, b.bank_code, b.bank_name, b.business_name, b.checking_or_savings,
          b.created_at_ms, b.created_by, n.outcome as payee_name_check, n.checked_at_ms as payee_name_checked_at_ms
   from (
     select * from receiver_account a where a.subaccount_id = $1 and a.receiver_id = $2
     order by a.id desc limit ${limits.receiverShownMax}
   ) a cross join lateral (
     select * from bank_details b where b.subaccount_id = $1 and b.account_id = a.id
     order by b.version desc limit ${limits.receiverShownMax}
   ) b
   left join payee_name_check n on n.subaccount_id = $1 and n.account_id = a.id and n.version = b.version
   where a.subaccount_id = $1
   order by a.id desc, b.version desc`,
);

/** Newest first, including closed ones, each with its earlier bank details. */
export async function listAccountLines(
  db: Runner,
  { subaccountId, id }: ReceiverKey,
): Promise<AccountLine[]> {
  const rows = await db.run(listVersions, [subaccountId, id]);
  const ofAccount = Map.groupBy(rows, ({ id }) => id);
  return [...ofAccount.values()].flatMap((versions) => {
    const current = versions.find(({ version, current_version }) => version === current_version);
    return current ? [toLine(current, versions)] : [];
  });
}

function toLine(current: VersionRow, versions: readonly VersionRow[]): AccountLine {
  const { id, status, aka, reference } = current;
  return {
    id,
    status,
    aka,
    reference,
    ...(current.metadata && { metadata: current.metadata }),
    address_outcome: current.receiver_address_outcome,
    payee_name_check: current.payee_name_check,
    payee_name_checked_at:
      current.payee_name_checked_at_ms === null ? null : Number(current.payee_name_checked_at_ms),
    ...bankOf(current),
    created_at: Number(current.account_created_at_ms),
    versions: versions.map((version) => ({
      ...bankOf(version),
      created_at: Number(version.created_at_ms),
      created_by: version.created_by,
    })),
  };
}

function bankOf({ version, country, bsb, bank_code, bank_name, ...row }: BankRow) {
  return {
    version,
    country,
    bsb,
    bank_code,
    bank_name,
    business_name: row.business_name,
    checking_or_savings: row.checking_or_savings,
    type: row.individual_or_business,
    account_number: maskedNumber(row.account_number_tail),
  };
}
