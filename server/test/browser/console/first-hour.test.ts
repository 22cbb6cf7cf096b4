// The first hour at the console: what an invitation says.

import { expect } from "vitest";
import { type ConsoleService, startConsole, type TestPerson } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { type Look, openWindow } from "../../support/console-window.ts";

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
