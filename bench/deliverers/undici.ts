// The limit of the runtime: the same bytes to the same endpoints, with the same concurrency and no database.

import { limits } from "../../server/src/platform/limits/limits.ts";
import { obey } from "./deliverer.ts";
import { bareSender, jobs, type Sender, signing } from "./http-senders.ts";

obey((setup) => {
  let sender: Sender;
  let perEndpoint = 0;
  let sending: Promise<unknown> = Promise.resolve();
  // Signed beforehand, once for each endpoint: every body is the same.
  const headersOf = jobs(setup, setup.endpoints.length).map(signing(setup));

  async function send(endpoint: number, next: () => boolean): Promise<void> {
    const headers = headersOf[endpoint] as (typeof headersOf)[number];
    while (next()) await sender.post(endpoint, headers, setup.body);
  }

  return {
    async load(count) {
      perEndpoint = count / setup.endpoints.length;
    },
    async start() {
      sender = bareSender(setup);
      const all = setup.endpoints.flatMap((_, endpoint) => {
        let left = perEndpoint;
        const next = () => left-- > 0;
        return Array.from({ length: limits.laneWidth }, () => send(endpoint, next));
      });
      sending = Promise.all(all);
    },
    async stop() {
      await sending;
      await sender.close();
    },
  };
});
