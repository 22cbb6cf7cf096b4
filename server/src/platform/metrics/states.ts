// States that collectors of metrics read.

/** Of one sanctions list. */
export type ListState = { list: string } & Record<
  "ageSeconds" | "entries" | "waiting" | "refused",
  number
>;
export type DeliveryState = {
  /** Undefined when nothing waits. */
  oldestAgeSeconds: number | undefined;
  lanes: Record<"owned" | "open" | "disabled", number>;
  failing: Record<"1h" | "24h" | "7d", number>;
  unreadableSecrets: number;
};
