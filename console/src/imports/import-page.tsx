// The page of imports: a tab for each kind of file, its templates, and why a user can't import it.

import { Alert, Button } from "@mantine/core";
import type { ReactNode } from "react";
import { addressOf } from "../api/call.ts";
import { useApiOf, useMay, usePageOf } from "../api/me.ts";
import { Download } from "../parts/icons.tsx";
import { PageTabs } from "../parts/page-tabs.tsx";
import { Screen } from "../parts/screen.tsx";

export function ImportPage({
  title,
  path,
  templates = [{ label: "Download template", file: "template" }],
  refusal,
  children,
}: {
  title: string;
  /** Of the import, below the subaccount. */
  path: string;
  templates?: { label: string; file: string }[];
  /** Why the user can't import. Undefined: they can. */
  refusal: string | undefined;
  children: ReactNode;
}) {
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const tabs = [
    { to: pageOf("payouts", "import"), label: "Payouts", isSeen: useMay("payouts.create") },
    { to: pageOf("receivers", "import"), label: "Receivers", isSeen: useMay("receivers.write") },
    { to: pageOf("accounts", "import"), label: "Accounts", isSeen: useMay("accounts.propose") },
  ].filter(({ isSeen }) => isSeen);
  return (
    <Screen
      title={title}
      actions={templates.map(({ label, file }) => (
        <Button
          key={file}
          component="a"
          href={addressOf(apiOf(`${path}/${file}.csv`))}
          download
          variant="default"
          leftSection={<Download size={15} aria-hidden />}
        >
          {label}
        </Button>
      ))}
    >
      {tabs.length > 1 && <PageTabs label="What to import" pages={tabs} />}
      {refusal === undefined ? children : <Alert color="gray">{refusal}</Alert>}
    </Screen>
  );
}
