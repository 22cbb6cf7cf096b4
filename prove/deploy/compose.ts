// compose.yaml as it is, but with another port of the machine: PostgreSQL, the API, a worker and HAProxy with TLS.

import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, fetch as fetchWith } from "undici";
import { parse } from "yaml";
import { version } from "../../server/src/platform/base/version.ts";
import { freePort } from "../../server/test/support/free-port.ts";
import { makePayout, newSubaccount, waitUntilReady } from "./caller.ts";
import { command } from "./command.ts";
import { stopContainer } from "./image.ts";
import type { Podman } from "./podman.ts";

const deploy = join(import.meta.dirname, "..", "..", "deploy");
/** A name that no other Compose of this machine has. */
const project = "disburse-prove";
const containerOf = (service: string) => `${project}_${service}_1`;

type Compose = {
  services: Record<string, { healthcheck?: { test: string[] } }>;
  networks: { default: { ipam: { config: { subnet: string }[] } } };
};

export async function tryCompose(podman: Podman, folder: string): Promise<string[]> {
  cpSync(deploy, folder, { recursive: true });
  const here = join(folder, "container");
  const port = await freePort();
  const file = join(here, "compose.yaml");
  const text = readFileSync(file, "utf8").replace('"443:8443"', `"${port}:8443"`);
  writeFileSync(file, text);
  const { services, networks } = parse(text, { merge: true }) as Compose;
  const ca = makeCertificate(join(here, "certs"));
  const env = {
    ...podman.env,
    VERSION: version,
    CONSOLE_URL: `https://localhost:${port}`,
    POSTGRES_PASSWORD: randomBytes(24).toString("hex"),
    OWNER_PASSWORD: randomBytes(24).toString("hex"),
    APP_PASSWORD: randomBytes(24).toString("hex"),
    DISBURSE_MASTER_KEY: randomBytes(32).toString("base64"),
  };
  const compose = (...words: string[]) =>
    command("podman-compose", ["-p", project, ...words], { env, cwd: here });
  // podman-compose of Debian 12 knows no subnets.
  const [{ subnet } = { subnet: "" }] = networks.default.ipam.config;
  podman.run("network", "create", "--subnet", subnet, `${project}_default`);
  compose("up", "-d");
  try {
    return await use();
  } finally {
    compose("down", "-t", "45", "--volumes");
    podman.succeeds("network", "rm", "--force", `${project}_default`);
  }

  /** Uses the running services, and returns what is wrong. */
  async function use(): Promise<string[]> {
    const base = `https://localhost:${port}`;
    const dispatcher = new Agent({ connect: { ca } });
    const trusting = ((url: string, options: object) =>
      fetchWith(url, { ...options, dispatcher })) as unknown as typeof fetch;
    const late = await waitUntilReady(`${base}/readyz`, trusting);
    if (late)
      return [late, ...Object.keys(services).map((name) => podman.logsOf(containerOf(name)))];
    const program = "node_modules/.bin/disburse";
    const link = compose("exec", "-T", "api", program, "users", "setup-link");
    // podman-compose also prints how the command ended.
    const [key = ""] =
      /\{[^}]*\}/.exec(compose("exec", "-T", "api", program, ...newSubaccount)) ?? [];
    const complaints = [
      link.includes(`${base}/console`) ? undefined : `users setup-link printed ${link}`,
      await makePayout(base, key, trusting),
      ...Object.entries(services).map(([name, { healthcheck }]) => {
        // Its words, in the container: podman-compose of Debian 12 quotes them wrongly.
        const [, ...words] = healthcheck?.test ?? [];
        const isHealthy = !healthcheck || podman.succeeds("exec", containerOf(name), ...words);
        return isHealthy ? undefined : `the health check of ${name} fails`;
      }),
      ...["api", "worker"].map((name) => stopContainer(podman, containerOf(name))),
    ];
    await dispatcher.close();
    return complaints.filter((complaint) => complaint !== undefined);
  }
}

/** Writes the file with certificate and key, and returns the certificate for callers to trust. */
function makeCertificate(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const [key, certificate] = ["key", "certificate"].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...names];
  command("openssl", [...words, "-keyout", key, "-out", certificate]);
  const ca = readFileSync(certificate, "utf8");
  const both = `${ca}${readFileSync(key, "utf8")}`;
  command("rm", [key, certificate]);
  writeFileSync(join(folder, "localhost.pem"), both);
  return ca;
}
