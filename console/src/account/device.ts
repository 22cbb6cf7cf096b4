// The browser and system of a session, roughly, so that users recognise their own.

import { accountTexts } from "../texts/account.ts";

const browsers: [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const systems: [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Mac OS X/, "macOS"],
  [/Windows/, "Windows"],
  [/Linux/, "Linux"],
];

export function deviceOf(userAgent: string): { name: string; isPhone: boolean } {
  const first = (table: [RegExp, string][]) =>
    table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const known = [first(browsers), first(systems)]
    .filter(Boolean)
    .join(accountTexts.browserOnSystem);
  return {
    name: known || userAgent || accountTexts.unknownBrowser,
    isPhone: /Mobile/.test(userAgent),
  };
}
