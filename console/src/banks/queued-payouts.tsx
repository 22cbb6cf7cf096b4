// Where the payouts of a discarded file can be cancelled: the queued payouts of each of its subaccounts.

import type { BankBatchDetail, ShownFileLine } from "@server/doors/console/banks/schema.ts";
import { usePage } from "../api/page.ts";
import { PageLink } from "../parts/page-link.tsx";

export function QueuedPayouts({ batch: { id } }: { batch: BankBatchDetail }) {
  const { rows = [] } = usePage<ShownFileLine>(["banks"], `/banks/batches/${id}/lines`);
  const names = new Map(rows.map((row) => [row.subaccount_id, row.subaccount_name]));
  return [...names].map(([subaccountId, name]) => (
    <span key={subaccountId}>
      {" "}
      <PageLink to={`/s/${subaccountId}/payouts?stage=queued`} underline="always">
        {`Queued payouts of ${name}`}
      </PageLink>
    </span>
  ));
}
