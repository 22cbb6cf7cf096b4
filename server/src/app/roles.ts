// What a process of the service does.

/** Everything in one process; only the answers; or only what goes on behind them. */
export const processRoles = ["all", "api", "worker"] as const;
export type ProcessRole = (typeof processRoles)[number];
