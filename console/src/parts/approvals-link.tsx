// The link to what waits for a second user, of one kind.

import type { Approval } from "@server/doors/console/approvals/schema.ts";
import { PageLink } from "./page-link.tsx";

export function ApprovalsLink({ kind }: { kind: Approval["kind"] }) {
  return (
    <PageLink to={`/approvals?kind=${kind}`} underline="always">
      Open Approvals
    </PageLink>
  );
}
