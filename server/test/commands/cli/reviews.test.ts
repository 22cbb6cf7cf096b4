// disburse reviews list: the review queue of all kinds, page by page, and its decisions.

import { expect, test } from "vitest";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { startConsole } from "../../support/console.ts";
import { newReviewedPayer, reviewTools } from "../../support/review-cases.ts";
import { ada, settingsOf } from "../../support/service.ts";

const service = await closeAfterTests(startConsole({ bankDelayMs: 3_600_000 }));

type Line = { kind: string; case_id: string };

test("the queue has identity checks, hits and held payouts, oldest first, by page, kind and subaccount", async () => {
  const environment = settingsOf(service);
  const list = (...words: string[]) => command(["reviews", "list", ...words], environment);
  const json = async (...words: string[]) => {
    const { code, stdout, stderr } = await list(...words, "--json");
    expect([code, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout);
  };
  const payer = await newReviewedPayer(service);
  const hold = await payer.payHeldByRule(150_000);
  const other = await newReviewedPayer(service, { last_name: "Byron" });
  const hit = await other.openHit();
  const live = await service.newCaller({ mode: "live" });
  const check = (await live.disburse.receivers.create(ada({ last_name: "Check" }))).receiver_id;
  const idsOf = ({ reviews }: { reviews: Line[] }) => reviews.map(({ case_id }) => case_id);

  const all = await json();
  expect(idsOf(all)).toEqual([hold, hit, check]);
  expect(all.reviews.map(({ kind }: Line) => kind)).toEqual(["hold", "hit", "identity"]);
  expect(idsOf(await json("--kind", "hit"))).toEqual([hit]);
  expect(idsOf(await json("--subaccount", payer.subaccountId))).toEqual([hold]);
  const first = await json("--limit", "2");
  expect(idsOf(first)).toEqual([hold, hit]);
  expect(idsOf(await json("--cursor", first.next_cursor))).toEqual([check]);
  const { stdout } = await list();
  expect(stdout).toMatch(/hold .*1,?500\.00 AUD/);
  expect(stdout).toMatch(/hit .*BYRON, Ada Augusta 85%/);
  expect((await list("--cursor", "no cursor")).stderr).toContain("cursor");

  const operator = service.enter("operator");
  await reviewTools(service, operator).decide(["hit", other, hit], "different", { release: false });
  expect(idsOf(await json())).toEqual([hold, check]);
  const decided = await json("--decided");
  expect(decided.reviews).toMatchObject([
    { case_id: hit, decision: { outcome: "different", who: operator.who } },
  ]);
});
