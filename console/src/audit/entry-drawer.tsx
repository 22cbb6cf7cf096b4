// All details of one entry of the audit log.

import { Drawer, Stack, Title } from "@mantine/core";
import type { AuditLine, AuditPage } from "@server/doors/console/audit/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { Facts } from "../parts/facts.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { Problem } from "../parts/problem.tsx";
import { SubaccountName } from "../parts/subaccount-name.tsx";
import { When } from "../parts/when.tsx";
import { whoWithToken } from "../state/who.ts";
import { auditTexts } from "../texts/audit.ts";
import { ChangeInFull } from "./change.tsx";
import { ObjectLink } from "./object-link.tsx";
import { actionText, objectText } from "./words.ts";

export function EntryDrawer({
  number,
  onClose,
}: {
  number: string | undefined;
  onClose: () => void;
}) {
  const { data, error } = useQuery({
    queryKey: ["across", "audit", "entry", number],
    // The one before the next: entries are numbered without a gap.
    queryFn: ({ signal }) =>
      get<AuditPage>("/audit", { cursor: Number(number) + 1, limit: 1 }, signal),
    enabled: number !== undefined,
  });
  const entry = data?.rows.find((row) => String(row.number) === number);
  return (
    <Drawer
      opened={number !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={`Entry ${number ?? ""}`}
    >
      <Problem error={error} />
      {entry && <Entry entry={entry} />}
    </Drawer>
  );
}

function Entry({ entry }: { entry: AuditLine }) {
  return (
    <Stack gap="lg">
      <Facts
        items={[
          { label: auditTexts.time, value: <When ms={entry.at} withSeconds /> },
          { label: auditTexts.who, value: whoWithToken(entry) },
          { label: auditTexts.action, value: actionText(entry.action) },
          { label: objectText(entry.object_kind), value: <ObjectLink of={entry} /> },
          { label: auditTexts.subaccount, value: <SubaccountName id={entry.subaccount_id} /> },
          { label: auditTexts.ipAddress, value: entry.ip || auditTexts.commandLine },
          {
            label: "Request",
            value: entry.request_id && <IdChip id={entry.request_id} />,
          },
        ]}
      />
      <section>
        <Title order={3} fz="sm" mb={6}>
          Changes
        </Title>
        <ChangeInFull {...entry} />
      </section>
      <Facts items={[{ label: "Hash", value: <IdChip id={entry.hash} /> }]} />
    </Stack>
  );
}
