// The first steps of operators and of developers. The user can look at both.

import { SegmentedControl } from "@mantine/core";
import { useMe } from "../api/me.ts";
import { Screen } from "../parts/screen.tsx";
import { useFilters } from "../state/filters.ts";
import { audienceOf } from "./progress.ts";
import { QuickstartSteps } from "./quickstart-steps.tsx";

export function QuickstartScreen() {
  const own = audienceOf(useMe());
  const [{ for: chosen }, setFilters] = useFilters();
  const audience = chosen === "operators" || chosen === "developers" ? chosen : own;
  return (
    <Screen
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
