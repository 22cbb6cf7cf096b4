// How long a secret may go on beside the one after it, as people are offered it.

const hourMs = 3_600_000;

export const graces = [
  { ms: 0, label: "Not at all: it ends now" },
  { ms: hourMs, label: "For 1 hour" },
  { ms: 24 * hourMs, label: "For 24 hours" },
  { ms: 7 * 24 * hourMs, label: "For 7 days" },
] as const;
