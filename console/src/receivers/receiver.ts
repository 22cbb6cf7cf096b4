// The types of the receiver's page, and how it reloads after a change.

import type {
  AccountLine,
  HistoryLine,
  ReceiverDetail,
  ReportLine,
} from "@server/doors/review-list/receivers/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useSubaccount } from "../api/me.ts";

export type { AccountLine, HistoryLine, ReceiverDetail, ReportLine };

export function useRenewReceivers(): () => Promise<void> {
  const client = useQueryClient();
  const { id } = useSubaccount();
  return () => client.invalidateQueries({ queryKey: [id, "receivers"] });
}
