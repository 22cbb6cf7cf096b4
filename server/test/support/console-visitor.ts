// A user with their own browser at the console of a service under test. Requests to the server are recorded.

import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { linkOf, newSetUpToken } from "../../src/users/invitation.ts";
import type { Service } from "./service.ts";

export type Visitor = Awaited<ReturnType<typeof visit>>;

const password = "harbour-lantern-quartz-9";

type Look = { colorScheme?: "light" | "dark"; viewport?: { width: number; height: number } };

const consoleUrlOf = ({ port }: Pick<Service, "port">) => `http://localhost:${port}`;

/** Follows an invitation link and chooses a password. */
export async function visit(
  browser: Browser,
  service: Service,
  { link, name, email }: { link: string; name: string; email: string },
  look: Look = {},
) {
  const context = await browser.newContext({ locale: "en-GB", ...look });
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
  await page.getByLabel("Password").first().fill(password);
  await page.locator("button[type=submit]").click();
  await page.waitForURL(/\/console\/s\//);
  return {
    page,
    complaints,
    open: async (path: string) => {
      await page.goto(`${consoleUrlOf(service)}/console${path}`);
      await untilShown(page);
    },
    close: () => context.close(),
  };
}

export async function setUpLink(service: Service): Promise<string> {
  const token = await newSetUpToken(service.db);
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
