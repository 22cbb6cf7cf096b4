// Unfinished forms in a real browser: they survive a reload, another page and a sign-out for their user, and nobody
// else sees them. Account numbers, dates of birth and phone numbers are never kept.

import type { Page } from "playwright-core";
import { expect } from "vitest";
import { scale } from "../../scenarios/scale.ts";
import { startConsole, type TestPerson } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openWindow, seriousFindings } from "../../support/console-window.ts";
import { newPayee } from "../../support/payers.ts";
import { ada } from "../../support/service.ts";

const { service, browser, inBrowser } = await useBrowser(startConsole);

type Form = {
  path: string;
  /** Opens the form, if the page has it in a dialog. */
  open: (page: Page) => Promise<void>;
  label: string;
  typed: string;
};

const press = (name: string) => async (page: Page) => {
  await page.getByRole("main").getByRole("button", { name }).first().click();
};

/** The browser has the session of this user from now on. */
async function signInAs(page: Page, person: TestPerson): Promise<void> {
  await person.ready;
  const [name = "", value = ""] = person.cookie.split(/=(.*)/s);
  await page.context().addCookies([{ name, value, url: service.baseUrl }]);
}

inBrowser(
  "what is typed survives a reload, another page and a sign-out, and is gone for another user",
  async () => {
    const { disburse, subaccountId } = await service.newCaller();
    const { receiver_id, account_id } = await newPayee(disburse);
    await disburse.testHelpers.fund({ amount: 10_000, currency: "AUD", reference: "start" });
    const admin = service.enter("admin");
    await admin.put(`/s/${subaccountId}/limits`, {
      currency: "AUD",
      per_payout_max: null,
      per_day_max: null,
      approval_above: 0,
    });
    const to = { receiver_id, account_id, amount: 100, currency: "AUD" };
    const { payout_id } = await disburse.payouts.create({ ...to, reference: "waits" });
    const live = await service.newCaller({ mode: "live" });
    const { receiver_id: checked } = await live.disburse.receivers.create(ada());

    const base = `/console/s/${subaccountId}`;
    const allForms: Form[] = [
      {
        path: `${base}/receivers/new`,
        open: async () => {},
        label: "Last name",
        typed: "O’Brien",
      },
      {
        path: `${base}/receivers/${receiver_id}`,
        open: press("Edit"),
        label: "City",
        typed: "Geelong",
      },
      {
        path: "/console/rules/change",
        open: press("Add rule"),
        label: "Name",
        typed: "Large payouts",
      },
      {
        path: `${base}/payouts/${payout_id}`,
        open: press("Decline"),
        label: "Note",
        typed: "Not ordered by us",
      },
      {
        path: `/console/reviews?case=${live.subaccountId}.${checked}`,
        open: press("Reject"),
        label: "Note",
        typed: "The document is blurred",
      },
    ];
    const forms = allForms.slice(0, scale(2, allForms.length));
    const window = { browser, baseUrl: service.baseUrl };
    const { page, context, faults } = await openWindow(window, `${base}/overview`, admin);
    const show = async ({ path, open }: Form) => {
      await page.goto(service.baseUrl + path);
      await open(page);
    };
    const field = ({ label }: Form) =>
      page.getByRole("textbox", { name: label, exact: true }).last();
    const restored = page.getByText("restored", { exact: false }).last();

    for (const form of forms) {
      await show(form);
      await field(form).fill(form.typed);
    }
    // Every form was left for another page. They are all there again, and after a reload as well.
    for (const form of forms) {
      await show(form);
      await restored.waitFor();
      expect(await field(form).inputValue()).toBe(form.typed);
      await page.reload();
      await form.open(page);
      expect(await field(form).inputValue()).toBe(form.typed);
    }
    expect(await seriousFindings(page)).toEqual([]);

    // What must not stay in a browser is not kept, and the page asks before it is lost.
    const [newReceiver] = forms as [Form];
    await show(newReceiver);
    await page.getByLabel("Date of birth").fill("1990-12-10");
    await page.getByLabel("Phone").fill("412345678");
    await page.getByRole("navigation").getByRole("link", { name: "Receivers" }).click();
    const asking = page.getByRole("dialog", { name: "Leave this page?" });
    await asking.getByText("without date of birth, gender and phone").waitFor();
    await asking.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { level: 1, name: "Receivers" }).waitFor();
    await page.goBack();
    await page.getByText("Date of birth, gender and phone are not kept").waitFor();
    expect(await page.getByLabel("Last name").inputValue()).toBe("O’Brien");
    expect(await page.getByLabel("Phone").inputValue()).toBe("");
    await page.goto(`${service.baseUrl}${base}/receivers/${receiver_id}?tab=accounts`);
    await page.getByRole("button", { name: "Add bank account" }).click();
    await page.getByRole("dialog").getByLabel("Account number").fill("98765432");
    const kept = () => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
    expect(await kept()).not.toMatch(/98765432|412345678|1990-12-10/);
    await page.reload();

    // The same user, after signing out and in again.
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Disburse" }).waitFor();
    await admin.enterAgain();
    await signInAs(page, admin);
    for (const form of forms) {
      await show(form);
      await restored.waitFor();
      expect(await field(form).inputValue()).toBe(form.typed);
    }

    // Another user finds nothing, and afterwards nothing is left.
    await context.clearCookies();
    await signInAs(page, service.enter("admin"));
    for (const form of forms) {
      await show(form);
      expect(await field(form).inputValue()).not.toBe(form.typed);
      expect(await restored.count()).toBe(0);
    }
    expect(await kept()).not.toContain("Geelong");

    // A form that was given up is forgotten.
    const [, edit] = forms as [Form, Form];
    await show(edit);
    await field(edit).fill("Geelong");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard" }).click();
    await show(edit);
    expect(await field(edit).inputValue()).not.toBe("Geelong");
    expect(faults).toEqual([]);
    await context.close();
  },
  300_000,
);
