// A user with their own browser at the console of a service under test. Every page is looked at for faults.

import { stringify } from "csv-stringify/sync";
import type { Browser, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { linkOf, newSetUpTokens } from "../../src/tenants/users/invitation.ts";
import { isWiderThanScreen, seriousFindings } from "./console-window.ts";
import type { Service } from "./service.ts";

export type Visitor = Awaited<ReturnType<typeof visit>>;

const password = "harbour-lantern-quartz-9";

type VisitorLook = { colorScheme?: "light" | "dark"; viewport?: { width: number; height: number } };

const consoleUrlOf = ({ port }: Pick<Service, "port">) => `http://localhost:${port}`;

/** Follows an invitation link and chooses a password. */
export async function visit(
  browser: Browser,
  service: Service,
  { link, name, email }: { link: string; name: string; email: string },
  look: VisitorLook = {},
) {
  const context = await browser.newContext({
    locale: "en-GB",
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    ...look,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const { host } = new URL(request.url());
    if (host && host !== `localhost:${service.port}`) complaints.push(`left for ${request.url()}`);
  });

  await page.goto(link);
  await page.getByLabel("Name").fill(name);
  const address = page.getByLabel("Email");
  if (await address.isEditable()) await address.fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.locator("button[type=submit]").click();
  await page.getByRole("banner").waitFor();
  await untilShown(page);
  const main = page.getByRole("main");

  /** Expects an accessible page that fits the screen. */
  const inspect = async () => {
    await untilShown(page);
    expect(await seriousFindings(page)).toEqual([]);
    expect(await isWiderThanScreen(page)).toBe(false);
  };

  return {
    page,
    context,
    complaints,
    main,
    inspect,
    /** Loads the page of this path. */
    open: async (path: string) => {
      await page.goto(`${consoleUrlOf(service)}/console${path}`);
      await untilShown(page);
    },
    /** Goes to a page by the menu, without loading the document again. */
    go: async (name: string, heading: string | RegExp = name) => {
      // A badge may follow the name.
      const link = new RegExp(`^${name}( |$)`);
      const inNavigation = page.getByRole("navigation", { name: "Main" }).getByRole("link", {
        name: link,
      });
      // The quickstart comes there with its steps, and leaves with them.
      if (await inNavigation.count()) await inNavigation.click();
      else {
        await openOrganisationMenu(page);
        await page.getByRole("menuitem", { name: link }).click();
      }
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await inspect();
    },
    press: (name: string | RegExp, within: Locator = main) =>
      within.getByRole("button", { name }).first().click(),
    dialog: (name?: string | RegExp) => page.getByRole("dialog", name ? { name } : {}),
    /** The text that a click on an element copies. */
    copied: async (chip: Locator): Promise<string> => {
      await chip.click();
      return page.evaluate(() => navigator.clipboard.readText());
    },
    close: () => context.close(),
  };
}

export async function openOrganisationMenu(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Organisation" }).click();
  await page.getByRole("menu").waitFor();
}

export async function choose(within: Page | Locator, label: string, option: string | RegExp) {
  await within.getByRole("combobox", { name: label }).click();
  const page = "page" in within ? within.page() : within;
  await page.getByRole("option", { name: option }).first().click();
}

/** Types a receiver in Australia into the form of a new one. */
export async function fillNewReceiver(
  page: Page,
  { first, last }: { first: string; last: string },
): Promise<void> {
  await page.getByLabel("First name").fill(first);
  await page.getByLabel("Last name").fill(last);
  await page.getByLabel("Date of birth").fill("1990-12-10");
  await choose(page, "Gender", "Female");
  await page.getByLabel("Email").fill(`${first.toLowerCase()}@example.com`);
  await page.getByLabel("Dial code").fill("61");
  await page.getByLabel("Phone").fill("412 345 678");
  await page.getByRole("combobox", { name: "Country" }).fill("austra");
  await page.getByRole("option", { name: "Australia (AUS)" }).click();
  await page.getByRole("textbox", { name: "Address", exact: true }).fill("1 St. Kilda Road");
  await page.getByLabel("City").fill("Melbourne");
  await choose(page, "State", /^VIC|Victoria/);
  await page.getByLabel("Postcode").fill("3004");
}

/** The first words of what changes something. */
const changes =
  /^(new|create|add|import|invite|edit|change|save|approve|decline|reject|release|refuse|cancel|retry|resend|send|pause|resume|rotate|revoke|disable|enable|delete|freeze|discard|close (month|account)|apply|match|split|return|undo|assign|propose|withdraw|confirm|erase|simulate|pay|upload|record|request|take|give|restart)\b/i;

/** Opens every page of the menu and these, and returns the buttons and links there that change something. */
export async function changingActs(
  { page, main, go, open }: Visitor,
  paths: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  const look = async (where: string) => {
    const buttons = await main.getByRole("button").all();
    for (const act of [...buttons, ...(await main.getByRole("link").all())]) {
      const name = ((await act.getAttribute("aria-label")) ?? (await act.innerText())).trim();
      // The head of a step on Quickstart opens it.
      const isHead = (await act.getAttribute("aria-expanded")) !== null;
      if (!isHead && changes.test(name)) found.push(`${where}: ${name}`);
    }
    expect(await page.getByText("Your role may not do this").count()).toBe(0);
  };
  const links = await page.getByRole("navigation").getByRole("link").allInnerTexts();
  await openOrganisationMenu(page);
  const items = await page.getByRole("menuitem").allInnerTexts();
  await page.keyboard.press("Escape");
  // Without their badges and whose pages they are.
  const names = [...links, ...items].map((text) => text.split(/\n| \d/)[0]?.trim() ?? "");
  for (const name of new Set(names)) {
    if (name === "Docs") continue;
    await go(name, /./);
    await look(name);
  }
  for (const path of paths) {
    await open(path);
    await look(path);
  }
  return found;
}

/** A file to choose on a page. */
export function csvFile(name: string, rows: object[]) {
  const buffer = Buffer.from(stringify(rows, { header: true }));
  return { name, mimeType: "text/csv", buffer };
}

/** The sessions of a user begin at this time. The sign-in library has a clock of its own, which tests can't move. */
export async function moveSessions(
  { db }: Pick<Service, "db">,
  email: string,
  atMs: number,
): Promise<void> {
  await db.pool.query(
    `update user_session set created_at = $2, seen_at = $2, proven_at = $2, expires_at = $3
     where user_id = (select id from console_user where email = $1)`,
    [email, new Date(atMs), new Date(atMs + 3_600_000)],
  );
}

export async function setUpLink(service: Service): Promise<string> {
  const token = (await newSetUpTokens(service.db))?.first;
  if (!token) throw new Error("a user is set up already");
  return linkOf(consoleUrlOf(service), token);
}

/** Waits until the page has its heading and has loaded its data. */
export async function untilShown(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(
    () => !document.querySelector("[aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root"),
  );
}

/** Checks the server's responses: the text of a page alone proves nothing. */
export async function expectAsked(
  { logged }: Pick<Service, "logged">,
  method: string,
  route: string,
  status = 200,
): Promise<void> {
  await expect
    .poll(() =>
      logged.some((line) => {
        const { method: m, route: r, status: s } = JSON.parse(line) as Record<string, unknown>;
        return m === method && r === `/console/api${route}` && s === status;
      }),
    )
    .toBe(true);
}
