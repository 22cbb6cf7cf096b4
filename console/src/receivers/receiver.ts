// What the receiver's page is given, and how it is asked for anew after a change.

import type {
  AccountLine,
  HistoryLine,
  ReceiverDetail,
  ReportLine,
} from "@server/console/receivers/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useSubaccount } from "../api/me.ts";

export type { AccountLine, HistoryLine, ReceiverDetail, ReportLine };

export function useRenewReceivers(): () => Promise<void> {
  const client = useQueryClient();
  const { id } = useSubaccount();
  return () => client.invalidateQueries({ queryKey: [id, "receivers"] });
}
