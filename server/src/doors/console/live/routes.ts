// GET /console/api/s/:subaccountId/live: streams hints about changed data to a page

import type { FastifyReply } from "fastify";
import type { Api } from "../../../platform/http/index.ts";
import { inSubaccount } from "../route.ts";
import type { Live } from "./live.ts";

export function liveRoutes(api: Api, { live }: { live: Live }): void {
  api.get(
    "/console/api/s/:subaccountId/live",
    {
      // It would open a stream without a reader.
      exposeHeadRoute: false,
      config: { may: "read", stream: true },
    },
    async (request, reply) => {
      const { subaccount, session } = inSubaccount(request);
      const stream = live.open({ subaccountId: subaccount.id, session });
      return (reply as unknown as FastifyReply)
        .header("content-type", "text/event-stream")
        .send(stream);
    },
  );
}
