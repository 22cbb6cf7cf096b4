// The delivery of a payout's latest event, in a table cell.

import type { PayoutLine } from "@server/doors/console/payouts/schema.ts";
import { Status } from "../parts/status.tsx";

export function WebhookCell({ event }: { event: PayoutLine["event"] }) {
  if (!event) return <>–</>;
  const { status, attempts, http_status } = event;
  if (status === "delivered" && http_status !== null) {
    return <Status of="http" value={http_status} title="Delivered" />;
  }
  const isRetried = status === "waiting" && attempts > 0;
  const answer = http_status === null ? "no response" : `response ${http_status}`;
  const why = attempts > 0 ? `${answer}, attempt ${attempts}` : undefined;
  return <Status of="event" value={isRetried ? "retrying" : status} title={why} />;
}
