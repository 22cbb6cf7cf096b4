// The request log contains no personal data of any request.

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import openapi from "../../../../openapi.json" with { type: "json" };
import { postRequests } from "../../support/post-requests.ts";
import { ada } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService({ logsRequests: true });

/** The fields of one route's body in openapi.json, or of all bodies. */
function namesOf(route?: string): string[] {
  const { paths, components } = openapi as unknown as Document;
  const bodies = Object.entries(paths)
    .filter(([path]) => route === undefined || path === route)
    .flatMap(([, methods]) => Object.values(methods))
    .flatMap(({ requestBody }) => requestBody?.content["application/json"].schema.$ref ?? []);
  const schemas = bodies.map((ref) => components.schemas[ref.split("/").at(-1) as string]);
  return [...new Set(schemas.flatMap((schema) => Object.keys(schema?.properties ?? {})))];
}
type Document = {
  paths: Record<string, Record<string, { requestBody?: { content: Content } }>>;
  components: { schemas: Record<string, { properties?: object }> };
};
type Content = { "application/json": { schema: { $ref?: string } } };

test("no personal value that is sent to any POST is stored, wherever it is put", async () => {
  const mark = Array.from(randomBytes(8), (byte) => "bcdfghjklm"[byte % 10]).join("");
  const own = await service.newCaller();
  const receiverData = ada({ first_name: `Fay${mark}`, email: `fay@${mark}.example` });
  const marked = (name: string) => [name, `${name}-${mark}`];
  let sent = 0;
  for (const [route, prepare] of Object.entries(postRequests)) {
    const { path, body = {} } = await prepare(own);
    // A valid body; a receiver's data in addition; each field in turn as a marked text; every known field as a
    // marked text; and unknown fields, also nested ones.
    const bodies: object[] = [
      body,
      { ...body, ...receiverData, account_number: "98765432", reference: "Ada" },
      ...namesOf(route).map((name) => ({ ...body, ...Object.fromEntries([marked(name)]) })),
      Object.fromEntries(namesOf().map(marked)),
      { ...body, [mark]: mark, payouts: [{ ...body, note: mark }, mark, [mark]] },
      { ...body, set: { reference: mark, deep: [{ deeper: mark }] } },
    ];
    await Promise.all(
      bodies.map((one) => own.call("POST", path, { body: one, headers: { "user-agent": mark } })),
    );
    const query = namesOf().map((name) => marked(name).join("="));
    const headers = { "idempotency-key": mark };
    await own.call("POST", `${path}?${mark}=${mark}`, { raw: `{"a":"${mark}`, headers });
    await own.call("GET", `${path}?${query.join("&")}`);
    sent += bodies.length + 2;
  }
  await service.flushRequests();
  const { rows } = await service.db.pool.query(
    "select r::text as row from request_log r union all select s::text from request_shape s",
  );
  const dump = rows.map(({ row }) => row).join("\n");
  console.info(`${sent} bodies sent, ${rows.length} rows searched`);
  expect(rows.length).toBeGreaterThan(sent);
  const personal = ["Ada", "Lovelace", "412345678", "1990-12-10", "Kilda", "Melbourne", "@"];
  const found = [mark, ...personal, "12345999", "12345888", "98765432", own.secret].filter((text) =>
    dump.includes(text),
  );
  expect(found).toEqual([]);
  // These values may be stored, which shows that the search works.
  expect(dump).toContain('""currency"":""AUD""');
});
