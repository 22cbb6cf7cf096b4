// Leads to the page where a statement is applied. Only for users who may apply one.

import { useMay } from "../api/me.ts";
import { FileUp } from "../parts/icons.tsx";
import { LinkButton } from "../parts/link-button.tsx";

export function ApplyStatement() {
  if (!useMay("banks.release")) return null;
  return (
    <LinkButton to="/banks/inbound" icon={FileUp}>
      Apply a statement
    </LinkButton>
  );
}
