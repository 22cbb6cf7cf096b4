// The receiver's latest payouts, with a link to all of them.

import type { PayoutLine } from "@server/doors/console/payouts/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { onePageOf, type Rows } from "../api/page.ts";
import { CutText } from "../parts/cut-text.tsx";
import { Empty } from "../parts/empty.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { receiversTexts } from "../texts/receivers.ts";

const columns: readonly Column<PayoutLine>[] = [
  {
    key: "created",
    title: receiversTexts.created,
    phone: "sub",
    cell: (row) => <When ms={row.created_at} isDate />,
  },
  {
    key: "amount",
    title: "Amount",
    align: "right",
    isLink: true,
    phone: "lead",
    cell: (row) => <Money amount={row.amount} currency={row.currency} />,
  },
  {
    key: "status",
    title: receiversTexts.status,
    phone: "lead-end",
    cell: (row) => <Status of="payout" value={row.stage} title={row.cause || undefined} />,
  },
  {
    key: "account",
    title: "Account",
    phone: "sub-end",
    cell: (row) => <CutText>{row.account.tail}</CutText>,
  },
  {
    key: "reference",
    title: receiversTexts.reference,
    phone: "sub-middle",
    cell: (row) => <CutText>{row.reference || "–"}</CutText>,
  },
];

const shownMax = 10;

export function PayoutsTab({ receiverId }: { receiverId: string }) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const query = { receiver_id: receiverId, limit: shownMax };
  const list = useQuery({
    queryKey: [id, "payouts", "of-receiver", receiverId],
    queryFn: ({ signal }) => get<Rows<PayoutLine>>(apiOf("/payouts"), query, signal),
  });
  const { data } = list;
  const page = onePageOf(list);
  return (
    <>
      <PageTable
        label={receiversTexts.payouts}
        columns={columns}
        page={page}
        rowKey={(row) => row.id}
        rowHref={(row) => pageOf("payouts", row.id)}
        rowName={({ reference }) => `payout ${reference}`.trim()}
        empty={<Empty title="No payouts yet" />}
      />
      {data && data.rows.length > 0 && (
        <p>
          <PageLink to={`${pageOf("payouts")}?receiver_id=${receiverId}`} size="sm">
            All payouts of this receiver
          </PageLink>
        </p>
      )}
    </>
  );
}
