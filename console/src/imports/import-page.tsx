// The page of an import: its template, and why a user can't import.

import { Alert, Button } from "@mantine/core";
import type { ReactNode } from "react";
import { addressOf } from "../api/call.ts";
import { useApiOf } from "../api/me.ts";
import { Download } from "../parts/icons.tsx";
import { Screen } from "../parts/screen.tsx";

export function ImportPage({
  title,
  above,
  path,
  templates = [{ label: "Download template", file: "template" }],
  refusal,
  children,
}: {
  title: string;
  above: ReactNode;
  /** Of the import, below the subaccount. */
  path: string;
  templates?: { label: string; file: string }[];
  /** Why the user can't import. Undefined: they can. */
  refusal: string | undefined;
  children: ReactNode;
}) {
  const apiOf = useApiOf();
  return (
    <Screen
      title={title}
      above={above}
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
      {refusal === undefined ? children : <Alert color="gray">{refusal}</Alert>}
    </Screen>
  );
}
