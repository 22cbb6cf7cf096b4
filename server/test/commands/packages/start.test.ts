// `disburse serve` with its embedded PostgreSQL: starts, stops, kills and messages.

import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { byNode } from "../../../src/doors/process/welcome.ts";
import { disburse, exampleCaller, type Serving, serve } from "../../support/process.ts";
import { childrenOf, isAlive } from "../../support/processes.ts";
import { ada, call } from "../../support/service.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "disburse-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// The data of a service that was started and stopped before. Creating it takes seconds, copying it is fast.
const used = mkdtempSync(join(tmpdir(), "disburse-started-"));
let usedCredentials: { key: string; secret: string };
beforeAll(async () => {
  const first = await serve({ DATA_DIR: used });
  usedCredentials = exampleCaller(first);
  await first.end();
  // The machine stays up, so no data is lost. With fsync, a recovery would first sync every file.
  appendFileSync(join(used, "postgres", "postgresql.conf"), "fsync = off\n");
});
afterAll(() => rmSync(used, { recursive: true, force: true }));

function usedFolder(): string {
  const folder = newFolder();
  // Keeps the owners of the files, which may differ from the current user.
  execFileSync("cp", ["-a", `${used}/.`, folder]);
  return folder;
}

async function start(environment: Record<string, string>): Promise<Serving> {
  const serving = await serve(environment);
  onTestFinished(async () => {
    if (serving.process.exitCode === null && serving.process.signalCode === null) {
      await serving.end();
    }
  });
  return serving;
}

function postmasterPid(dataDir: string): number {
  const file = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8");
  return Number.parseInt(file, 10);
}

test("the first start prints a working first call, and later starts keep the data", async () => {
  const DATA_DIR = newFolder();
  const first = await start({ DATA_DIR });
  const caller = exampleCaller(first);
  const { stdout, stderr } = first.output();
  expect(stderr).toContain(`${first.baseUrl}/docs`);
  const metricsUrl = /Metrics\s+(\S+)/.exec(stderr)?.[1] as string;
  expect(await (await fetch(metricsUrl)).text()).toContain("# TYPE disburse_http_requests_total");

  // Without a terminal the output has a command and a file, and no link and no secret.
  expect(stdout + stderr).not.toMatch(/set-up#|sk_test_/);
  const secretFile = join(DATA_DIR, "example-secret");
  expect(stderr).toContain(`  Secret         in ${secretFile}, `);
  expect(statSync(secretFile).mode & 0o777).toBe(0o600);
  const prefix = `DATA_DIR=${DATA_DIR} `;
  const base = `DISBURSE_BASE_URL=${first.baseUrl}`;
  expect(stderr).toContain(`  First admin    ${prefix}${base} ./disburse users setup-link\n`);
  const listen = `${prefix}${base} ./disburse events listen`;
  expect(stderr).toContain(`  Events         ${listen}`);

  const line = stderr.split("\n").find((text) => /curl -s|node -e/.test(text)) as string;
  const pasted = JSON.parse(execFileSync("sh", ["-c", line], { encoding: "utf8" }));
  expect(pasted.payload).toHaveLength(3);
  const { baseUrl: address, key, secret } = caller;
  for (const call of [{ secret }, { secretFile }]) {
    const withoutCurl = execFileSync("sh", ["-c", byNode({ address, key, ...call })]);
    expect(JSON.parse(String(withoutCurl))).toEqual(pasted);
  }

  const ids = pasted.payload.map(({ id }: { id: string }) => id);
  const accounts = await Promise.all(
    ids.map((id: string) => call(caller, "GET", `/api/receiveraccount/receiver/${id}`)),
  );
  const kinds = accounts.flatMap(({ json }) =>
    json.payload.map((account: Record<string, string>) => account.individual_or_business),
  );
  expect(kinds.sort()).toEqual(["B", "I", "I"]);

  expect(await first.end("SIGINT")).toBe(0);
  expect(statSync(join(DATA_DIR, "master.key")).mode & 0o777).toBe(0o600);

  const second = await start({ DATA_DIR });
  expect(second.output().stderr).not.toContain("sk_test_");
  expect(second.output().stderr).toContain(caller.key);
  const again = await call({ ...caller, baseUrl: second.baseUrl }, "GET", "/api/receiver");
  expect(again.json.payload).toEqual(pasted.payload);
  expect(await second.end()).toBe(0);
  const lines = second.output().stdout.trimEnd().split("\n");
  const logged = lines.map((text) => JSON.parse(text) as { msg: string; command?: string });
  expect(logged.find(({ msg }) => msg.includes("no admin yet"))?.command).toContain(
    "./disburse users setup-link",
  );
});

test("after kill -9 of the service the next start works, and keeps every acknowledged write", async () => {
  const DATA_DIR = usedFolder();
  const first = await start({ DATA_DIR });
  const caller = { ...usedCredentials, baseUrl: first.baseUrl };
  const pid = postmasterPid(DATA_DIR);
  const created = await call(caller, "POST", "/api/receiver", { body: ada() });
  await first.end("SIGKILL");

  const second = await start({ DATA_DIR });
  const id = created.json.payload.receiver_id;
  const read = await call({ ...caller, baseUrl: second.baseUrl }, "GET", `/api/receiver/${id}`);
  expect(read.status).toBe(200);
  expect(isAlive(pid)).toBe(false);
});

test("after kill -9 of PostgreSQL the service restarts it", async () => {
  const DATA_DIR = usedFolder();
  const serving = await start({ DATA_DIR });
  const caller = { ...usedCredentials, baseUrl: serving.baseUrl };
  const created = await call(caller, "POST", "/api/receiver", { body: ada() });
  process.kill(postmasterPid(DATA_DIR), "SIGKILL");

  const path = `/api/receiver/${created.json.payload.receiver_id}`;
  const statuses = new Set<number>();
  await expect
    .poll(
      async () => {
        const { status } = await call(caller, "GET", path);
        statuses.add(status);
        return status;
      },
      { timeout: 60_000 },
    )
    .toBe(200);
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(await serving.end()).toBe(0);
});

test("after kill -9 of the service and PostgreSQL the next start works", async () => {
  const DATA_DIR = usedFolder();
  const first = await start({ DATA_DIR });
  process.kill(postmasterPid(DATA_DIR), "SIGKILL");
  await first.end("SIGKILL");
  const second = await start({ DATA_DIR });
  expect((await fetch(`${second.baseUrl}/readyz`)).status).toBe(200);
});

test("a left-over PostgreSQL without its guardian is found and replaced", async () => {
  const DATA_DIR = usedFolder();
  const first = await start({ DATA_DIR });
  const pid = postmasterPid(DATA_DIR);
  const guardian = childrenOf(first.process.pid as number).find(({ command }) => command === "sh")
    ?.pid as number;
  for (const { pid, command } of childrenOf(guardian)) {
    if (command === "sh") process.kill(pid, "SIGKILL");
  }
  process.kill(guardian, "SIGKILL");
  await first.end("SIGKILL");
  expect(isAlive(pid)).toBe(true);

  const second = await start({ DATA_DIR });
  expect((await fetch(`${second.baseUrl}/readyz`)).status).toBe(200);
  expect(isAlive(pid)).toBe(false);
});

test("a second start on the same data is refused, and does not disturb the first", async () => {
  const DATA_DIR = usedFolder();
  const first = await start({ DATA_DIR });
  const { code, stderr } = await disburse(["serve"], { DATA_DIR, PORT: "0" });
  expect(code).toBe(1);
  expect(stderr).toContain("running already");
  expect(stderr).toContain(`process ${first.process.pid}`);
  expect((await fetch(`${first.baseUrl}/readyz`)).status).toBe(200);
});

test.each(["PORT", "ADMIN_PORT"])(
  "a port that is in use is reported with its setting %s",
  async (name) => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const DATA_DIR = usedFolder();
    const { code, stderr } = await disburse(["serve"], {
      DATA_DIR,
      PORT: "0",
      [name]: String(port),
    });
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use`);
    expect(stderr).toContain(`set ${name} to another`);
    expect(() => postmasterPid(DATA_DIR)).toThrow();
  },
);

test("a first start on a port that is in use creates no key, so the next one shows it", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const DATA_DIR = newFolder();
  const failed = await disburse(["serve"], { DATA_DIR, PORT: String(port), ADMIN_PORT: "0" });
  expect(failed.stderr).toContain("is in use");
  const caller = exampleCaller(await start({ DATA_DIR }));
  expect((await call(caller, "GET", "/api/receiver")).status).toBe(200);
});

test("a database that has lost its master key is refused, and its folder stays as it is", async () => {
  const DATA_DIR = usedFolder();
  rmSync(join(DATA_DIR, "master.key"));
  const before = readdirSync(DATA_DIR, { recursive: true }).sort();
  for (const command of ["serve", "migrate"]) {
    const { code, stderr } = await disburse([command], { DATA_DIR, PORT: "0" });
    expect([command, code]).toEqual([command, 4]);
    expect(stderr).toContain("has lost its master key");
  }
  expect(readdirSync(DATA_DIR, { recursive: true }).sort()).toEqual(before);
});

test("every problem of the configuration is reported at once, with exit code 2", async () => {
  const { code, stderr } = await disburse(["serve"], {
    PORT: "http",
    LOG_LEVEL: "loud",
    SIGNATURE_WINDOW_S: "901",
    DATABASE_URL: "mysql://x",
    CONSOLE_URL: "http://pay.example.com",
    OIDC_ISSUER: "https://id.example.com",
  });
  expect(code).toBe(2);
  for (const name of [
    "PORT",
    "LOG_LEVEL",
    "SIGNATURE_WINDOW_S",
    "DATABASE_URL",
    "DISBURSE_MASTER_KEY",
    "CONSOLE_URL",
    "OIDC_CLIENT_ID",
    "OIDC_CLIENT_SECRET",
  ]) {
    expect(stderr).toMatch(new RegExp(`^  ${name} `, "m"));
  }
});

test("a wrong master key is reported at the start", async () => {
  const DATA_DIR = usedFolder();
  const DISBURSE_MASTER_KEY = Buffer.alloc(32, 7).toString("base64");
  const { code, stderr } = await disburse(["serve"], { DATA_DIR, PORT: "0", DISBURSE_MASTER_KEY });
  expect(code).toBe(1);
  expect(stderr).toContain("master key is not the one");
});

test("production does not start without DATABASE_URL", async () => {
  const DATA_DIR = newFolder();
  const { code, stderr } = await disburse(["serve"], { NODE_ENV: "production", DATA_DIR });
  expect(code).toBe(2);
  expect(stderr).toContain("DATABASE_URL must be set");
});

test("the data folder may be private to its owner and deeply nested", async () => {
  const folder = newFolder();
  const DATA_DIR = join(folder, "closed", "a".repeat(60), "b".repeat(60), "data");
  mkdirSync(DATA_DIR, { recursive: true });
  chmodSync(join(folder, "closed"), 0o700);
  const serving = await start({ DATA_DIR });
  expect((await fetch(`${serving.baseUrl}/readyz`)).status).toBe(200);
  expect(await serving.end()).toBe(0);
});
