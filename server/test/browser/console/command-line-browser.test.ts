// A user lets a command line sign in with the code that it shows, or declines, and ends its session: in a real browser.

import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { newSetUpTokens } from "../../../src/tenants/users/invitation.ts";
import { type ConsoleService, startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { isWiderThanScreen, openWindow, seriousFindings } from "../../support/console-window.ts";
import { callOperator } from "../../support/operator.ts";

const { service, browser, inBrowser } = await useBrowser(() =>
  startConsole({ trustProxy: ["127.0.0.1"] }),
);

const ask = async (client: string, headers = {}) =>
  (await callOperator(service.baseUrl, undefined, "POST", "/login", { body: { client }, headers }))
    .json as { device_code: string; code: string };
const redeem = (device_code: string) =>
  callOperator(service.baseUrl, undefined, "POST", "/login/token", { body: { device_code } });
const me = (token: string) => callOperator(service.baseUrl, token, "GET", "/me");

const open = (user: ReturnType<ConsoleService["enter"]>) =>
  openWindow({ browser, baseUrl: service.baseUrl }, "/console/command-line", user);

async function type(page: Page, code: string): Promise<void> {
  await page.getByRole("textbox", { name: "Code" }).fill(code);
  await page.keyboard.press("Enter");
}

const says = (page: Page, text: string | RegExp) =>
  page.getByRole("main").getByText(text).waitFor();

async function expectGoodLooks(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await seriousFindings(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await isWiderThanScreen(page)).toBe(false);
  await page.setViewportSize({ width: 1280, height: 800 });
}

inBrowser(
  "a user signs in, types the code, sees who asks, confirms, and ends the session later",
  async () => {
    const origin = `http://localhost:${service.port}`;
    const link = `/console/set-up#${(await newSetUpTokens(service.db))?.first}`;
    const { page, context, faults } = await openWindow(
      { browser, baseUrl: origin },
      link,
      undefined,
    );
    const fillPassword = (within: Page | Locator) =>
      within.getByLabel("Password", { exact: true }).fill("harbour-lantern-quartz-9");
    await page.getByLabel("Name").fill("Ana Silva");
    await page.getByLabel("Email").fill("ana@example.com");
    await fillPassword(page);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("button", { name: "Account of Ana Silva" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Disburse" }).waitFor();

    const { device_code, code } = await ask("ana-laptop", { "x-forwarded-for": "198.51.100.7" });
    // A code in the address is of no use.
    await page.goto(`${origin}/console/command-line?code=${code}`);
    await page.getByLabel("Email").fill("ana@example.com");
    await fillPassword(page);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    const field = page.getByRole("textbox", { name: "Code" });
    await field.waitFor();
    expect(await field.inputValue()).toBe("");
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);

    await type(page, code.toLowerCase().replace("-", ""));
    await says(page, "calls itself ana-laptop");
    await says(page, "198.51.100.7");
    await says(page, "This browser has another IP address: 127.0.0.1.");
    await says(page, "everything that you can do, for 12 hours");
    await says(page, "If someone sent you a code, decline.");
    await expectGoodLooks(page);

    await service.db.pool.query("update user_session set proven_at = now() - interval '1 hour'");
    await page.getByRole("button", { name: "Sign in the command line" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
    await fillPassword(dialog);
    expect((await redeem(device_code)).json).toEqual({ status: "waiting" });
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("heading", { name: "Return to your terminal" }).waitFor();
    await expectGoodLooks(page);

    const { token } = (await redeem(device_code)).json;
    expect((await me(token)).json.email).toBe("ana@example.com");

    await page.getByRole("link", { name: "Your sessions" }).click();
    const session = page.getByRole("listitem").filter({ hasText: "Command line on ana-laptop" });
    await session.getByText(/until \d+ \w+, \d\d:\d\d UTC/).waitFor();
    await session.getByRole("button", { name: "End" }).click();
    await session.waitFor({ state: "hidden" });
    expect((await me(token)).code).toBe("OPER101");
    expect(faults).toEqual([]);
    await context.close();
  },
);

inBrowser("a declined command line gets nothing, and its code no longer works", async () => {
  const ana = service.enter("operator");
  const { device_code, code } = await ask("mallory");
  const { page, context, faults } = await open(ana);
  await type(page, code);
  await says(page, "calls itself mallory");
  expect(await page.getByText("This browser has another").count()).toBe(0);
  await page.getByRole("button", { name: "Decline" }).click();
  await says(page, "The command line on mallory is not signed in.");
  expect((await redeem(device_code)).code).toBe("OPER108");

  await page.getByRole("button", { name: "Type another code" }).click();
  await type(page, code);
  await says(page, "The code is wrong, used or expired");
  expect(faults).toEqual([]);
  await context.close();
});

inBrowser("after five wrong codes the page says how long to wait", async () => {
  const { code } = await ask("laptop");
  const { page, context } = await open(service.enter("operator"));
  for (let tries = 0; tries < 5; tries++) {
    const refused = page.waitForResponse(/command-line\/look/);
    await type(page, "BBBB-BBBB");
    expect((await refused).status()).toBe(404);
    await says(page, "The code is wrong, used or expired");
  }
  await type(page, code);
  await says(page, "Too many attempts. Try again in 15 min.");
  await context.close();
});

inBrowser("a code that expires before it is confirmed is asked for again", async () => {
  const { code } = await ask("late-laptop");
  const { page, context } = await open(service.enter("operator"));
  await type(page, code);
  await says(page, "calls itself late-laptop");
  await service.db.pool.query(
    "update login_request set expires_at = now() where client = 'late-laptop'",
  );
  await page.getByRole("button", { name: "Sign in the command line" }).click();
  await says(page, "The code is wrong, used or expired");
  await page.getByRole("textbox", { name: "Code" }).waitFor();
  await context.close();
});
