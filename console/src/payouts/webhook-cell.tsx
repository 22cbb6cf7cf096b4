// The delivery of a payout's latest event, in a table cell.

import type { PayoutLine } from "@server/console/payouts/schema.ts";
import { Status } from "../parts/status.tsx";
import { payoutsTexts } from "../texts/payouts.ts";

export function WebhookCell({ event }: { event: PayoutLine["event"] }) {
  if (!event) return <>–</>;
  const { status, attempts, http_status } = event;
  if (status === "delivered" && http_status !== null) {
    return <Status of="http" value={http_status} title={payoutsTexts.delivered} />;
  }
  const isRetried = status === "waiting" && attempts > 0;
  const answer =
    http_status === null ? payoutsTexts.noResponse : payoutsTexts.response(http_status);
  const why = attempts > 0 ? payoutsTexts.attempt(answer, attempts) : undefined;
  return <Status of="event" value={isRetried ? "retrying" : status} title={why} />;
}
