// The first hour at the console: invitations, the accounts of the first two admins, sample data, and the quickstart of each role.

import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { newSetUpTokens } from "../../../src/tenants/users/invitation.ts";
import { startConsole, type TestPerson } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import {
  isWiderThanScreen,
  type Look,
  openWindow,
  seriousFindings,
} from "../../support/console-window.ts";

const { service, browser, inBrowser } = await useBrowser(() =>
  startConsole({ bankDelayMs: 86_400_000 }),
);

const open = (path: string, person?: TestPerson, look?: Look) =>
  openWindow({ browser, baseUrl: service.baseUrl }, path, person, look);

async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
}

const momentWithZone = /until \d+ \w+, \d\d:\d\d UTC/;

inBrowser(
  "an invitation says until when its link works, and from when the user counts",
  async () => {
    const admin = service.enter("admin");
    const { page, context, faults } = await open("/console/users", admin);
    await page.getByRole("button", { name: "Invite user" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("count as one until another admin confirms the user").waitFor();
    await dialog.getByLabel("Email").fill("ira@example.com");
    await dialog.getByRole("button", { name: "Create invite link" }).click();
    await dialog.getByText(momentWithZone).waitFor();
    await dialog.getByText(/You and ira@example.com count as one user/).waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row", { name: /ira@example.com/ });
    await row.getByText(momentWithZone).waitFor();
    await row.getByText("From then on the user can be confirmed in any case.").waitFor();
    expect(await page.getByText(/(until|from) in \d/).count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  },
);

inBrowser(
  "the first admins set up their accounts with passkeys, and sign in with them",
  async () => {
    const own = await startConsole();
    onTestFinished(own.close);
    const links = await newSetUpTokens(own.db);
    const origin = `http://localhost:${own.port}`;
    const setUp = async (token: string | undefined, name: string) => {
      const window = { browser, baseUrl: origin };
      const opened = await openWindow(window, `/console/set-up#${token}`, undefined);
      const { page } = opened;
      await addAuthenticator(page);
      await page.getByLabel("Name").fill(name);
      await page.getByLabel("Email").fill(`${name.toLowerCase()}@example.com`);
      await page.getByText("By passkey").click();
      await page.getByText("There is no password to remember.").waitFor();
      expect(await page.getByLabel("Password", { exact: true }).count()).toBe(0);
      expect(await seriousFindings(page)).toEqual([]);
      const create = () =>
        page.getByRole("button", { name: "Create account with a passkey" }).click();
      return { ...opened, create };
    };
    const mara = await setUp(links?.first, "Mara");
    await mara.create();
    await mara.page.getByText("No subaccounts yet").waitFor();

    const noor = await setUp(links?.second, "Noor");
    await noor.page.getByLabel("I know Mara (mara@example.com), and I am another person.").check();
    await noor.create();
    await noor.page.getByText("No subaccounts yet").waitFor();

    await noor.page.goto(`${origin}/console/account`);
    await noor.page.getByText("First passkey").waitFor();
    await noor.page.context().clearCookies();
    await noor.page.goto(`${origin}/console/sign-in`);
    await noor.page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await noor.page.getByText("No subaccounts yet").waitFor();
    const { rows } = await own.db.pool.query(
      `select u.email, (select count(*)::int from user_passkey p where p.user_id = u.id) as passkeys,
         (select count(*)::int from user_credential c where c.user_id = u.id) as passwords
       from console_user u order by u.email`,
    );
    expect(rows).toEqual([
      { email: "mara@example.com", passkeys: 1, passwords: 0 },
      { email: "noor@example.com", passkeys: 1, passwords: 0 },
    ]);
    expect([...mara.faults, ...noor.faults]).toEqual([]);
    for (const { context } of [mara, noor]) await context.close();
  },
);

inBrowser(
  "the second admin opens the other link and confirms that the first is another person",
  async () => {
    const own = await startConsole();
    onTestFinished(own.close);
    const links = await newSetUpTokens(own.db);
    const setUp = async (token: string | undefined, name: string, look: Look) => {
      const window = { browser, baseUrl: `http://localhost:${own.port}` };
      const opened = await openWindow(window, `/console/set-up#${token}`, undefined, look);
      const { page } = opened;
      await page.getByLabel("Name").fill(name);
      await page.getByLabel("Email").fill(`${name.toLowerCase()}@example.com`);
      await page.getByLabel("Password", { exact: true }).fill("harbour-lantern-quartz-9");
      expect(await seriousFindings(page)).toEqual([]);
      expect(await isWiderThanScreen(page)).toBe(false);
      return {
        ...opened,
        create: () => page.getByRole("button", { name: "Create account" }).click(),
      };
    };
    const mara = await setUp(links?.first, "Mara", { width: 1280 });
    await mara.page.getByText("You become the first admin.").waitFor();
    await mara.create();
    await mara.page.getByText("No subaccounts yet").waitFor();

    const noor = await setUp(links?.second, "Noor", { width: 390, colorScheme: "dark" });
    await noor.page.getByText("You become the second admin, and confirm the first.").waitFor();
    await noor.page.getByText(/set up their account on \d+ \w+, \d\d:\d\d UTC/).waitFor();
    await noor.create();
    // The browser asks for the box first.
    await noor.page.getByText("You become the second admin").waitFor();
    await noor.page.getByLabel("I know Mara (mara@example.com), and I am another person.").check();
    await noor.create();
    await noor.page.getByText("No subaccounts yet").waitFor();

    await mara.page.goto(`http://localhost:${own.port}/console/users`);
    const row = mara.page.getByRole("row", { name: /mara@example.com/ });
    await row.getByText(/First admin. noor@example.com used the second set-up link/).waitFor();
    expect([...mara.faults, ...noor.faults]).toEqual([]);
    for (const { context } of [mara, noor]) await context.close();
  },
);

inBrowser.each([
  ["light", 1280],
  ["dark", 390],
] as const)("sample data comes and goes by a button, %s at %i px", async (colorScheme, width) => {
  const { subaccountId } = await service.newCaller({ isAlone: true });
  const path = `/console/s/${subaccountId}/quickstart`;
  const { page, context, faults } = await open(path, service.enter("admin"), {
    colorScheme,
    width,
  });
  await page.getByRole("button", { name: "Add sample data" }).click();
  await page.getByText("Sample data added").waitFor();
  await page.getByText("This subaccount has sample data, named Sample.").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await isWiderThanScreen(page)).toBe(false);
  await page.goto(`${service.baseUrl}/console/s/${subaccountId}/payouts`);
  for (const amount of ["125.00", "480.50", "99.00", "1,250.00", "310.00"]) {
    await page.getByText(amount).first().waitFor();
  }
  await page.goto(`${service.baseUrl}${path}`);
  await page.getByRole("button", { name: "Remove sample data" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove the sample data?" });
  await dialog.getByText("nothing in them is deleted").waitFor();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await page.getByText("Sample data removed").waitFor();
  await page.getByRole("button", { name: "Remove sample data" }).waitFor({ state: "detached" });
  expect(faults).toEqual([]);
  await context.close();
});

inBrowser.each([
  ["finance", "You have done 0 of 3 steps.", "Close a month", 1280],
  ["compliance", "You have done 0 of 2 steps.", "Decide a case", 390],
  ["approver", "You have done 0 of 1 step.", "Approve a payout", 1280],
] as const)("the quickstart of %s is first in the navigation", async (role, told, step, width) => {
  const { subaccountId } = await service.newCaller();
  const path = `/console/s/${subaccountId}/quickstart`;
  const { page, context, faults } = await open(path, service.enter(role), { width });
  await page.getByText(told).waitFor();
  await page.getByRole("button", { name: step }).waitFor();
  if (width === 390) await page.getByRole("button", { name: "Open menu" }).click();
  const first = page.getByRole("navigation", { name: "Main" }).getByRole("link").first();
  await first.and(page.getByRole("link", { name: "Quickstart" })).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await isWiderThanScreen(page)).toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});
