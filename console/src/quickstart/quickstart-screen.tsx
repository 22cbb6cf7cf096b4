// The first steps of operators and of developers. The user can look at both.

import { SegmentedControl } from "@mantine/core";
import { Screen } from "../parts/screen.tsx";
import { useFilters } from "../state/filters.ts";
import { quickstartTexts } from "../texts/quickstart.ts";
import { QuickstartSteps, useOwnAudience } from "./quickstart-steps.tsx";

export function QuickstartScreen() {
  const own = useOwnAudience();
  const [{ for: chosen }, setFilters] = useFilters();
  const audience = chosen === "operators" || chosen === "developers" ? chosen : own;
  return (
    <Screen
      title={quickstartTexts.quickstart}
      actions={
        <SegmentedControl
          aria-label={quickstartTexts.whoseSteps}
          value={audience}
          onChange={(chosen) => setFilters({ for: chosen === own ? undefined : chosen })}
          data={[
            { value: "operators", label: quickstartTexts.forOperators },
            { value: "developers", label: quickstartTexts.forDevelopers },
          ]}
        />
      }
    >
      <QuickstartSteps audience={audience} />
    </Screen>
  );
}
