// `disburse serve --role worker` as a process that delivers events to this machine.

import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { type Serving, serve } from "./process.ts";

/** A database, and the settings that a process needs to use it. */
export type ServiceParts = { db: Db; seal: Seal; url: string; masterKey: Buffer };

type WorkerOptions = {
  /** Its application_name in PostgreSQL. */
  name?: string;
  /** The folder of the compile cache, for a process that is started often. */
  compiled?: string;
};

export function startWorker(
  { url, masterKey }: Pick<ServiceParts, "url" | "masterKey">,
  { name = "worker", compiled }: WorkerOptions = {},
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
