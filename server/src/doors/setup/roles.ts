// The roles that a process of the service can have.

/** `all`: everything in one process; `api`: only the API and the console; `worker`: only background jobs. */
export const processRoles = ["all", "api", "worker"] as const;
export type ProcessRole = (typeof processRoles)[number];
