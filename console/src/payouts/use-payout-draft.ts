// The form of a new payout, kept for its user and subaccount. IDs only, no account numbers, because the browser keeps it.

import { useSubaccount } from "../api/me.ts";
import { useDraft } from "../state/drafts.ts";
import { blankDraft } from "./payout-draft.ts";

export function usePayoutDraft() {
  const { id } = useSubaccount();
  return useDraft(`payout-${id}`, blankDraft);
}
