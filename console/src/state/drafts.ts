// Unfinished forms, kept in this tab for their user until they are sent. Never account numbers, secrets, dates of birth or
// phone numbers.

import { useRef, useState } from "react";
import { useMe } from "../api/me-query.ts";
import { type DraftFields, isSame, readDraft } from "./draft-text.ts";
import { drafts } from "./remembered.ts";

/**
 * The fields of a form. `form` names the form and its object, such as "payout-<subaccount>". Fields that equal `blank` are
 * not kept, so a form that shows an object keeps only what the user changed. Neither are the `unkept` ones.
 */
export function useDraft<Fields extends DraftFields>(
  form: string,
  blank: Fields,
  unkept: readonly (keyof Fields)[] = [],
) {
  const { id } = useMe();
  const name = `${id}-${form}`;
  const [kept] = useState(() => readDraft(drafts.get(name), blank, unkept));
  const [fields, setFields] = useState<Fields>({ ...blank, ...kept });
  const [isRestored, setRestored] = useState(kept !== undefined);
  // Two changes may come before the next render: the second must see the first.
  const latest = useRef(fields);
  const set = (after: Fields) => {
    latest.current = after;
    setFields(after);
    setRestored(false);
  };
  return {
    fields,
    isRestored,
    change: (changes: Partial<Fields>) => {
      const after = { ...latest.current, ...changes };
      set(after);
      const changed = Object.entries(after).filter(
        ([key, value]) => !isSame(value, blank[key]) && !unkept.includes(key),
      );
      if (changed.length === 0) drafts.remove(name);
      else drafts.set(name, JSON.stringify(Object.fromEntries(changed)));
    },
    /** Starts over. */
    clear: () => {
      set(blank);
      drafts.remove(name);
    },
    /** The form was sent or given up: the next one starts empty. */
    forget: () => drafts.remove(name),
  };
}
