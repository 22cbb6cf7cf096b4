// The first steps of operators and of developers. The user can look at both.

import { SegmentedControl } from "@mantine/core";
import { Screen } from "../parts/screen.tsx";
import { useFilters } from "../state/filters.ts";
import { QuickstartSteps, useOwnAudience } from "./quickstart-steps.tsx";

export function QuickstartScreen() {
  const own = useOwnAudience();
  const [{ for: chosen }, setFilters] = useFilters();
  const audience = chosen === "operators" || chosen === "developers" ? chosen : own;
  return (
    <Screen
      title="Quickstart"
      actions={
        <SegmentedControl
          aria-label="Steps for"
          value={audience}
          onChange={(chosen) => setFilters({ for: chosen === own ? undefined : chosen })}
          data={[
            { value: "operators", label: "For operators" },
            { value: "developers", label: "For developers" },
          ]}
        />
      }
    >
      <QuickstartSteps audience={audience} />
    </Screen>
  );
}
