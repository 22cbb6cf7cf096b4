// Keeps the form of a new payout in this tab, by user and subaccount: it survives a reload and a new sign-in.

import { useRef, useState } from "react";
import { useMe, useSubaccount } from "../api/me.ts";
import { drafts } from "../state/remembered.ts";
import { blankDraft, type PayoutDraft, readDraft } from "./payout-draft.ts";

export function usePayoutDraft() {
  const me = useMe();
  const { id } = useSubaccount();
  const name = `payout-${me.id}-${id}`;
  const [kept] = useState(() => readDraft(drafts.get(name)));
  const [fields, setFields] = useState(kept ?? blankDraft);
  // Two changes may come before the next render: the second must see the first.
  const latest = useRef(fields);
  const [isRestored, setRestored] = useState(kept !== undefined);
  return {
    fields,
    isRestored,
    change: (changes: Partial<PayoutDraft>) => {
      const after = { ...latest.current, ...changes };
      latest.current = after;
      setFields(after);
      setRestored(false);
      drafts.set(name, JSON.stringify(after));
    },
    clear: () => {
      latest.current = blankDraft;
      setFields(blankDraft);
      setRestored(false);
      drafts.remove(name);
    },
    /** The payout is created: the next form starts empty. */
    forget: () => drafts.remove(name),
  };
}
