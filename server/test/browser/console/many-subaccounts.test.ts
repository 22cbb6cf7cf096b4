// The console with 50,000 subaccounts: it loads the first few with the user, and the search finds the others.

import { expect, test } from "vitest";
import { wordIndexer } from "../../../src/doors/console/search/word-indexer.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openWindow, seriousFindings } from "../../support/console-window.ts";
import { ada, type TestCaller } from "../../support/service.ts";

const count = 50_000;
let service: ConsoleService;
let admin: TestPerson;

const idOf = (n: number) => `01000000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
type Row = { id: string; name: string };
const rethrow = (error: unknown) => {
  throw error;
};

const { browser, inBrowser } = await useBrowser(async () => {
  service = await startConsole();
  admin = service.enter("admin");
  // The first 100 are closed.
  await service.db.pool.query(
    `insert into subaccount (id, mode, suba_name, created_at_ms, closed_at)
     select ('01000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'test', 'Shop ' || n, n,
            case when n <= 100 then now() end
     from generate_series(1, $1) n`,
    [count],
  );
  return service;
});

test("GET /me is small: it has the first open subaccounts, and says that there are more", async () => {
  const { text, json } = await admin.get("/me");
  expect(Buffer.byteLength(text)).toBeLessThan(16_384);
  expect(json.subaccounts).toHaveLength(limits.subaccountsOfMeMax);
  expect(json.subaccounts[0]).toEqual({
    id: idOf(101),
    name: "Shop 101",
    mode: "test",
    is_closed: false,
    needs_second_user: true,
  });
  expect(json.has_more_subaccounts).toBe(true);
  const developer = service.enter("developer", { subaccountId: idOf(7) });
  expect((await developer.get("/me")).json).toMatchObject({
    subaccounts: [{ id: idOf(7), is_closed: true }],
    has_more_subaccounts: false,
  });
});

test("the start of a name finds each matching subaccount once, page by page", async () => {
  const found: Row[] = [];
  for (let cursor = ""; ; ) {
    const { json } = await admin.get(`/subaccounts?q=sHoP+499&limit=50${cursor}`);
    found.push(...json.rows);
    if (json.next === null) break;
    cursor = `&cursor=${json.next}`;
  }
  const wanted = [499, ...range(4990, 4999), ...range(49900, 49999)].map((n) => `Shop ${n}`);
  expect(found.map(({ name }) => name)).toEqual(wanted.sort());
});

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

test("the start of an id finds subaccounts, and one request gets many by id", async () => {
  const begins = idOf(0xc340).slice(0, -1);
  const { json } = await admin.get(`/subaccounts?q=${begins.toUpperCase()}`);
  const ids = range(0xc340, 0xc34f).map(idOf);
  expect(json.rows.map(({ id }: Row) => id)).toEqual(ids);
  const named = await admin.get(`/subaccounts/by-id?ids=${ids.join(",")}`);
  expect(named.json.rows.map(({ id }: Row) => id).sort()).toEqual(ids);
});

test("any word of a name finds a subaccount, without its accents", async () => {
  const id = "02000000-0000-7000-8000-000000000001";
  await service.db.pool.query(
    `insert into subaccount (id, mode, suba_name, created_at_ms)
     values ($1, 'test', 'Société Générale de Paiement', 0)`,
    [id],
  );
  const found = async (q: string) =>
    (await admin.get(`/subaccounts?q=${encodeURIComponent(q)}`)).json.rows.map(({ id }: Row) => id);
  // The words are written in the background, at most once a minute.
  await service.db.pool.query("delete from subaccount_word");
  const indexer = wordIndexer({ db: service.db, clock: Date.now, onError: rethrow });
  indexer.catchUpSubaccounts();
  await indexer.close();
  for (const q of ["generale", "Paiement soc", "societe"]) expect(await found(q)).toEqual([id]);
  expect(await found("49999")).toEqual([idOf(49999)]);
  const developer = service.enter("developer", { subaccountId: idOf(7) });
  expect((await developer.get("/subaccounts?q=generale")).json.rows).toEqual([]);
});

test("a developer finds only their own subaccount", async () => {
  const developer = service.enter("developer", { subaccountId: idOf(4990) });
  const rows = async (path: string) =>
    (await developer.get(path)).json.rows.map(({ id }: Row) => id);
  expect(await rows("/subaccounts?q=shop")).toEqual([idOf(4990)]);
  expect(await rows("/subaccounts?q=01000000")).toEqual([idOf(4990)]);
  expect(await rows(`/subaccounts/by-id?ids=${idOf(1)},${idOf(4990)}`)).toEqual([idOf(4990)]);
  const { json } = await developer.get(`/s/${idOf(4990)}/search?q=shop`);
  expect(json.hits.map(({ id }: Row) => id)).toEqual([idOf(4990)]);
});

test("the search finds a subaccount by name or id, and a receiver of any subaccount by id", async () => {
  const hits = async (q: string) =>
    (await admin.get(`/search?q=${encodeURIComponent(q)}`)).json.hits as Row[];
  const last = { kind: "subaccount", id: idOf(count), title: `Shop ${count}` };
  expect(await hits(`Shop ${count}`)).toMatchObject([last]);
  expect(await hits(idOf(count))).toMatchObject([last]);
  const caller = await service.newCaller();
  const { receiver_id } = await caller.disburse.receivers.create(ada());
  const receiver = { kind: "receiver", id: receiver_id, subaccount_id: caller.subaccountId };
  expect(await hits(receiver_id)).toMatchObject([receiver]);
  // Also in an old subaccount, with many newer ones.
  await moveReceiver(caller, receiver_id);
  expect(await hits(receiver_id)).toMatchObject([{ ...receiver, subaccount_id: idOf(101) }]);
});

async function moveReceiver({ subaccountId }: TestCaller, id: string): Promise<void> {
  await service.db.pool.query(
    `insert into receiver select (jsonb_populate_record(r, jsonb_build_object('subaccount_id', $3::text))).*
     from receiver r where r.subaccount_id = $1 and r.id = $2`,
    [subaccountId, id, idOf(101)],
  );
  await service.db.pool.query("update receiver set id = $3 where subaccount_id = $1 and id = $2", [
    ...[subaccountId, id, "01000000-0000-7000-8000-00000000ffff"],
  ]);
}

// Pages are slow where many tests share a machine.
inBrowser(
  "the switcher, a filter, the search and the invite form find any subaccount",
  async () => {
    const name = `Shop ${count}`;
    const { page, context, faults } = await openWindow(
      { browser, baseUrl: service.baseUrl },
      "/console",
      admin,
    );
    await page.waitForURL(`**/console/s/${idOf(101)}/overview`);
    await page.getByRole("button", { name: /^Subaccount: Shop 101/ }).click();
    await page.getByRole("textbox", { name: "Search subaccounts" }).fill(name);
    await page.getByRole("option", { name }).click();
    await page.waitForURL(`**/console/s/${idOf(count)}/overview`);
    await page.getByRole("button", { name: `Subaccount: ${name}. Choose another` }).waitFor();

    // The console remembers the last subaccount after a reload.
    await page.goto(`${service.baseUrl}/console/approvals`);
    await page.getByRole("link", { name: `Limits of ${name}` }).waitFor();
    await page.getByRole("button", { name: "Subaccount", exact: true }).click();
    await page.getByRole("textbox", { name: "Search subaccounts" }).fill("shop 49999");
    await page.getByRole("button", { name: "Shop 49999 test mode" }).click();
    await page.waitForURL(`**/approvals?subaccount_id=${idOf(49_999)}`);
    await page.getByRole("button", { name: "Subaccount Shop 49999" }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("dialog").getByRole("textbox", { name: "Search" }).fill("shop 12345");
    await page.getByRole("dialog").getByText("Shop 12345", { exact: true }).click();
    await page.waitForURL(`**/console/s/${idOf(12_345)}/overview`);

    await page.goto(`${service.baseUrl}/console/users`);
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("combobox", { name: "Role" }).click();
    await page.getByRole("option", { name: "Developer" }).click();
    await page.getByRole("combobox", { name: "Subaccounts" }).fill("shop 4242");
    await page.getByRole("option", { name: "Shop 42424 (test mode)" }).click();
    await page.getByText("Shop 42424 (test mode)").first().waitFor();
    expect(faults).toEqual([]);
    await context.close();
  },
  300_000,
);
