// Receivers, their identity checks and accounts, sanctions lists, and erasure.

import { ofacFiles, unFile, unPeople } from "../support/list-files.ts";
import { type People, type Story, type Subaccounts, unknownId } from "./command-story-parts.ts";

const ada = {
  first_name: "Ada",
  last_name: "Byron",
  email: "ada.byron@example.com",
  dob: "1990-12-10",
  gender: "F",
  dialcode: "61",
  phone: "412345678",
  address: "1 St. Kilda Road",
  address2: "",
  city: "Melbourne",
  state: "VIC",
  postcode: "3004",
  country: "AUS",
};
const bank = { account_type: "I", bsb: "083047", account_number: "111111111" };

function optionsOf(fields: Record<string, string>): string[] {
  return Object.entries(fields).flatMap(([name, text]) => [`--${name.replaceAll("_", "-")}`, text]);
}

export async function peopleSteps(story: Story, subaccounts: Subaccounts): Promise<People> {
  await listSteps(story);
  const receivers = await receiverSteps(story, subaccounts);
  const [account, second] = await accountSteps(story, receivers);
  await erasureSteps(story, receivers.erased);
  return {
    payee: { receiver: receivers.first, account },
    other: { receiver: receivers.second, account: second },
    erased: receivers.erased,
  };
}

type Receivers = { first: string; second: string; live: string; erased: string };

async function receiverSteps(story: Story, { test, live }: Subaccounts): Promise<Receivers> {
  const { step, save } = story;
  const create = async (changes: object, ...more: string[]) =>
    step("receivers", "create", ...optionsOf({ ...ada, ...changes }), ...more);
  const inTest = ["--subaccount", test];
  const first = (await create({}, ...inTest, "--by", "ana"))("receiver_id");
  await create({}, ...inTest);
  await create({});
  await create({}, "--subaccount", unknownId);
  await create({ email: "nobody", dob: "1", country: "ATL" }, ...inTest);
  await step("receivers", "create", ...inTest, "--first-name", "Ada");
  const file = save("receiver.json", { ...ada, email: "grace@example.com", reference: "G-1" });
  const second = (await step("receivers", "create", ...inTest, "--file", file))("receiver_id");
  await step("receivers", "create", ...inTest, "--file", save("list.json", []));
  await step("receivers", "create", ...inTest, "--file", save("broken.json", "{"));
  await step("receivers", "create", ...inTest, "--file", file, "--city", "Sydney");
  const third = (await create({ email: "third@example.com" }, ...inTest))("receiver_id");
  const inLive = (await create({}, "--subaccount", live))("receiver_id");

  const kyc = (...words: string[]) => step("receivers", "kyc", ...words);
  await kyc("approve", first, "--reason", "seen the passport", "--by", "ana");
  await kyc("approve", first, "--reason", "again");
  await kyc("approve", second);
  await kyc("approve", unknownId, "--reason", "x");
  await kyc("approve", second, "--reason", "seen the passport", "--subaccount", live);
  await kyc("reject", second, "--reason", "blurred");
  await kyc("reject", second, "--reason", "blurred", "--final", "--retry");
  await kyc("reject", second, "--retry");
  await kyc("reject", second, "--reason", "blurred", "--retry", "--by", "ana");
  await kyc("approve", second, "--reason", "seen the passport");
  await kyc("reject", third, "--reason", "made up", "--final");
  await kyc("reject", third, "--reason", "made up", "--final");
  await kyc("approve", third, "--reason", "a mistake");
  await kyc("reject", inLive, "--reason", "blurred", "--retry");
  await kyc("reject", unknownId, "--reason", "x", "--final");

  await step("receivers", "kyc-link", third);
  await step("receivers", "kyc-link", inLive);
  await step("receivers", "kyc-link", unknownId);
  const fourth = (await create({ email: "fourth@example.com" }, ...inTest))("receiver_id");
  await step("receivers", "kyc-link", fourth, "--by", "ana");

  await step("receivers", "disable", first, "--reason", "on leave", "--by", "ana");
  await step("receivers", "disable", first);
  await step("receivers", "enable", first, "--by", "ana");
  await step("receivers", "enable", first);
  await step("receivers", "enable", inLive);
  await step("receivers", "disable", unknownId);
  await step("receivers", "disable", "x");
  await step("receivers", "disable", first, "--reason", "x".repeat(600));
  await step("receivers", "enable");
  await importSteps(story, test);
  return { first, second, live: inLive, erased: third };
}

async function importSteps({ step, save, pathOf }: Story, test: string): Promise<void> {
  const header = Object.keys(ada).join(",");
  const row = (changes: object) => Object.values({ ...ada, ...changes }).join(",");
  const rows = ["one", "two"].map((name) => row({ email: `${name}@example.com` }));
  const people = save("people.csv", `${[header, ...rows].join("\n")}\n`);
  const run = (...words: string[]) => step("receivers", "import", ...words, "--subaccount", test);
  await run(people, "--dry-run");
  await run(people, "--by", "ana");
  await run(people, "--result", pathOf("again.csv"));
  await run(save("wrong.csv", `${header}\n${row({ country: "ATL" })}\n`));
  await run(pathOf("missing.csv"));
  await run();
}

async function accountSteps({ step }: Story, receivers: Receivers) {
  const create = (receiver: string, changes: object = {}, ...more: string[]) =>
    step(
      "accounts",
      "create",
      "--receiver",
      receiver,
      ...optionsOf({ ...bank, ...changes }),
      ...more,
    );
  const account = (await create(receivers.first, {}, "--by", "ana"))("account_id");
  await create(receivers.first);
  const second = (await create(receivers.second, { account_number: "222222222" }))("account_id");
  await create(receivers.live);
  await create(receivers.first, { account_type: "Z", bsb: "06" });
  await create(unknownId);
  await step("accounts", "create", ...optionsOf(bank));
  await step("accounts", "create", "--receiver", receivers.first);
  await step("accounts", "check-name", account, "--by", "ana");
  await step("accounts", "check-name", unknownId);
  await step("accounts", "check-name", "x");
  return [account, second] as const;
}

async function listSteps({ step, save, sql }: Story): Promise<void> {
  const people = Array.from({ length: 10 }, (_, index) => ({
    key: index + 1,
    name: `FIRM ${index + 1}`,
  }));
  const saved = (rows: typeof people) =>
    ofacFiles(rows).map(({ name, bytes }) => save(name, bytes));
  const run = (...words: string[]) => step("screening", ...words);
  const ofac = ["import", "--list", "ofac-sdn"];
  await run(...ofac, ...saved(people), "--by", "ana");
  await run(...ofac, ...saved(people));
  await run(...ofac);
  await run("import", ...saved(people));
  const waiting = (await run(...ofac, ...saved(people.slice(0, 1)), "--by", "ana"))("version");
  await run("approve", waiting, "--by", "ben");
  await sql(
    "update screening_list_version set made_by = 'operator:ann@example.com' where id = $1",
    [waiting],
  );
  await run("approve", waiting, "--by", "ben");
  await run("approve", waiting);
  await run("decline", waiting);
  await run("approve", "no-version");
  await run("decline", unknownId);
  await run("decline");
  const whole = unFile(unPeople(9)).bytes;
  await run("import", "--list", "un", save("cut.xml", whole.subarray(0, whole.length - 30)));
  await run("import", "--list", "un", save("un.xml", whole));
  await run("import", "--list", "nowhere", save("un.xml", whole));
  const fewer = save("fewer.xml", unFile(unPeople(2), "2026-11-20").bytes);
  const declined = (await run("import", "--list", "un", fewer))("version");
  await run("decline", declined, "--by", "ben");
  await run("decline", declined);

  const source = ["--source", "Test Regulations 2026", "--since", "2026-11-01"];
  const embargo = (...words: string[]) => run("embargo", ...words);
  await embargo("add", "syr", ...source, "--by", "ana");
  await embargo("add", "SYR", ...source);
  await embargo("add", "ATL", ...source);
  await embargo("add", "RUS", "--source", "x", "--since", "soon");
  await embargo("add", "RUS");
  const removed = (await embargo("remove", "SYR", "--by", "ana"))("version");
  await embargo("remove", "CUB");
  await embargo("remove", "FRA");
  await run("decline", removed);
}

async function erasureSteps({ step, pathOf }: Story, erased: string): Promise<void> {
  const run = (...words: string[]) => step("receivers", ...words);
  await run("export-person", erased, "--out", pathOf("person.json"), "--by", "ana");
  await run("export-person", erased, "--out", pathOf("person.json"));
  await run("export-person", unknownId, "--out", pathOf("nobody.json"));
  await run("erase", erased);
  await run("erase", unknownId, "--yes");
  await run("erase", erased, "--yes", "--by", "ana");
  await run("erase", erased, "--yes");
  await run("enable", erased);
  await run("export-person", erased, "--out", pathOf("erased.json"));
}
