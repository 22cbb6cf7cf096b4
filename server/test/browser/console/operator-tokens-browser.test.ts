// Operator tokens at the console: made, approved by a second admin, used by a program, found in the audit log, and revoked.

import { expect } from "vitest";
import { startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { isWiderThanScreen, openWindow, seriousFindings } from "../../support/console-window.ts";
import { callOperator } from "../../support/operator.ts";

const { service, browser, inBrowser } = await useBrowser(startConsole);

inBrowser("a token is made, approved by another admin, used and revoked", async () => {
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const [ana, ben] = [service.enter("admin"), service.enter("admin")];
  const window = { browser, baseUrl: service.baseUrl };
  const { page, context, faults } = await openWindow(window, "/console/tokens?open=new", ana);
  const dialog = page.getByRole("dialog", { name: "New token" });
  const choose = async (label: string, option: string | RegExp) => {
    await dialog.getByRole("combobox", { name: label, exact: true }).click();
    await page.getByRole("option", { name: option }).click();
  };
  await dialog.getByLabel("Name").fill("CI");
  await dialog.getByText("It works at once").waitFor();
  await choose("Role", "Operator");
  await dialog.getByText("Another admin has to approve it").waitFor();
  await dialog.getByText(/do more than read in live mode, in all subaccounts/).waitFor();
  await choose("Subaccounts", "Some subaccounts");
  expect(await dialog.getByRole("button", { name: "New token" }).isDisabled()).toBe(true);
  await choose("Which subaccounts", /^A test/);
  await dialog.getByText(/do more than read in live mode, in A test/).waitFor();
  await dialog.getByLabel("Allowed IP addresses").fill("nowhere");
  await dialog.getByRole("button", { name: "New token" }).click();
  await dialog
    .getByLabel("Allowed IP addresses")
    .and(page.locator("[aria-invalid=true]"))
    .waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByLabel("Allowed IP addresses").fill("127.0.0.1");
  await dialog.getByRole("button", { name: "New token" }).click();

  const shown = page.getByRole("dialog", { name: "Token “CI”" });
  await shown.getByText(/-H "Authorization: Bearer \$DISBURSE_OPERATOR_TOKEN"/).waitFor();
  const token = /^ot_[\w-]{43}$/m.exec(await shown.innerText())?.[0] ?? "";
  expect(token).not.toBe("");
  const me = async () => {
    const { status, code } = await callOperator(service.baseUrl, token, "GET", "/me");
    return `${status} ${code}`.trim();
  };
  expect(await me()).toBe("403 OPER103");
  expect(await seriousFindings(page)).toEqual([]);
  await shown.getByRole("button", { name: "I have saved it" }).click();
  const row = page.getByRole("row").filter({ hasText: "CI" });
  await row.getByText("Awaiting approval").waitFor();
  expect(await row.innerText()).toMatch(/Operator[\s\S]*A test/);
  await row.getByRole("link", { name: "Open Approvals" }).waitFor();

  const other = await openWindow(window, "/console/approvals?kind=token", ben);
  const card = other.page.getByRole("article").filter({ hasText: "Operator token CI" });
  await card.getByText("A test (live)").waitFor();
  expect(await card.innerText()).toMatch(
    /Role\s+Operator[\s\S]*Allowed IP addresses\s+127\.0\.0\.1/,
  );
  await card.getByRole("button", { name: "Approve" }).click();
  await other.page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  await card.waitFor({ state: "detached" });
  expect(await me()).toBe("200");

  const path = `/s/${subaccountId}/keys`;
  const body = { name: "by program", scopes: ["read"] };
  expect((await callOperator(service.baseUrl, token, "POST", path, { body })).status).toBe(200);
  await other.page.goto(`${service.baseUrl}/console/audit?action=key.create`);
  await other.page.getByText("with token CI").waitFor();
  await other.page.getByRole("button", { name: "Key: create", exact: true }).first().click();
  const entry = other.page.getByRole("dialog");
  await entry.getByText(`${ana.person.email} with token CI`).waitFor();
  expect(other.faults).toEqual([]);
  await other.context.close();

  await page.reload();
  await row.getByText("Active").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await row.getByRole("button", { name: "Actions for CI" }).click();
  await page.getByRole("menuitem", { name: "Revoke…" }).click();
  const confirmation = page.getByRole("dialog", { name: "Revoke “CI”" });
  await confirmation.getByLabel(/^Type/).fill("CI");
  await confirmation.getByRole("button", { name: "Revoke token" }).click();
  await row.waitFor({ state: "detached" });
  expect(await me()).toBe("401 OPER102");
  await page.goto(`${service.baseUrl}/console/tokens?status=all`);
  await row.getByText("it was revoked").waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

inBrowser("an auditor reads the list on a phone and has no button to change it", async () => {
  const ana = service.enter("admin");
  await ana.post("/tokens", {
    name: "reads",
    role: "auditor",
    expires_at: Date.now() + 86_400_000,
  });
  const window = { browser, baseUrl: service.baseUrl };
  const auditor = service.enter("auditor");
  const { page, context, faults } = await openWindow(window, "/console/tokens", auditor, {
    width: 390,
    colorScheme: "dark",
  });
  await page.getByText("reads", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: /New token|Actions/ }).count()).toBe(0);
  expect(await isWiderThanScreen(page)).toBe(false);
  expect(await seriousFindings(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});
