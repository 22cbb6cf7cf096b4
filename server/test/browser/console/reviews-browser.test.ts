// The review queue in a real browser: a hit is decided and a payout on hold released by keyboard alone, also on a phone.

import { expect } from "vitest";
import { unlessProving } from "../../scenarios/scale.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { isWiderThanScreen, openWindow, seriousFindings } from "../../support/console-window.ts";
import { newReviewedPayer, startReviewQueue } from "../../support/review-cases.ts";
import { testUnless } from "../../support/skippable.ts";

const { service, browser, inBrowser, reason } = await useBrowser(
  async () => (await startReviewQueue()).service,
);

inBrowser(
  "an operator clears a hit with its payout and releases a payout on hold, by keyboard",
  async () => {
    const payer = await newReviewedPayer(service, { last_name: "Byron" });
    const { disburse, subaccountId } = payer;
    const behindHit = await payer.pay(5_000, "Invoice 1");
    const ruled = await payer.payHeldByRule(150_000, "Invoice 2");
    await payer.openHit({}, Date.now() - 3_600_000);
    const path = `/console/reviews?subaccount_id=${subaccountId}`;
    const person = service.enter("operator");
    const { page, context, faults } = await openWindow(
      { browser, baseUrl: service.baseUrl },
      path,
      person,
    );
    const cases = page.getByRole("navigation", { name: "Cases" });
    await cases.getByText("Hit: BYRON, Ada Augusta, 85%").waitFor();
    // Behind the hit, its payouts are no cases of their own.
    expect(await cases.getByRole("button").count()).toBe(1);

    await page.keyboard.press("j");
    const evidence = page.getByRole("region", { name: "Evidence" });
    await evidence.getByText("ENGINE2").waitFor();
    for (const text of ["Ada Byron", "1989 to 1991, 1991", "FRA, GBR"]) {
      await evidence.getByText(text).first().waitFor();
    }
    await page.getByText("only on one side").waitFor();
    // A approves elsewhere. Here it does nothing, and no decision is the highlighted button.
    await page.keyboard.press("a");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(
      await page.getByRole("group", { name: "Decide" }).locator("[data-variant=filled]").count(),
    ).toBe(0);
    await page.getByText("A rule holds it too").waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await page.keyboard.press("n");
    const question = page.getByRole("dialog", { name: "Ask: Ada Byron" });
    await question.waitFor();
    await page.keyboard.type("Has anyone seen a passport?");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Asked" }).getByText("passport").waitFor();

    await page.keyboard.press("d");
    const decision = page.getByRole("dialog", { name: "Not the same person: Ada Byron" });
    await decision.getByLabel("Release its payout on hold").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.type("Another date of birth");
    await page.keyboard.press("Enter");
    await decision.waitFor({ state: "detached" });
    await expect.poll(async () => (await disburse.payouts.get(behindHit)).stage).toBe("queued");

    // The payout that a rule holds is a case now.
    await cases.getByText("Payout on hold: 1,500.00 AUD").waitFor();
    await page.keyboard.press("j");
    const why = page.getByRole("region", { name: "Why it is on hold" });
    await why.getByText("receiver: 1,500.00 AUD within a day").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("a");
    const release = page.getByRole("dialog", { name: "Release: Ada Byron" });
    await release.getByText("The payout is queued").waitFor();
    await page.keyboard.type("Known supplier");
    await page.keyboard.press("Enter");
    await release.waitFor({ state: "detached" });
    await page.getByText("No cases match the filters").waitFor();
    expect((await disburse.payouts.get(ruled)).stage).toBe("queued");

    await page.getByRole("tab", { name: "Decided" }).click();
    await cases.getByText("Cleared").first().waitFor();
    await cases.getByText("Released").first().waitFor();
    expect(faults).toEqual([]);
    await context.close();
  },
);

testUnless(unlessProving ?? reason)(
  "on a phone, in light and dark, a hit and a payout on hold fit the screen",
  async () => {
    const payer = await newReviewedPayer(service);
    const { subaccountId } = payer;
    const hold = await payer.payHeldByRule(150_000, "Invoice 2");
    const other = await newReviewedPayer(service);
    const hit = await other.openHit();
    const person = service.enter("operator");
    const opened = [
      [`hit.${other.subaccountId}.${hit}`, "ENGINE2"],
      [`hold.${subaccountId}.${hold}`, "Why it is on hold"],
    ];
    for (const colorScheme of ["light", "dark"] as const) {
      for (const [name, text = ""] of opened) {
        const { page, context, faults } = await openWindow(
          { browser, baseUrl: service.baseUrl },
          `/console/reviews?case=${name}`,
          person,
          { colorScheme, width: 390 },
        );
        await page.getByText(text).first().waitFor();
        expect(await isWiderThanScreen(page)).toBe(false);
        expect(await seriousFindings(page)).toEqual([]);
        expect(faults).toEqual([]);
        await context.close();
      }
    }
  },
);
