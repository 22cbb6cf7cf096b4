// Lists: pages are fetched one by one, by the `link` header, and only when they are needed.

import { afterAll, expect, test } from "vitest";
import { Disburse } from "../src/index.ts";
import { nextCursorOf } from "../src/list.ts";
import { historyEntry, receiver } from "./samples.ts";
import {
  apiKey,
  apiSecret,
  fail,
  type Step,
  startServer,
  stopServers,
  succeed,
} from "./scripted-server.ts";

afterAll(stopServers);

async function clientOf(steps: Step[]) {
  const { baseUrl, requests } = await startServer(steps);
  return { disburse: new Disburse({ apiKey, apiSecret, baseUrl }), requests };
}

const next = (cursor: string) => ({
  link: `<https://elsewhere.example/api/receiver?limit=2&cursor=${cursor}>; rel="next"`,
});

const threePages = [
  succeed([receiver("1"), receiver("2")], next("a%2Bb%3D")),
  succeed([receiver("3"), receiver("4")], next("c")),
  succeed([receiver("5")]),
];

test("for await goes through every page, and each request keeps the filter", async () => {
  const { disburse, requests } = await clientOf(threePages);
  const ids: string[] = [];
  for await (const { id } of disburse.receivers.list({ limit: 2, status: "active" })) ids.push(id);

  expect(ids).toEqual(["1", "2", "3", "4", "5"]);
  expect(requests.map(({ path }) => path)).toEqual([
    "/api/receiver?limit=2&status=2",
    "/api/receiver?limit=2&status=2&cursor=a%2Bb%3D",
    "/api/receiver?limit=2&status=2&cursor=c",
  ]);
});

test("a page is requested from the base URL, also if the link names another host", async () => {
  const { disburse, requests } = await clientOf(threePages);
  await disburse.receivers.list().toArray();
  expect(requests).toHaveLength(3);
});

test("nothing is fetched before it is needed", async () => {
  const { disburse, requests } = await clientOf(threePages);
  const list = disburse.receivers.list();
  expect(requests).toHaveLength(0);
  for await (const { id } of list) if (id === "2") break;
  expect(requests).toHaveLength(1);
});

test("toArray stops at max and fetches no page beyond it", async () => {
  const { disburse, requests } = await clientOf(threePages);
  const receivers = await disburse.receivers.list().toArray({ max: 3 });
  expect(receivers.map(({ id }) => id)).toEqual(["1", "2", "3"]);
  expect(requests).toHaveLength(2);
  expect(await disburse.receivers.list().toArray({ max: 0 })).toEqual([]);
});

test("page returns one page, its cursor, and a function for the next page", async () => {
  const { disburse, requests } = await clientOf(threePages);
  const first = await disburse.receivers.list({ limit: 2 }).page();
  expect(first.items.map(({ id }) => id)).toEqual(["1", "2"]);
  expect(first.nextCursor).toBe("a+b=");

  const second = await first.next();
  const third = await second?.next();
  expect(third).toMatchObject({ items: [{ id: "5" }], nextCursor: null });
  expect(await third?.next()).toBeNull();
  expect(requests).toHaveLength(3);
});

test("a list can continue from a stored cursor", async () => {
  const { disburse, requests } = await clientOf([succeed([])]);
  await disburse.receivers.list({ cursor: "a+b=" }).page();
  expect(requests[0]?.path).toBe("/api/receiver?cursor=a%2Bb%3D");
});

test("the words of a filter are sent as the published codes", async () => {
  const { disburse, requests } = await clientOf([succeed([])]);
  await disburse.receivers.list({ status: "creating", kyc_status: "failed" }).page();
  expect(requests[0]?.path).toBe("/api/receiver?status=0&kyc_status=2");
});

test("an email and a reference are sent URL-encoded, with any characters", async () => {
  const { disburse, requests } = await clientOf([succeed([])]);
  await disburse.receivers.list({ email: "Zoë+a@example.com", reference: "a&b = 0%" }).page();
  const [, query] = requests[0]?.path.split("?") ?? [];
  expect(query).toBe("email=Zo%C3%AB%2Ba%40example.com&reference=a%26b+%3D+0%25");
  expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
    email: "Zoë+a@example.com",
    reference: "a&b = 0%",
  });
});

test("receivers.history goes through the pages of one receiver's changes", async () => {
  const first = { ...historyEntry("1"), from: null };
  const { disburse, requests } = await clientOf([
    succeed([historyEntry("3"), historyEntry("2")], next("a%2Bb%3D")),
    succeed([first]),
  ]);

  const entries = await disburse.receivers.history("receiver-1", { limit: 2 }).toArray();

  expect(entries).toEqual([historyEntry("3"), historyEntry("2"), first]);
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /api/receiver/receiver-1/history?limit=2",
    "GET /api/receiver/receiver-1/history?limit=2&cursor=a%2Bb%3D",
  ]);
});

test("a history can continue from a stored cursor", async () => {
  const { disburse, requests } = await clientOf([succeed([])]);
  const page = await disburse.receivers.history("receiver-1", { cursor: "c" }).page();
  expect(page).toMatchObject({ items: [], nextCursor: null });
  expect(requests[0]?.path).toBe("/api/receiver/receiver-1/history?cursor=c");
});

test("a page that fails temporarily is fetched again, and no receiver is listed twice", async () => {
  const steps = [threePages[0], fail(503, "SYST503"), threePages[1], threePages[2]] as Step[];
  const { disburse } = await clientOf(steps);
  const receivers = await disburse.receivers.list().toArray();
  expect(receivers.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5"]);
});

test("a page that names itself as the next one causes an error, not a loop", async () => {
  const { disburse, requests } = await clientOf([succeed([receiver("1")], next("same"))]);
  const all = disburse.receivers.list().toArray();
  await expect(all).rejects.toMatchObject({ code: "UNREADABLE_RESPONSE" });
  expect(requests).toHaveLength(2);
});

test.each([
  [`</api/receiver?cursor=x>; rel="next"`, "x"],
  [`<?cursor=x>; rel=next`, "x"],
  [`</a?cursor=p>; rel="prev", </a?cursor=n&b=1,2>; rel="next"; title="more"`, "n"],
  [`</a?cursor=n>; title="b"; rel="last next"`, "n"],
  [`</a?cursor=p>; rel="prev"`, null],
  [`</a?cursor=p>; rel="nextish"`, null],
  [`</a>; rel="next"`, null],
  [`nonsense`, null],
  [``, null],
])("the link header %j has the cursor %j", (link, cursor) => {
  expect(nextCursorOf(new Headers({ link }))).toBe(cursor);
});
