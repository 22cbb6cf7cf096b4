// The first hour at the console: what an invitation says, and how the first two admins set up their accounts.

import { expect, onTestFinished } from "vitest";
import { newSetUpTokens } from "../../../src/tenants/users/invitation.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import {
  isWiderThanScreen,
  type Look,
  openWindow,
  seriousFindings,
} from "../../support/console-window.ts";

let service: ConsoleService;

const { browser, inBrowser } = await useBrowser(async () => {
  service = await startConsole();
  return service;
});

const open = (path: string, person?: TestPerson, look?: Look) =>
  openWindow({ browser, baseUrl: service.baseUrl }, path, person, look);

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
