// The conformance kit against wrong servers: each changes one thing, and exactly the lines that are about it are broken.

import { expect, test } from "vitest";
import { conform } from "../../../../packages/conformance/src/index.ts";
import { startChangingProxy } from "../../support/changing-proxy.ts";
import { service, useService } from "../../support/service-setup.ts";
import { wrongServers } from "../../support/wrong-servers.ts";

await useService({ bankDelayMs: 0 });

test.each(wrongServers)("a server that $what", async ({ change, broken }) => {
  const [by, other] = [await service.newCaller(), await service.newCaller()];
  // A dialcode that is not empty has a plus sign.
  await by.call("PATCH", "/api/subaccount", { body: { mobile_dialcode: "+61" } });
  const url = await startChangingProxy(service.baseUrl, change({ by, other }));
  const { lines } = await conform({ url, by, other, isDisburse: true });
  const found = lines.filter(({ outcome }) => outcome !== "kept");
  expect(found.map(({ name }) => name).sort()).toEqual([...broken].sort());
});
