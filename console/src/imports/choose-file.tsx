// The first step of an import: choosing a file, which is checked at once.

import { Alert, Stack } from "@mantine/core";
import type { ComponentProps } from "react";
import { Problem } from "../parts/problem.tsx";
import { FileDrop } from "./file-drop.tsx";

export function ChooseFile({
  format,
  error,
  ...drop
}: ComponentProps<typeof FileDrop> & { format: string; error: Error | null }) {
  return (
    <Stack gap="md">
      <FileDrop {...drop} />
      <Problem error={error} />
      <Alert color="gray" variant="light" title="File format">
        {format}
      </Alert>
    </Stack>
  );
}
