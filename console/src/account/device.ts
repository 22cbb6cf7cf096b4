// The browser and system of a session, roughly, or the computer of a command line, so that users recognise their own.

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

type Device = { name: string; kind: "browser" | "phone" | "command line" };

export function deviceOf(userAgent: string): Device {
  const [, client] = /^disburse on (\S+)$/.exec(userAgent) ?? [];
  if (client) return { name: `Command line on ${client}`, kind: "command line" };
  const first = (table: [RegExp, string][]) =>
    table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const known = [first(browsers), first(systems)].filter(Boolean).join(" on ");
  return {
    name: known || userAgent || "Unknown browser",
    kind: /Mobile/.test(userAgent) ? "phone" : "browser",
  };
}
