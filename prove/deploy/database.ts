// The PostgreSQL of an example, in a container.

import { randomBytes } from "node:crypto";
import { postgresImage } from "./images.ts";
import { network, type Podman } from "./podman.ts";

export type Database = { name: string; url: string; masterKey: string };

export function startDatabase(podman: Podman, name: string): Database {
  const password = randomBytes(12).toString("hex");
  const values = { USER: "disburse", DB: "disburse", PASSWORD: password };
  const environment = Object.entries(values).flatMap((pair) => [
    "--env",
    `POSTGRES_${pair.join("=")}`,
  ]);
  podman.run(
    "run",
    "--detach",
    "--name",
    name,
    "--network",
    network,
    ...environment,
    postgresImage,
  );
  const url = `postgres://disburse:${password}@${podman.addressOf(name)}:5432/disburse`;
  return { name, url, masterKey: randomBytes(32).toString("base64") };
}
