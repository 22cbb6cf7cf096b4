// Downloads a file: the filtered rows as CSV, or a document. The browser takes it as a stream, so any length works.

import { Button } from "@mantine/core";
import { addressOf, type Query } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { Download } from "./icons.tsx";

export function ExportButton({
  path,
  query = {},
  label = "Export CSV",
}: {
  /** Below /console/api, with its ending: `/s/<id>/payouts.csv`. */
  path: string;
  query?: Query;
  label?: string;
}) {
  const { cursor: _page, ...filters } = query;
  if (!useMay("export")) return null;
  return (
    <Button
      component="a"
      href={addressOf(path, filters)}
      download
      variant="default"
      leftSection={<Download size={15} aria-hidden />}
    >
      {label}
    </Button>
  );
}
