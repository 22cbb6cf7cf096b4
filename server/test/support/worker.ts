// `disburse serve --role worker` as a process that tells events to this machine.

import type { Db } from "../../src/db/connect.ts";
import type { Seal } from "../../src/seal.ts";
import { type Serving, serve } from "./process.ts";

/** A database, and what a process of its own needs to work on it. */
export type ServiceParts = { db: Db; seal: Seal; url: string; masterKey: Buffer };

export type WorkerWish = {
  /** By which PostgreSQL knows it. */
  name?: string;
  /** Where what is compiled is kept, for a process that is started often. */
  compiled?: string;
};

export function startWorker(
  { url, masterKey }: Pick<ServiceParts, "url" | "masterKey">,
  { name = "worker", compiled }: WorkerWish = {},
): Promise<Serving> {
  const environment = {
    NODE_COMPILE_CACHE: compiled,
    NODE_ENV: "production",
    DATABASE_URL: `${url}&application_name=${name}`,
    DISBURSE_MASTER_KEY: masterKey.toString("base64"),
    ADMIN_PORT: "0",
    POSTBACK_ADDRESSES: "loopback",
    LOG_LEVEL: "error",
  };
  return serve(environment, ["--role", "worker"]);
}
