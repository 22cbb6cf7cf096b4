// Leads to the page where a statement is applied. Only for users who may apply one.

import { useMay } from "../api/me.ts";
import { PageLink } from "../parts/page-link.tsx";
import { statementsTexts } from "../texts/statements.ts";

export function ApplyStatement() {
  if (!useMay("banks.release")) return null;
  return <PageLink to="/banks/inbound">{statementsTexts.applyFile}</PageLink>;
}
