// Numbers, dates and typed amounts in the languages of several browsers: written as the user's language writes them, and
// read as meant or refused.

import { expect, test } from "vitest";
import { localeOf } from "../../../../console/src/state/locale.ts";
import { amountText, moneyHint, readMoney } from "../../../../console/src/state/money.ts";
import { newId } from "../../../src/platform/base/ids.ts";
import { startConsole } from "../../support/console.ts";
import { useBrowser } from "../../support/console-browser.ts";
import { ada } from "../../support/service.ts";

const locales = [
  ...["en-AU", "en-IN", "de-DE", "de-CH", "fr-CH", "fr-FR", "es-ES", "pt-PT", "sv-SE", "ja-JP"],
  ...["ar-EG", "fa-IR", "bn-BD"],
];

test.each(locales)("in %s an amount that is shown can be typed again", (locale) => {
  for (const currency of ["AUD", "JPY", "KWD", "CLF"])
    for (const amount of [0, 5, 1250, 125_000, 123_456_789, 9_007_199_254_740_991]) {
      const text = amountText(amount, currency, locale);
      const read = readMoney(text, currency, locale);
      // With three or more decimals, one group without decimals is refused; those that are shown have decimals.
      expect([locale, text, read]).toEqual([locale, text, amount]);
    }
});

test.each([
  ["de-DE", "1.250,00", 125_000],
  ["de-DE", "12,5", 1_250],
  ["de-DE", "1.250", 125_000],
  ["de-DE", "12.50", undefined],
  ["de-DE", "1,250", undefined],
  ["de-DE", "1,250.00", undefined],
  ["fr-FR", "1 250,00", 125_000],
  ["fr-FR", "12.50", undefined],
  ["de-CH", "1'250.50", 125_050],
  ["de-CH", "1’250.50", 125_050],
  ["de-CH", "12,50", undefined],
  ["en-IN", "1,25,000", 12_500_000],
  ["en-AU", "1,25,000", undefined],
  ["en-AU", "12,50", undefined],
  ["en-AU", "1.250", undefined],
  ["ja-JP", "１，２５０．００", 125_000],
  ["ar-EG", "١٬٢٥٠٫٠٠", 125_000],
  ["ar-EG", "1,250.00", 125_000],
  ["ar-EG", "١٢٬٥٠", undefined],
  ["ar-EG", "12,50", undefined],
  ["ar-EG", "١2٫٥٠", undefined],
  ["en-AU", "١٢", undefined],
  ["en-AU", "12²", undefined],
])("in %s the amount %s is read as meant, or refused", (locale, text, amount) => {
  expect(readMoney(text, "AUD", locale)).toBe(amount);
});

test("no amount is read as ten or more times of what any language means by it", () => {
  // Each text as every language may mean it: a separator that is followed by other than three digits is a decimal one.
  const texts = [
    "12,50",
    "12.50",
    "1.5",
    "1,5",
    "0.05",
    "0,05",
    "1250.5",
    "1250,5",
    "12 50",
    "12'50",
  ];
  for (const locale of locales)
    for (const text of texts) {
      const meant = Number(text.replace(/\D/, ".")) * 100;
      const read = readMoney(text, "AUD", locale);
      if (read !== undefined) expect([locale, text, read]).toEqual([locale, text, meant]);
    }
});

test("a currency with three decimals refuses one group, because it may mean decimals", () => {
  expect(readMoney("1.250", "KWD", "de-DE")).toBeUndefined();
  expect(readMoney("1,250", "KWD", "de-DE")).toBe(1_250);
  expect(readMoney("1,250", "CLF", "en-AU")).toBeUndefined();
});

test("hints name the separators of the language, and an unknown language falls back", () => {
  expect(moneyHint("EUR", "de-DE")).toBe(
    "Enter an amount like 1250,00 or 1.250,00: a comma before the decimals (at most 2), points only between thousands",
  );
  expect(moneyHint("JPY", "fr-FR")).toContain("JPY has no decimals, spaces only between thousands");
  expect(localeOf(["x-nothing", "@", "de-AT", "en"])).toBe("de-AT");
  expect(localeOf([])).toBe("en-GB");
});

const { service, browser, inBrowser } = await useBrowser(startConsole);
const caller = await service.newCaller();
const person = service.enter("operator");
const { testHelpers, receivers, receiverAccounts } = caller.disburse;
await testHelpers.fund({ amount: 1_000_000, currency: "AUD", reference: newId() });
const { receiver_id } = await receivers.create(ada({ last_name: "Weltlich" }));
await testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
const bank = { account_type: "I" as const, bsb: "062000", account_number: "12345999" };
await receiverAccounts.create({ receiver_id, ...bank });

inBrowser.each([
  ["de-DE", "10.000,00", "12.50", "1.250", "1.250,00"],
  ["ar-EG", "١٠٬٠٠٠٫٠٠", "12,50", "١٢٥٠", "١٬٢٥٠٫٠٠"],
])(
  "a browser in %s pays as typed, and shows the amount in full first",
  async (locale, available, misleading, typed, shown) => {
    const context = await browser.newContext({ locale, reducedMotion: "reduce" });
    await person.ready;
    const [name = "", value = ""] = person.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: service.baseUrl }]);
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/console/s/${caller.subaccountId}/payouts/new`);
    await page.getByRole("combobox", { name: "Receiver" }).fill("Weltlich");
    await page.getByRole("option", { name: /Weltlich/ }).click();
    await page.getByText(`Available: ${available} AUD`).waitFor();
    const amount = page.getByLabel("Amount");
    await amount.fill(misleading);
    await amount.blur();
    await page.getByText(/Enter an amount like/).waitFor();
    expect(await page.getByRole("button", { name: "Continue" }).isDisabled()).toBe(true);
    await amount.fill(typed);
    await page.getByText(`You pay ${shown} AUD`).waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: `Pay ${shown} AUD` }).waitFor();
    await context.close();
  },
);
