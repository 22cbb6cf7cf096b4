// Files from banks, and what each has changed.

import { Button } from "@mantine/core";
import type { InboundFileLine } from "@server/doors/console/bank-inbound/schema.ts";
import { useNavigate } from "@tanstack/react-router";
import { useMay } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { BankTabs } from "../banks/bank-tabs.tsx";
import { Empty } from "../parts/empty.tsx";
import { FileUp } from "../parts/icons.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Screen } from "../parts/screen.tsx";
import { When } from "../parts/when.tsx";
import { useAskedDialog } from "../state/asked-dialog.ts";
import { countText } from "../state/locale.ts";
import { inboundTexts } from "../texts/bank-inbound.ts";
import { ApplyDialog } from "./apply-dialog.tsx";
import { FolderProblems } from "./folder-problems.tsx";
import { WaitingFiles } from "./waiting-files.tsx";

const count = (
  key: "lines" | "applied" | "noted" | "suspended" | "repeated",
  title: string,
): Column<InboundFileLine> => ({
  key,
  title,
  align: "right",
  cell: (row) => countText(row[key]),
});

const columns: Column<InboundFileLine>[] = [
  { key: "name", phone: "lead", title: "Name", isLink: true, cell: ({ name }) => name },
  {
    key: "bank",
    phone: "sub-middle",
    title: inboundTexts.bank,
    cell: ({ connection_name }) => connection_name,
  },
  { key: "format", phone: "sub", title: inboundTexts.format, cell: ({ format }) => format },
  count("lines", inboundTexts.reports),
  count("applied", inboundTexts.appliedCount),
  count("noted", "Noted"),
  count("suspended", inboundTexts.suspended),
  count("repeated", inboundTexts.repeated),
  {
    key: "received",
    phone: "lead-end",
    title: inboundTexts.received,
    align: "right",
    cell: ({ received_at }) => <When ms={received_at} isDate />,
  },
];

export function InboundScreen() {
  const navigate = useNavigate();
  const mayApply = useMay("banks.release");
  const [isOpen, setOpen] = useAskedDialog("apply");
  const page = usePage<InboundFileLine>(["banks"], "/banks/inbound", {}, { everyMs: 10_000 });
  return (
    <Screen
      actions={
        mayApply && (
          <Button leftSection={<FileUp size={16} aria-hidden />} onClick={() => setOpen(true)}>
            {inboundTexts.apply}
          </Button>
        )
      }
    >
      <BankTabs />
      <WaitingFiles />
      <FolderProblems />
      <PageTable
        label={inboundTexts.fromBanks}
        columns={columns}
        page={page}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/banks/inbound/${id}`}
        empty={
          <Empty
            title="No files from banks yet"
            hint="They report which payouts were returned, rejected or accepted."
          />
        }
      />
      {mayApply && (
        <ApplyDialog
          opened={isOpen}
          onApplied={(id) => navigate({ to: `/banks/inbound/${id}` as never })}
          onClose={() => setOpen(false)}
        />
      )}
    </Screen>
  );
}
