// Single payouts from the command line, without a service.

import { once } from "node:events";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import { isAgreed } from "../../../src/doors/cli/confirm.ts";
import { readAmountOption } from "../../../src/doors/cli/option-values.ts";
import { startPayoutWorker } from "../../../src/money/payouts/worker.ts";
import { railDirectory } from "../../../src/money/rails/directory.ts";
import { sandboxRail } from "../../../src/money/rails/sandbox.ts";
import { refusals } from "../../../src/platform/refusals/refusals.ts";
import { me, meAs, optionsOf, unknownId } from "../../support/cli-operator.ts";
import { payoutTest } from "../../support/cli-payouts-setup.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { closeSubaccount } from "../../support/keys.ts";

const suite = await closeAfterTests(payoutTest());
const payer = await suite.payer(100_000n);
const payee = await payer.payee();
afterAll(async () => {
  await suite.verified();
});

function createWords(fields: object, { receiver_id, account_id } = payee): string[] {
  const all = { receiver: receiver_id, account: account_id, currency: "AUD", ...fields };
  return ["create", ...optionsOf(all)];
}

describe("create", () => {
  test("takes an amount in units of the currency and holds it at once; get and list show the payout", async () => {
    const before = await payer.available();
    const made = await payer.run(
      ...createWords({ amount: "12.50", reference: "007", note: "May" }),
      ...["--by", "Erin"],
    );
    expect([made.code, made.stderr]).toEqual([0, ""]);
    const [, id] =
      /^payout_id {2}(\S{36})\nstatus +pending\namount +12\.50 AUD\n$/.exec(made.stdout) ?? [];
    expect(await payer.available()).toBe(before - 1_250n);

    const shown = await payer.json("get", id as string);
    expect(shown).toMatchObject({
      id,
      receiver_id: payee.receiver_id,
      receiver_account_id: payee.account_id,
      amount: 1_250,
      currency: "AUD",
      reference: "007",
      note: "May",
      status: "pending",
      stage: "queued",
    });
    const { history, ...record } = shown;
    expect(history).toEqual([
      {
        id,
        when: shown.created_at,
        who: meAs("Erin"),
        reason: "created",
        from: null,
        to: { status: "pending", stage: "queued" },
      },
    ]);
    const listed = await payer.json("list", "--reference", "007");
    expect(listed).toEqual({ payouts: [record], next_cursor: null });

    const inWords = await payer.run("get", (id as string).toUpperCase());
    expect(inWords.stdout).toMatch(/\namount +12\.50 AUD\nreference +007\n/);
    expect(inWords.stdout).toMatch(
      /\nHistory\nwhen +who .*\n\S+Z +command:\S+ as Erin +- +queued /,
    );
  });

  test("prints minor units with --json, as the API does", async () => {
    const made = await payer.json(...createWords({ amount: "7", reference: "json" }));
    expect(made).toEqual({
      payout_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: "pending",
      amount: 700,
      currency: "AUD",
    });
  });

  test("refuses a duplicate with the id of the first payout, unless duplicates are allowed", async () => {
    const words = createWords({ amount: "3", reference: "twin" });
    const { payout_id } = await payer.json(...words);
    const again = await payer.run(...words);
    expect(again).toEqual({
      code: 1,
      stdout: "",
      stderr: `PAYO226 reference: Payout ${payout_id} of the last 24 hours says the same\n  ${refusals.PAYO226[2]}\n`,
    });
    expect((await payer.run(...words, "--allow-duplicate")).code).toBe(0);
  });

  test("reports a refusal with code and cure, and changes nothing", async () => {
    const before = [await payer.available(), (await payer.stored()).length];
    const refused = async (words: string[], code: keyof typeof refusals, field: string) => {
      const text = `${code} ${field}: ${refusals[code][1]}\n  ${refusals[code][2]}\n`;
      expect(await payer.run(...words)).toEqual({ code: 1, stdout: "", stderr: text });
    };
    await refused(createWords({ amount: "100000" }), "PAYO227", "amount");
    await refused(createWords({ amount: "1", receiver: unknownId }), "PAYO205", "receiver_id");
    await refused(createWords({ amount: "1", receiver: "x" }), "PAYO205", "receiver_id");
    await refused(createWords({ amount: "1", account: unknownId }), "PAYO206", "account_id");
    await refused(createWords({ amount: "1", currency: "JPY" }), "PAYO223", "currency");
    expect([await payer.available(), (await payer.stored()).length]).toEqual(before);
  });

  test.each([
    ["1,000.00", "AUD", "1000.00"],
    ["0", "AUD", "1000.00"],
    ["-5", "AUD", "1000.00"],
    ["1e3", "AUD", "1000.00"],
    ["9999999999999999", "AUD", "1000.00"],
    ["10.0", "JPY", "1000"],
  ])("refuses %s as an amount of %s", (amount, currency, like) => {
    const why = `--amount is not an amount of ${currency}: write it like ${like}, above zero.`;
    expect(() => readAmountOption(amount, currency)).toThrow(why);
  });

  test("refuses live subaccounts without a bank connection, and closed subaccounts", async () => {
    const live = await suite.payer(1_000n, "live");
    const words = createWords({ amount: "1" }, await live.payee());
    const noBank =
      "PAYO228 currency: No bank is connected for live payouts in AUD to accounts in AUS\n";
    expect((await live.run(...words)).stderr.startsWith(noBank)).toBe(true);
    await closeSubaccount(suite.db, live.subaccountId);
    expect((await live.run(...words)).stderr).toMatch(/^SUBA101: /);
  });
});

describe("validate", () => {
  const validateWords = (fields: object) => ["validate", ...createWords(fields).slice(1)];

  test("prints whether the payout would be accepted and what it costs, and creates nothing", async () => {
    const before = [await payer.available(), (await payer.stored()).length];
    expect(await payer.json(...validateWords({ amount: "12.50", reference: "dry" }))).toEqual({
      accepted: true,
      problems: [],
      fee: 0,
      sent_amount: 1_250,
      needs_approval: false,
      approval_rules: [],
      needs_review: false,
      process_date: "",
      expected_arrival: "",
    });
    const inWords = await payer.run(...validateWords({ amount: "12.50", reference: "dry" }));
    expect([inWords.code, inWords.stderr]).toEqual([0, ""]);
    expect(inWords.stdout).toMatch(/^accepted +yes\nfee +0\.00 AUD\nsent_amount +12\.50 AUD\n/);
    expect([await payer.available(), (await payer.stored()).length]).toEqual(before);
  });

  test("prints every reason with its cure, and exits with 1", async () => {
    const words = validateWords({ amount: "100000", receiver: unknownId, currency: "JPY" });
    const { code, stdout, stderr } = await payer.run(...words);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^accepted +no\nfee +0 JPY\n/);
    expect(stderr).toBe(
      (["PAYO205", "PAYO223", "PAYO227"] as const)
        .map((name, place) => {
          const field = ["receiver_id", "currency", "amount"][place];
          return `${name} ${field}: ${refusals[name][1]}\n  ${refusals[name][2]}\n`;
        })
        .join(""),
    );
    const json = await payer.run(...validateWords({ amount: "100000" }), "--json");
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
      1,
      { accepted: false, problems: [{ code: "PAYO227", field: "amount" }] },
    ]);
  });
});

test("list filters by time and receiver, and prints how to get the next page", async () => {
  const who = await suite.payer(10_000n);
  const [one, other] = [await who.payee(), await who.payee()];
  const ids: string[] = [];
  for (const to of [one, other, one]) {
    ids.push(await who.pay(to, 105n));
  }
  const idsOf = async (...words: string[]) => {
    const { payouts } = await who.json("list", ...words);
    return payouts.map(({ id }: { id: string }) => id);
  };
  expect(await idsOf("--receiver-id", one.receiver_id)).toEqual([ids[2], ids[0]]);
  expect(await idsOf("--receiver-account-id", other.account_id)).toEqual([ids[1]]);
  expect(await idsOf("--status", "successful")).toEqual([]);
  expect(await idsOf("--from", "2020-01-01")).toHaveLength(3);
  expect(await idsOf("--to", "2020-01-01")).toEqual([]);
  const [, second] = await who.stored();
  expect(await idsOf("--from", second.created_at_ms, "--limit", "2")).toEqual([ids[2], ids[1]]);

  const page = await who.json("list", "--limit", "2");
  expect(page.payouts).toHaveLength(2);
  expect(await idsOf("--cursor", page.next_cursor)).toEqual([ids[0]]);
  const { stdout, stderr } = await who.run("list", "--limit", "1");
  expect(stdout).toMatch(/^id +amount +status +stage +reference +receiver_id +created_at\n/);
  expect(stdout).toContain(`${ids[2]}  1.05 AUD  pending  queued  -          ${one.receiver_id}`);
  expect(stderr).toMatch(/^There are more: --cursor \S+\n$/);
});

describe("cancel", () => {
  test("releases the money once, also when it is repeated", async () => {
    const before = await payer.available();
    const { payout_id } = await payer.json(...createWords({ amount: "9", reference: "back" }));
    const cancelled = { payout_id, status: "failed", stage: "cancelled" };
    expect(await payer.json("cancel", payout_id)).toEqual(cancelled);
    expect(await payer.json("cancel", payout_id)).toEqual(cancelled);
    expect(await payer.available()).toBe(before);
    const { history } = await payer.json("get", payout_id);
    expect(history[0]).toMatchObject({ who: me, from: { stage: "queued" } });
  });

  test("is refused for a payout that was sent", async () => {
    const { payout_id } = await payer.json(...createWords({ amount: "9", reference: "late" }));
    await withBank(60_000, async () => {
      await expect.poll(async () => (await payer.json("get", payout_id)).stage).toBe("submitted");
    });
    expect(await payer.run("cancel", payout_id)).toEqual({
      code: 1,
      stdout: "",
      stderr: `PAYO301: ${refusals.PAYO301[1]}\n  ${refusals.PAYO301[2]}\n`,
    });
  });
});

async function withBank(delayMs: number, work: () => Promise<void>): Promise<void> {
  const { db, seal } = suite;
  const log = { warn: () => {} };
  const worker = startPayoutWorker({
    db,
    seal,
    log,
    rails: railDirectory([{ mode: "test", rail: sandboxRail({ delayMs }) }]),
  });
  await work().finally(() => worker.close());
}

describe("get --watch", () => {
  test("prints each change until the payout has ended", async () => {
    const who = await suite.payer(1_000n);
    const to = await who.payee("12345111");
    const { payout_id } = await who.json(...createWords({ amount: "2" }, to));
    const watching = who.start("get", payout_id, "--watch");
    const ended = once(watching, "close");
    await expect.poll(() => watching.said()).toContain("History");
    await withBank(1_000, async () => expect(await ended).toEqual([0, null]));
    const [, changes] = watching.said().split("created\n");
    const time = String.raw`\d{4}-\S+Z {2}rail:sandbox {2}`;
    expect(changes).toMatch(
      new RegExp(
        `^${time}queued → submitted \\(pending\\) {2}sent to the bank\n` +
          `${time}submitted → rejected \\(failed\\) {2}account closed\n$`,
      ),
    );
    const again = await who.run("get", payout_id, "--watch");
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect(again.stdout).toContain("account closed");
  });

  test("exits with 130 on Ctrl-C", async () => {
    const { payout_id } = await payer.json(...createWords({ amount: "2", reference: "watched" }));
    const watching = payer.start("get", payout_id, "--watch");
    const ended = once(watching, "close");
    await expect.poll(() => watching.said()).toContain("created\n");
    watching.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(watching.said()).toMatch(/Stopped watching\. The payout continues\.\n$/);
  });
});

test.each([
  [["get", unknownId], 4, `There is no payout ${unknownId}`],
  [["get", "x"], 4, "There is no payout x"],
  [["cancel", unknownId], 4, "There is no payout"],
  [["list", "--status", "lost"], 2, "PAYO112 status: "],
  [
    ["list", "--from", "soon"],
    2,
    "Give a day or time such as 2026-11-30, or how long ago, such as 2h.",
  ],
  [["create", "--receiver", unknownId], 2, "--account"],
  [["import"], 2, "file"],
  [
    ["create", ...optionsOf({ receiver: "x", account: "x", amount: "12.505", currency: "AUD" })],
    ...[2, "--amount is not an amount of AUD: write it like 1000.00, above zero.\n"],
  ],
] as [string[], number, string][])(
  "%j exits with code %i and a reason",
  async (words, expected, why) => {
    const { code, stdout, stderr } = await payer.run(...words);
    expect([code, stdout]).toEqual([expected, ""]);
    expect(stderr).toContain(why);
  },
);

test("--help lists the commands", async () => {
  const { stdout } = await command(["payouts", "--help"]);
  for (const name of ["list", "get", "create", "cancel", "template", "import"]) {
    expect(stdout).toMatch(new RegExp(`\n {2}${name} `));
  }
});

describe("the question before an import", () => {
  const answered = async (...typed: string[]) => {
    const input = new PassThrough();
    for (const text of typed) input.write(text);
    input.end();
    const output: string[] = [];
    const never = new AbortController().signal;
    const terminal = { input, output: { write: (text: string) => output.push(text) } };
    return [await isAgreed("Create 1,234 payouts?", never, terminal), output.join("")];
  };

  test("is confirmed only by the whole word", async () => {
    const question = "Create 1,234 payouts? Type yes: ";
    expect(await answered("yes\n")).toEqual([true, question]);
    expect(await answered(" YES \r\n", "no\n")).toEqual([true, question]);
    for (const text of ["y\n", "no\n", "\n", "yes please\n", "no\nyes\n"]) {
      expect(await answered(text)).toEqual([false, question]);
    }
    expect(await answered()).toEqual([false, `${question}\n`]);
  });

  test("is not confirmed by an interruption", async () => {
    const interruption = new AbortController();
    const terminal = { input: new PassThrough(), output: { write: () => {} } };
    const answer = isAgreed("Create 1 payouts?", interruption.signal, terminal);
    interruption.abort();
    expect(await answer).toBe(false);
  });
});
