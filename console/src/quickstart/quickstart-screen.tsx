// The first steps of the user's role. Admins and operators can also look at those of developers.

import { SegmentedControl } from "@mantine/core";
import { useMay, useMe } from "../api/me.ts";
import { Screen } from "../parts/screen.tsx";
import { useFilters } from "../state/filters.ts";
import { audienceOf } from "./progress.ts";
import { QuickstartSteps } from "./quickstart-steps.tsx";

export function QuickstartScreen() {
  const own = audienceOf(useMe());
  const hasBoth = useMay("webhooks.write") && own === "own";
  const [{ for: chosen }, setFilters] = useFilters();
  const audience = hasBoth && chosen === "developers" ? "developers" : own;
  return (
    <Screen
      actions={
        hasBoth && (
          <SegmentedControl
            aria-label="Steps for"
            value={audience}
            onChange={(chosen) => setFilters({ for: chosen === own ? undefined : chosen })}
            data={[
              { value: "own", label: "Your steps" },
              { value: "developers", label: "For developers" },
            ]}
          />
        )
      }
    >
      <QuickstartSteps audience={audience} />
    </Screen>
  );
}
