// POST /console/api/s/:subaccountId/simulated-outcomes: an outcome, as a provider or the bank would report it, in test mode

import type { Api } from "../../../platform/http/index.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { inSubaccount } from "../route.ts";
import { OutcomeSet, OutcomeToSimulate } from "./schema.ts";
import { type SimulateParts, simulateOutcome } from "./simulate.ts";

export function simulatedOutcomeRoutes(api: Api, parts: SimulateParts): void {
  api.post(
    "/console/api/s/:subaccountId/simulated-outcomes",
    {
      config: { may: "outcomes.simulate" },
      schema: { body: OutcomeToSimulate, response: { 200: OutcomeSet } },
    },
    async (request) =>
      simulateOutcome(parts, requireOpenSubaccount(inSubaccount(request)), request.body),
  );
}
