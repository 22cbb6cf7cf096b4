// Bank connections, their files, what banks report, and statements.

import { abaReturns } from "../support/aba-returns.ts";
import { camt053, type WrittenStatement } from "../support/statement-messages.ts";
import { payoutOf } from "./command-story-money.ts";
import {
  type Payee,
  type People,
  type Story,
  type Subaccounts,
  unknownId,
} from "./command-story-parts.ts";

const settings = {
  bank: "CBA",
  user_id: "301500",
  user_name: "ACME PAYOUTS PTY LTD",
  bsb: "062000",
  account_number: "12345678",
  description: "PAYOUTS",
  remitter: "ACME PAYOUTS",
};
const reason = ["--reason", "seen at the bank", "--by", "ana"];

type Bank = { test: string; payee: Payee };

export async function bankSteps(
  story: Story,
  { test, live, payee }: Subaccounts & People,
): Promise<void> {
  const bank = { test, payee };
  await connectionSteps(story, test, live);
  const { batch, payouts } = await batchSteps(story, bank);
  await reportSteps(story, bank, payouts);
  await statementSteps(story, bank, batch);
  await mappingSteps(story);
  await folderSteps(story, bank);
}

async function connectionSteps({ step, save }: Story, test: string, live: string): Promise<void> {
  const put = (content: object | string, ...more: string[]) =>
    step("banks", "put", save("bank.json", content), ...more);
  const connection = {
    ...{ name: "house", mode: "test", subaccount_ids: [test], format: "aba", settings },
  };
  await put("{");
  await put([]);
  await put({ ...connection, format: "paper", name: "" });
  await put({ ...connection, settings: { ...settings, bsb: "x" } });
  await put({ ...connection, subaccount_ids: [unknownId] });
  await step("banks", "put", "missing.json");
  await step("banks", "put");
  await put(connection, "--by", "ana");
  await put(connection);
  await put({ ...connection, settings: { ...settings, remitter: "ACME" } }, "--by", "ben");
  await put({ ...connection, mode: "live" });
  const spare = {
    ...{ ...connection, name: "spare", mode: "live", subaccount_ids: [live] },
    settings: { ...settings, account_number: "99999999" },
  };
  await put(spare);
  await step("banks", "disable", "spare", "--by", "ana");
  await step("banks", "disable", "spare");
  await step("banks", "disable", "nowhere");
  await step("banks", "disable");
  await put(spare);
  const fund = ["--amount", "100.00", "--currency", "AUD", "--bank", "house"];
  await step("ledger", "fund", "--subaccount", test, ...fund, "--reference", "at the house");
}

async function batchSteps(story: Story, { test, payee }: Bank) {
  const { step, ask, pathOf } = story;
  const pay = async (amount: string, reference: string) =>
    (await step(...payoutOf(test, payee, amount), "--reference", reference))("payout_id");
  const of = (...words: string[]) => step("bank-batches", ...words);
  await of("freeze", "house", "--by", "ana");
  await of("freeze", "nowhere");
  await of("freeze");
  const payouts = [];
  for (const [amount, reference] of [
    ["5.00", "PO-1"],
    ["7.00", "PO-2"],
    ["9.00", "PO-3"],
    ["11.00", "PO-4"],
  ] as const) {
    payouts.push(await pay(amount, reference));
  }
  await of("freeze", "house", "--by", "ana");
  await of("freeze", "house");
  const newest = async () =>
    (await ask("bank-batches", "list"))[0] as { id: string; sha256: string };
  const { id: batch, sha256 } = await newest();
  const file = pathOf("house.aba");
  await of("download", batch, "--to", file);
  await of("sent", batch);
  await of("send", batch);
  await of("approve", batch);
  await of("approve", batch, "--sha256", "0".repeat(64));
  await of("approve", unknownId, "--sha256", sha256);
  await of("approve", batch, "--sha256", sha256, "--by", "ana");
  await of("approve", batch, "--sha256", sha256, "--by", "ben");
  await of("approve", batch, "--sha256", sha256, "--by", "ben");
  await of("approve", batch, "--sha256", sha256, "--by", "cem");
  await of("download", batch, "--to", file, "--by", "ben");
  await of("download", batch, "--to", file);
  await of("download", batch, "--to", "-");
  await of("download", unknownId);
  await of("discard", batch);
  await of("discard", batch, "--confirm", "no");
  await of("sent", batch, "--bank-reference", "UP-1", "--by", "ben");
  await of("sent", batch);
  await of("sent", unknownId);
  await of("discard", batch, "--confirm", "not at the bank");
  await of("approve", batch, "--sha256", sha256, "--by", "dan");

  await pay("13.00", "PO-5");
  await of("freeze", "house", "--by", "ana");
  const { id: second } = await newest();
  await of("discard", second, "--by", "ana");
  await of("discard", second);
  await of("discard", unknownId);
  await of("freeze", "house", "--by", "ana");
  const { id: third, sha256: hash } = await newest();
  await of("approve", third, "--sha256", hash, "--by", "ben");
  await of("download", third, "--to", pathOf("third.aba"), "--by", "ben");
  await of("discard", third);
  await of("discard", third, "--confirm", "not at the bank", "--by", "ana");
  await of("discard", third, "--confirm", "not at the bank", "--by", "ben");
  return { batch, payouts };
}

async function reportSteps(story: Story, { test }: Bank, payouts: string[]): Promise<void> {
  const { step, ask, save, pathOf, sql } = story;
  const [first = "", second = "", third = ""] = payouts;
  const { process_date: date } = (await ask("bank-batches", "list")).at(-1) as {
    process_date: string;
  };
  const returns = (amounts: [number, string][], more: { total?: number; ours?: string } = {}) =>
    abaReturns(
      { settings },
      amounts.map(([amount, reference]) => ({ amount, reference })),
      { date, ...more },
    );
  const inbound = (...words: string[]) => step("bank-files", "inbound", ...words);
  const lost = [
    [500, "PO-1"],
    [700, "LOST"],
    [600, "GONE"],
  ] as [number, string][];
  const file = save("returns.aba", returns(lost));
  await inbound(file, "--bank", "nowhere");
  await inbound(file, "--by", "ana");
  await inbound(file, "--bank", "house");
  await inbound(save("broken.aba", returns([[500, "PO-1"]], { total: 501 })));
  await inbound(save("letter.txt", "Dear customer\n"), "--bank", "house");
  await inbound(pathOf("missing.aba"));
  await inbound();

  const items = (await ask("suspense", "list")) as { id: string; amount: string }[];
  const of = (amount: string) => items.find((one) => one.amount === amount)?.id ?? "";
  const [item, other] = [of("7.00 AUD"), of("6.00 AUD")];
  const elsewhere = returns([[800, "ELSEWHERE"]], { ours: "55555555" });
  await inbound(save("elsewhere.aba", elsewhere), "--bank", "house");
  const suspense = (...words: string[]) => step("suspense", ...words);
  await suspense("match", item, second);
  await suspense("match", item, first, ...reason);
  await suspense("match", item, unknownId, ...reason);
  await suspense("match", unknownId, second, ...reason);
  await suspense("match", item, second, ...reason);
  await suspense("match", item, second, ...reason);
  await suspense("undo", item, ...reason);
  await suspense("undo", item, ...reason);
  await suspense("undo", unknownId, ...reason);
  await suspense("split", item, "300", ...reason);
  await suspense("split", item, "300", "500", ...reason);
  await suspense("split", item, "3.00", "4.00", ...reason);
  await suspense("split", unknownId, "300", "400", ...reason);
  await suspense("split", item, "300", "400", ...reason);
  await suspense("split", item, "300", "400", ...reason);
  await suspense("close", other, ...reason);
  const listed = (await ask("suspense", "list")) as { id: string; amount: string }[];
  const noMoney = listed.find(({ amount }) => amount === "8.00 AUD")?.id ?? "";
  await suspense("close", noMoney);
  await suspense("close", noMoney, ...reason);
  await suspense("close", noMoney, ...reason);
  await suspense("close", unknownId, ...reason);
  await suspense("company", other);
  await suspense("company", other, ...reason);
  await suspense("company", other, ...reason);
  await suspense("company", unknownId, ...reason);
  await suspense("undo", other, ...reason);
  await suspense("return", other, ...reason);
  await suspense("return", other, ...reason);
  await suspense("return", unknownId, ...reason);
  const part = ((await ask("suspense", "list")) as { id: string; amount: string }[]).find(
    ({ amount }) => amount === "3.00 AUD",
  );
  await suspense("fund", part?.id ?? "", unknownId, ...reason);
  await suspense("fund", part?.id ?? "", test, ...reason);
  await suspense("fund", part?.id ?? "", test, ...reason);
  await suspense("fund", unknownId, test, ...reason);

  const batches = (...words: string[]) => step("bank-batches", ...words);
  await batches("recall", second);
  await batches("recall", unknownId, "--note", "called them");
  await batches("recall-outcome", second, "--outcome", "refused", "--note", "too late");
  await batches("recall", second, "--note", "called them", "--by", "ana");
  await batches("recall", second, "--note", "called them");
  await batches("recall-outcome", second, "--outcome", "maybe", "--note", "x");
  await batches("recall-outcome", second, "--outcome", "refused");
  await batches("recall-outcome", second, "--outcome", "refused", "--note", "late", "--by", "ana");
  await batches("recall-outcome", second, "--outcome", "refused", "--note", "late");
  await batches("recall-outcome", unknownId, "--outcome", "refused", "--note", "late");

  const resolve = (id: string, ...words: string[]) => step("payouts", "resolve", id, ...words);
  await resolve(third, "--as", "paid", "--reason", "seen", "--by", "ben");
  await resolve(third, "--as", "lost", "--reason", "seen", "--yes");
  await resolve(third, "--as", "paid", "--yes");
  const rejected = ["--as", "rejected", "--reason", "seen", "--yes"];
  await resolve(third, ...rejected, "--by", "ben");
  await sql(
    `insert into payout_set_aside (subaccount_id, payout_id, since_ms, reason)
     select subaccount_id, id, 1, 'no answer' from payout where id = $1`,
    [third],
  );
  await resolve(third, ...rejected, "--by", "ben");
  await resolve(third, ...rejected, "--by", "ben");
  await resolve(third, ...rejected, "--by", "cem");
  await resolve(third, ...rejected, "--by", "cem");
  await resolve(unknownId, "--as", "paid", "--reason", "seen", "--yes");
}

async function statementSteps(story: Story, { test }: Bank, batch: string): Promise<void> {
  const { step, ask, save } = story;
  const funding = JSON.stringify(await ask("ledger", "funding", "--subaccount", test));
  const text = /"deposit_reference":"([^"]+)"/.exec(funding)?.[1] ?? "";
  const account = settings.account_number;
  let files = 0;
  const apply = (
    given: Pick<WrittenStatement, "opening" | "entries" | "from"> & { day: string },
  ) => {
    files += 1;
    const written = camt053({ account, to: given.day, id: `S${files}`, ...given });
    return step("bank-files", "inbound", save(`statement-${files}.xml`, written));
  };
  const [before, day] = ["2026-03-30", "2026-03-31"];
  const deposit = [{ amount: 400, day: before, text }];
  await apply({ opening: 100, entries: deposit, from: before, day: before });
  await apply({ opening: 500, entries: deposit, from: before, day: before });
  const unknown = [300, 310].map((amount) => ({ amount, day, text: `who is this ${amount}` }));
  const fees = [-150, -160, -3_200].map((amount) => ({ amount, day, text: `Account ${amount}` }));
  await apply({ opening: 900, entries: [...unknown, ...fees], from: day, day });

  const of = (...words: string[]) => step("statements", ...words);
  type Line = { id: string; amount: string };
  const linesOf = async (name: string) => (await ask("statements", name, "house")) as Line[];
  const doubtful = (await linesOf("doubtful"))[0]?.id ?? "";
  const open = await linesOf("open");
  const line = (amount: string) => open.find((one) => one.amount === amount)?.id ?? "";
  const [fee, other, payment] = [line("-1.50 AUD"), line("-1.60 AUD"), line("-32.00 AUD")];
  await of("close", "house", "2026-03");
  await of("repetition", doubtful);
  await of("repetition", doubtful, ...reason);
  await of("repetition", doubtful, ...reason);
  await of("repetition", unknownId, ...reason);
  await of("undo", doubtful, ...reason);
  await of("new", doubtful, ...reason);
  await of("new", doubtful, ...reason);
  await of("new", fee, ...reason);
  await of("new", unknownId, ...reason);

  await of("match", "--line", payment, "--batch", batch);
  await of("match", "--line", payment, ...reason);
  await of("match", "--line", fee, "--batch", batch, ...reason);
  await of("match", "--line", payment, "--batch", unknownId, ...reason);
  await of("match", "--line", payment, "--payout", "x", ...reason);
  await of("match", "--line", unknownId, "--batch", batch, ...reason);
  await of("match", "--line", payment, "--batch", batch, ...reason);
  await of("match", "--line", payment, "--batch", batch, ...reason);
  await of("undo", payment);
  await of("undo", payment, ...reason);
  await of("undo", payment, ...reason);
  await of("undo", "x", ...reason);
  await of("match", "--line", payment, "--batch", batch, ...reason);
  await of("company", fee, other, ...reason);
  await of("company", fee, ...reason);
  await of("company", unknownId, ...reason);
  await of("company");

  const exceptions = (await ask("statements", "exceptions", "house")) as { item: string }[];
  const items = exceptions.filter(({ item }) => item.startsWith("suspense:"));
  const [suspended = ""] = items.map(({ item }) => item);
  await of("note", suspended, "--owner", "ana", "--note", "asked the bank", "--by", "ana");
  await of("note", suspended, "--owner", "ben");
  await of("note", suspended);
  await of("note", `suspense:${unknownId}`, "--note", "asked");
  await of("note", "x", "--note", "asked");
  await of("note");
  for (const { item } of items) {
    await step("suspense", "company", item.slice("suspense:".length), ...reason);
  }
  await of("take-opening", "nowhere");
  await of("take-opening", "house", "--by", "ana");
  await of("take-opening", "house");
  await of("position", "house");
  await of("close", "house", "May");
  await of("close", "house", "2099-01");
  await of("close", "nowhere", "2026-03");
  await of("close", "house", "2026-03", "--by", "ana");
  await of("close", "house", "2026-03");
  await of("close", "house");
}

async function mappingSteps({ step, save }: Story): Promise<void> {
  const file = save(
    "sample.csv",
    "Date;Details;Amount;Balance\n03/11/2026;Rent;-100,00;900,00\n04/11/2026;Pay;2.000,00;2.900,00\n",
  );
  const mapping = (...words: string[]) => step("banks", "csv-mapping", ...words);
  const set = ["--set", "date.format=DD/MM/YYYY", "--set", "reference=Details", "--save"];
  await mapping("house");
  await mapping("house", "--save");
  await mapping("house", "--file", file);
  await mapping("house", "--file", file, "--set", "date.format=YYYY-MM-DD", "--save");
  await mapping("house", "--file", file, "--set", "date.format=YY", "--save");
  await mapping("house", "--guess");
  await mapping("house", "--file", file, "--guess", ...set, "--by", "ana");
  await mapping("house", "--set", "reference=null", "--save");
  await mapping("house", "--set", "reference=null", "--save");
  await mapping("house");
  await mapping("nowhere", "--file", file, "--save");
}

async function folderSteps(story: Story, { test, payee }: Bank): Promise<void> {
  const { step, ask, save, sql, sftp } = story;
  const { port, fingerprint, password, files } = sftp;
  const connection = {
    ...{ name: "server", mode: "test", subaccount_ids: [test], format: "aba", travels: "sftp" },
    settings: { ...settings, account_number: "87654321" },
    sftp: {
      ...{ host: "127.0.0.1", port, user: "acme", password, host_key: fingerprint },
      ...{ folder: "in", inbound_folder: "out" },
    },
  };
  const file = save("server.json", connection);
  await step("banks", "put", file);
  await step("banks", "disable", "house", "--by", "ana");
  await step("banks", "put", save("no-host.json", { ...connection, sftp: undefined }));
  await step("banks", "put", file, "--by", "ana");
  files.set("out/notes.txt", Buffer.from("hello"));
  const of = (...words: string[]) => step("banks", ...words);
  await of("poll", "house");
  await of("poll", "nowhere");
  await of("poll", "server", "--by", "ana");
  await sql("update bank_folder_file set since_ms = 1");
  await of("poll", "server", "--by", "ana");
  await of("ignore-file", "server", "notes.txt");
  await of("ignore-file", "server", "other.txt", "--reason", "not for us");
  await of("ignore-file", "nowhere", "notes.txt", "--reason", "not for us");
  await of("ignore-file", "server", "notes.txt", "--reason", "not for us", "--by", "ana");
  await of("ignore-file", "server", "notes.txt", "--reason", "not for us");
  await of("poll", "server");

  await step(...payoutOf(test, payee, "17.00"), "--reference", "PO-6");
  const batches = (...words: string[]) => step("bank-batches", ...words);
  await batches("freeze", "server", "--by", "ana");
  const [{ id, sha256 }] = await ask("bank-batches", "list");
  await batches("send", id, "--by", "ben");
  await batches("approve", id, "--sha256", sha256, "--by", "ben");
  await batches("send", unknownId);
  await batches("send", id, "--confirm", "no");
  await batches("send", id, "--by", "ben");
  await batches("send", id, "--by", "ben");
  await batches("sent", id);
}
