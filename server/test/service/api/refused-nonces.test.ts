// A refused write uses up its nonce.

import { expect, test } from "vitest";
import { ada, call, sign } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

test("AUTH107: a refused write has used up its nonce, whichever check refused it", async () => {
  const { key, secret } = await service.newCaller();
  const target = { baseUrl: service.baseUrl, key, secret };
  const send = (path: string, body: object, nonce: string) => {
    const raw = JSON.stringify(body);
    const signature = sign({ key, secret, method: "POST", path, body: raw, nonce, version: 2 });
    return call(target, "POST", path, { raw, headers: { signature } });
  };
  const absent = `/api/payout/${"0".repeat(8)}-0000-7000-8000-${"0".repeat(12)}/cancel`;
  const tries: [string, object, number][] = [
    // Refused by its fields, before any transaction, and refused within a transaction, which is rolled back.
    ["/api/receiver", { ...ada(), dob: "never" }, 400],
    [absent, {}, 400],
  ];
  for (const [index, [path, body, status]] of tries.entries()) {
    const nonce = `a-nonce-of-a-refusal-${index}`;
    expect((await send(path, body, nonce)).status).toBe(status);
    const again = await send("/api/receiver", ada(), nonce);
    expect([again.status, again.json.error[0].code]).toEqual([401, "AUTH107"]);
  }
});
