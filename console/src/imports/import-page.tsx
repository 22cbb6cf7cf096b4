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
  refusal,
  children,
}: {
  title: string;
  above: ReactNode;
  /** Of the import, below the subaccount. */
  path: string;
  /** Why the user can't import. Undefined: they can. */
  refusal: string | undefined;
  children: ReactNode;
}) {
  const apiOf = useApiOf();
  return (
    <Screen
      title={title}
      above={above}
      actions={
        <Button
          component="a"
          href={addressOf(apiOf(`${path}/template.csv`))}
          download
          variant="default"
          leftSection={<Download size={15} aria-hidden />}
        >
          Download template
        </Button>
      }
    >
      {refusal === undefined ? children : <Alert color="gray">{refusal}</Alert>}
    </Screen>
  );
}
