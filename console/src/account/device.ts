// The browser and system of a session, roughly, so that users recognise their own.

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
  const known = [first(browsers), first(systems)].filter(Boolean).join(" on ");
  return {
    name: known || userAgent || "Unknown browser",
    isPhone: /Mobile/.test(userAgent),
  };
}
