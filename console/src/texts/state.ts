// The texts of state/: times and actors.

export const stateTexts = {
  justNow: "just now",
  ago: (span: string) => `${span} ago`,
  in: (span: string) => `in ${span}`,
  now: "now",
  apiKey: (name: string) => `API key ${name}`,
  command: (user: string, claimed: string) =>
    claimed ? `${user} (command line, gave the name “${claimed}”)` : `${user} (command line)`,
  bank: "Bank",
  bankNamed: (name: string) => `Bank (${name})`,
  identityCheckBy: (provider: string) => `Identity check (${provider})`,
} as const;
