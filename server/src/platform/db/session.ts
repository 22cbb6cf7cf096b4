// The settings of each connection: servers, timeouts, role and plan mode.

import type pg from "pg";
import { limits } from "../limits/index.ts";
import { readDatabaseUrl } from "../settings/index.ts";
import { connectionLimits } from "./connection-limits.ts";
import { Primary } from "./primary.ts";

/** As PostgreSQL shows them. */
export const sessionSettings = {
  statement_timeout: `${limits.statementTimeoutMs / 1000}s`,
  idle_in_transaction_session_timeout: `${limits.statementTimeoutMs / 1000}s`,
  // Every statement has one good plan. By default PostgreSQL would plan statements with arrays on each call, which costs
  // more than running them.
  plan_cache_mode: "force_generic_plan",
} as const;

type SessionOptions = {
  /** Statements run under this role, which has fewer rights than the login role. */
  role?: string | undefined;
  isReadOnly?: boolean | undefined;
  /** A pooler gives each transaction another session, so the settings must be on the login role. */
  isPooled: boolean;
};

/** How to connect. `more` are settings of one pool, as `-c name=value`. */
export type SessionConfig = (more?: string) => pg.ClientConfig & { primary: Primary };

export function sessionOf(connection: pg.ClientConfig, options: SessionOptions): SessionConfig {
  const { role, isPooled, isReadOnly } = options;
  const { connectionString, ...rest } = connection;
  const address = connectionString ? readDatabaseUrl(connectionString) : undefined;
  const servers = address?.servers.map((connectionString) => ({ connectionString })) ?? [{}];
  const settings = {
    ...rest,
    // A session that may only read would be taken for a server that only reads.
    primary: new Primary(servers, { isChecked: !isPooled && !isReadOnly }),
    application_name: connection.application_name ?? "disburse",
    connectionTimeoutMillis: limits.statementTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: connectionLimits.keepAliveMs,
  };
  const given = address?.options ?? "";
  if (isPooled) return () => ({ ...settings, ...(given && { options: given }) });
  const readOnly = isReadOnly && { default_transaction_read_only: "on" };
  const ours = Object.entries({ ...sessionSettings, ...(role && { role }), ...readOnly });
  const inOptions = ours.map(([name, value]) => `-c ${name}=${value}`).join(" ");
  return (more = "") => ({ ...settings, options: `${given} ${inOptions} ${more}`.trim() });
}
