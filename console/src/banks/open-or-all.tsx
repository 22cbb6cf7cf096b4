// Chooses between open rows and all rows of a list. The choice is in the address.

import { SegmentedControl } from "@mantine/core";
import { useFilters } from "../state/filters.ts";
import { banksTexts } from "../texts/banks.ts";

export function OpenOrAll() {
  const [{ state = "open" }, setFilters] = useFilters();
  return (
    <SegmentedControl
      size="xs"
      aria-label={banksTexts.status}
      data={[
        { value: "open", label: "Open" },
        { value: "all", label: "All" },
      ]}
      value={state}
      onChange={(chosen) => setFilters({ state: chosen === "open" ? undefined : chosen })}
    />
  );
}
