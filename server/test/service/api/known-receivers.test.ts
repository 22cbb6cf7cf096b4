// A receiver that was read before is answered from memory only while its row is the same.

import { expect, test } from "vitest";
import { KnownReceivers } from "../../../src/people/receivers/known-receivers.ts";
import { Receiver } from "../../../src/people/receivers/schema.ts";
import { success } from "../../../src/platform/http/route.ts";
import { serializerCompiler } from "../../../src/platform/http/serialize.ts";
import { ada } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

test("every change of the row is seen by the next read, whoever made it", async () => {
  const { call, disburse, subaccountId } = await service.newCaller();
  const { receiver_id: id } = await disburse.receivers.create(ada());
  const read = async () => (await call("GET", `/api/receiver/${id}`)).json.payload;
  const first = await read();
  expect(await read()).toEqual(first);

  await disburse.receivers.update(id, { address: "2 Collins Street" });
  expect((await read()).address_data.address).toBe("2 Collins Street");
  await service.db.pool.query(
    "update receiver set status = 'active' where subaccount_id = $1 and id = $2",
    [subaccountId, id],
  );
  expect((await read()).status).toBe("active");
  await service.db.pool.query("vacuum full receiver");
  expect((await read()).status).toBe("active");

  // A later version of the row may come to the place where the known one was.
  for (const address of ["3 Collins Street", "4 Collins Street"]) {
    await disburse.receivers.update(id, { address });
    await service.db.pool.query("vacuum receiver");
  }
  expect((await read()).address_data.address).toBe("4 Collins Street");
});

test("a receiver that was read is still unknown to another subaccount, and after its row is gone", async () => {
  const [one, other] = [await service.newCaller(), await service.newCaller()];
  const { receiver_id: id } = await one.disburse.receivers.create(ada());
  const statusOf = async ({ call }: typeof one) =>
    (await call("GET", `/api/receiver/${id}`)).status;
  expect([await statusOf(one), await statusOf(other), await statusOf(one)]).toEqual([
    200, 400, 200,
  ]);
  await service.db.pool.query("delete from receiver where subaccount_id = $1 and id = $2", [
    one.subaccountId,
    id,
  ]);
  expect(await statusOf(one)).toBe(400);
});

test("the first and the second response have the bytes that the schema writes", async () => {
  const { call, disburse } = await service.newCaller();
  const { receiver_id: id } = await disburse.receivers.create(
    ada({ last_name: "O’Ünal", address2: 'Rear "B" \\ 2' }),
  );
  const texts = [
    await call("GET", `/api/receiver/${id}`),
    await call("GET", `/api/receiver/${id}`),
  ];
  const write = serializerCompiler({ schema: success(Receiver) } as never) as (
    v: unknown,
  ) => string;
  for (const { text, json } of texts) expect(text).toBe(write(json));
});

test("what another server said is forgotten", () => {
  const receivers = new KnownReceivers();
  const key = { subaccountId: "s", id: "r" };
  const server = {};
  receivers.belongTo(server);
  const known = receivers.keep(key, "1", "{}");
  receivers.belongTo(server);
  expect(receivers.find(key)).toBe(known);
  receivers.belongTo({});
  expect(receivers.find(key)).toBeUndefined();
});
