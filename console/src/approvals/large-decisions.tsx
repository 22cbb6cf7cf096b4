// The decisions that ask for more than a click: about a batch of payouts, whose sums are read first, and about a bank file.

import type { Approval } from "@server/doors/console/approvals/schema.ts";
import type { PayoutBatchDetail } from "@server/doors/console/batches/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { ApproveFile } from "../banks/approve-file.tsx";
import { waitingTotals } from "../batches/batch.ts";
import { ActOnBatch } from "../batches/batch-actions.tsx";
import type { Decision } from "./kinds.ts";

type Parts = { onClose: () => void; onDone: () => void };

export function BatchDecision({ decision, ...rest }: Parts & { decision: Decision | undefined }) {
  const asked = decision?.act === "decline" ? decision.item : decision?.items[0];
  const row = asked?.kind === "batch" ? asked : undefined;
  const { id = "", subaccount_id = "", mode = "live" } = row ?? {};
  const { data } = useQuery({
    queryKey: [subaccount_id, "batch-to-decide", id],
    queryFn: ({ signal }) =>
      get<PayoutBatchDetail>(`/s/${subaccount_id}/batches/${id}`, {}, signal),
    enabled: row !== undefined,
    gcTime: 0,
  });
  return (
    <ActOnBatch
      act={row && data ? decision?.act : undefined}
      subaccount={{ id: subaccount_id, mode }}
      batchId={id}
      totals={waitingTotals(data?.stages ?? [])}
      {...rest}
    />
  );
}

export function FileDecision({ row, ...rest }: Parts & { row: Approval | undefined }) {
  return <ApproveFile file={row?.file ? { id: row.id, ...row.file } : undefined} {...rest} />;
}
