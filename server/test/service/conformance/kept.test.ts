// The conformance kit against our server: every promise is kept.

import { expect, test } from "vitest";
import {
  addedPromises,
  basePromises,
  conform,
  isPublished,
} from "../../../../packages/conformance/src/index.ts";
import { ada, addAccount } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService({ bankDelayMs: 0 });

const promises = [...basePromises, ...addedPromises];

test("our server keeps every promise", async () => {
  const [by, other] = [await service.newCaller(), await service.newCaller()];
  const { lines } = await conform({ url: service.baseUrl, by, other, isDisburse: true });
  expect(lines.filter(({ outcome }) => outcome !== "kept")).toEqual([]);
  expect(lines.map(({ name }) => name)).toEqual(promises.map(({ name }) => name));
});

test("what is published is asked with nothing but what is published, and reads an account that is there", async () => {
  const by = await service.newCaller();
  const { receiver_id } = await by.disburse.receivers.create(ada());
  await addAccount(service, by.subaccountId, receiver_id);
  const { lines } = await conform({ url: service.baseUrl, by, isDisburse: false });
  expect(lines).toHaveLength(basePromises.length);
  expect(lines.filter(({ outcome }) => outcome === "broken")).toEqual([]);
  const untried = lines.filter(({ outcome }) => outcome === "not tried");
  expect(new Set(untried.map(({ section, seen }) => `${section} ${seen}`))).toEqual(
    new Set(["4 no second key was given"]),
  );
  const paths = lines.map(({ request }) => request.split(" ")[1] ?? "");
  const published =
    /^$|^\/api\/(receiver|receiver\/[^/]+|receiveraccount\/(receiver\/)?[^/]+|subaccount)(\?.*)?$/;
  expect(paths.filter((path) => !published.test(path))).toEqual([]);
});

test("at least 120 promises are published, each line has a name of its own", () => {
  expect(basePromises.length).toBeGreaterThan(120);
  expect(new Set(promises.map(({ name }) => name)).size).toBe(promises.length);
  expect(basePromises.every(isPublished)).toBe(true);
  for (const { name, promise } of promises) {
    expect(name).toMatch(/^[a-zA-Z0-9_.-]+$/);
    expect(promise).not.toBe("");
  }
});
