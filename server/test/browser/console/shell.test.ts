// The console in a real browser, with its content security policy: sign-in, the shell of every screen, phone width.

import type { BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { newSetUpTokens } from "../../../src/tenants/users/invitation.ts";
import { startConsole, type TestPerson } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { openOrganisationMenu } from "../../support/console-visitor.ts";
import {
  isWiderThanScreen,
  type Look,
  openWindow,
  seriousFindings,
} from "../../support/console-window.ts";
import { ada } from "../../support/service.ts";

const { service, browser, inBrowser } = await useBrowser(startConsole);

const open = (path: string, person?: TestPerson, look?: Look) =>
  openWindow({ browser, baseUrl: service.baseUrl }, path, person, look);

async function closed(context: BrowserContext): Promise<void> {
  await context.close();
}

inBrowser.each([
  ["light", 1280],
  ["dark", 390],
] as const)(
  "sign-in in %s mode at %i px: no page errors, no serious accessibility findings",
  async (colorScheme, width) => {
    const { page, context, faults } = await open("/console/", undefined, { colorScheme, width });
    await page.getByRole("heading", { level: 1, name: "Sign in to Disburse" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/sign-in");
    await page.getByLabel("Email").fill("nobody@example.com");
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.mantineColorScheme)).toBe(
      colorScheme,
    );
    expect(await seriousFindings(page)).toEqual([]);
    expect(await isWiderThanScreen(page)).toBe(false);
    expect(faults).toEqual([]);
    await closed(context);
  },
);

inBrowser("a page of another build, after an update, is told to reload", async () => {
  const { page, context } = await open("/console/users", service.enter("admin"));
  await page.route("**/console/api/users/invite", async (route, request) => {
    const headers = await request.allHeaders();
    expect(headers["x-disburse-page"]).toMatch(/^index-[\w-]+\.js$/);
    return route.continue({
      headers: { ...headers, "x-disburse-page": "index-0ld.js" },
      postData: JSON.stringify({ mail: "eve@example.com" }),
    });
  });
  await page.getByRole("button", { name: "Invite user" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill("eve@example.com");
  await dialog.getByRole("button", { name: "Create invite link" }).click();
  const told = "The service has been updated since this page was loaded. Reload the page.";
  await dialog.getByText(told).waitFor();
  await closed(context);
});

inBrowser("the old URLs of sign-in and users redirect to the new ones", async () => {
  const { page, context, faults } = await open("/console/log-in?next=%2Faudit");
  await page.waitForURL("**/console/sign-in?next=%2Faudit");
  await closed(context);
  const admin = await open("/console/people", service.enter("admin"));
  await admin.page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
  expect(new URL(admin.page.url()).pathname).toBe("/console/users");
  expect([...faults, ...admin.faults]).toEqual([]);
  await closed(admin.context);
});

inBrowser("an operator navigates by keyboard, and test mode looks unlike live", async () => {
  const sandbox = await service.newCaller();
  const live = await service.newCaller({ mode: "live" });
  const { page, context, faults } = await open("/console", service.enter("operator"));
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  expect(await page.title()).toBe("Overview · Disburse");

  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");

  await page.goto(`${service.baseUrl}/console/s/${sandbox.subaccountId}/receivers`);
  await page.getByRole("banner").getByText("Test mode").waitFor();
  const mark = () =>
    page.locator("[data-mode]").evaluate((shell) => getComputedStyle(shell, "::before").height);
  expect(await mark()).toBe("3px");
  await page.goto(`${service.baseUrl}/console/s/${live.subaccountId}/receivers`);
  await page.getByRole("banner").getByText("Live", { exact: true }).first().waitFor();
  expect(await mark()).toBe("auto");

  // The dialog locks scrolling with an inline style, which the policy allows only with the nonce.
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("dialog").getByPlaceholder("Name, email, reference").fill("webh");
  await page.getByRole("dialog").getByText("Webhooks", { exact: true }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  expect(await page.getByRole("main").locator("h1").count()).toBe(1);
  expect(await seriousFindings(page)).toEqual([]);

  // In a narrowed window the room for the menu goes at once. While it shrank, it would squeeze the page.
  await page.setViewportSize({ width: 390, height: 844 });
  const room = await page
    .getByRole("main")
    .evaluate((main) => [getComputedStyle(main).paddingLeft, main.getAnimations().length]);
  expect(room).toEqual(["16px", 0]);
  expect(faults).toEqual([]);
  await closed(context);
});

inBrowser(
  "a developer on a phone in dark mode starts at quickstart and sees only their subaccount",
  async () => {
    const { subaccountId } = await service.newCaller();
    const person = service.enter("developer", { subaccountId });
    const { page, context, faults } = await open("/console", person, {
      colorScheme: "dark",
      width: 390,
    });
    await page.waitForURL(`**/console/s/${subaccountId}/quickstart`);
    await page.getByRole("button", { name: "Open menu" }).click();
    const nav = page.getByRole("navigation", { name: "Main" });
    await nav.getByRole("link", { name: "Keys" }).waitFor();
    expect(await nav.getByRole("link", { name: /Review|Approvals|Users|Audit/ }).count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    await nav.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    await nav.waitFor({ state: "hidden" });
    expect(await isWiderThanScreen(page)).toBe(false);
    expect(faults).toEqual([]);

    const other = await service.newCaller();
    await page.goto(`${service.baseUrl}/console/s/${other.subaccountId}/payouts`);
    await page.getByRole("heading", { name: "Subaccount not found" }).waitFor();
    await closed(context);
  },
);

inBrowser(
  "J and K walk the rows of a list, ? lists the keys, and the organisation's menu has the rest",
  async () => {
    const { subaccountId, disburse } = await service.newCaller();
    const people = [ada(), { ...ada(), first_name: "Bela", email: "bela@example.com" }];
    for (const person of people) await disburse.receivers.create(person);
    const path = `/console/s/${subaccountId}/receivers`;
    const { page, context, faults } = await open(path, service.enter("admin"));
    await page.getByRole("row", { name: /Bela/ }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.closest("tr")?.rowIndex);
    for (const [key, row] of [
      ["j", 1],
      ["j", 2],
      ["j", 2],
      ["k", 1],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(focused).toBe(row);
    }
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await keys.getByText("Next and previous row").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("j");
    await page.keyboard.press("Escape");
    await keys.waitFor({ state: "hidden" });
    await expect.poll(focused).toBe(1);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/receivers\/[0-9a-f-]{36}/);
    await page.getByRole("tab", { name: "Profile" }).waitFor();
    // A letter that is typed is a letter.
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("dialog").getByPlaceholder("Name, email, reference").fill("");
    await page.keyboard.type("j?");
    expect(await page.getByPlaceholder("Name, email, reference").inputValue()).toBe("j?");
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await expect
      .poll(() => page.evaluate(() => document.documentElement.dataset.mantineColorScheme))
      .toBe("dark");
    expect(await seriousFindings(page)).toEqual([]);
    // While updates arrive as they happen, nothing is said about the connection.
    expect(await page.getByText(/Reconnecting|Offline|Connected/).count()).toBe(0);
    await page.keyboard.press("Escape");
    await openOrganisationMenu(page);
    const menu = page.getByRole("menu");
    expect(await menu.getByRole("menuitem").allInnerTexts()).toEqual([
      expect.stringMatching(/^Settings\s+A test/),
      expect.stringMatching(/^Users\s+Company/),
      expect.stringMatching(/^Operator tokens\s+Company/),
      expect.stringMatching(/^Audit log\s+Company/),
    ]);
    expect(await seriousFindings(page)).toEqual([]);
    await menu.getByRole("menuitem", { name: "Settings" }).click();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    const nav = page.getByRole("navigation", { name: "Main" });
    // Its steps are not done, so it comes first.
    expect((await nav.getByRole("link").allInnerTexts()).slice(0, 2)).toEqual([
      "Quickstart",
      "Overview",
    ]);
    expect(faults).toEqual([]);
    await closed(context);
  },
);

inBrowser(
  "the first admin uses the set-up link, adds a passkey, and confirms by password or passkey",
  async () => {
    const own = await startConsole();
    const origin = `http://localhost:${own.port}`;
    const token = (await newSetUpTokens(own.db))?.first;
    const context = await browser.newContext({ locale: "en-GB", reducedMotion: "reduce" });
    const page = await context.newPage();
    await addAuthenticator(page);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${origin}/console/set-up#${token}`);
    await page.getByLabel("Name").fill("Mara Lindqvist");
    await page.getByLabel("Email").fill("mara@example.com");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await page
      .getByText(/characters/)
      .nth(1)
      .waitFor();
    await page.getByLabel("Password", { exact: true }).fill("harbour-lantern-quartz-9");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("No subaccounts yet").waitFor();
    expect(asked.filter((url) => url.includes(token as string))).toEqual([]);

    await page.goto(`${origin}/console/account`);
    await page.getByText("This browser").waitFor();
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByLabel("Name").fill("Work laptop");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Work laptop").waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByRole("button", { name: "Account of Mara Lindqvist" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Disburse" }).waitFor();
    await page.goto(`${origin}/console/account`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("heading", { name: "Your account" }).waitFor();

    // The last proof is too old: the change waits for a fresh one, and then succeeds.
    for (const prove of [byPassword, byPasskey]) {
      await own.db.pool.query("update user_session set proven_at = now() - interval '1 hour'");
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByLabel("New password", { exact: true }).fill("harbour-lantern-quartz-9");
      await page.getByRole("dialog").getByRole("button", { name: "Change password" }).click();
      const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
      await prove(dialog);
      await page.getByText("Password changed").last().waitFor();
      await dialog.waitFor({ state: "hidden" });
    }
    await closed(context);
    await own.close();
  },
);

async function byPassword(dialog: Locator): Promise<void> {
  await dialog.getByLabel("Password", { exact: true }).fill("harbour-lantern-quartz-9");
  await dialog.getByRole("button", { name: "Confirm" }).click();
}

async function byPasskey(dialog: Locator): Promise<void> {
  await dialog.getByRole("button", { name: "Use a passkey" }).click();
}

/** A virtual device that stores passkeys and always confirms. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
}

inBrowser("only the page that is open is marked in the navigation", async () => {
  const { subaccountId } = await service.newCaller();
  for (const [path, name] of [
    ["payouts/import", "Imports"],
    ["accounts/import", "Imports"],
    ["payouts/new", "Payouts"],
  ]) {
    const person = service.enter("operator");
    const { page, context } = await open(`/console/s/${subaccountId}/${path}`, person);
    await page.getByRole("heading", { level: 1 }).waitFor();
    // The page of imports has a navigation of its own: its tabs.
    const marked = page.getByRole("navigation").first().locator("[aria-current=page]");
    expect(await marked.allInnerTexts()).toEqual([name]);
    await closed(context);
  }
});
