// /console/api/banks/connections/:id/calendar: banking days, cut-offs, files and expected arrivals of a month

import { requireConnection } from "../../../banking/connections/index.ts";
import type { Clock } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { idIn } from "../route.ts";
import { readBankCalendar } from "./calendar.ts";
import { BankCalendar, BankCalendarQuery } from "./schema.ts";

export function bankCalendarRoutes(
  api: Api,
  { db, seal, clock }: { db: Db; seal: Seal; clock: Clock },
): void {
  api.get(
    "/console/api/banks/connections/:id/calendar",
    {
      config: { may: "banks.read" },
      schema: { params: ById, querystring: BankCalendarQuery, response: { 200: BankCalendar } },
    },
    async ({ params, query: { month } }) => {
      const connection = await requireConnection({ db, seal }, idIn(params, "BANK102"));
      return readBankCalendar(db, connection, { month, nowMs: clock() });
    },
  );
}
