// The packed files, installed into an empty folder by the machine's own npm: the client with import and require, and the
// service until it is ready.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pack } from "../../server/pack.ts";
import { version } from "../../server/src/platform/base/version.ts";
import { machinePath } from "../../server/test/support/machine-node.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { failureOf } from "../failure.ts";

const startedWithinMs = 120_000;

export const packages: Campaign = {
  promise: "npm install of the packed files is enough: the client works, and the service starts",
  runs: 1,
  missing,
  prove,
};

/** Outside of this repository, without the settings that npm gives to its scripts. */
const env = { PATH: machinePath, HOME: process.env.HOME };

function missing(): string | undefined {
  const { status } = spawnSync("npm", ["ping", "--silent"], {
    env,
    timeout: 20_000,
    cwd: tmpdir(),
  });
  return status === 0 ? undefined : "npm reaches no registry here";
}

async function prove({ seed, onRun }: CampaignParts): Promise<Proved> {
  const folder = mkdtempSync(join(tmpdir(), "disburse-packages-"));
  try {
    const shop = join(folder, "shop");
    mkdirSync(shop);
    const files = await pack(join(folder, "packed"));
    const words = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
    execFileSync("npm", [...words, ...files], { env, cwd: shop, stdio: ["ignore", 2, 2] });
    const node = execFileSync("node", ["--version"], { env, encoding: "utf8" }).trim();
    const complaints = [...tryClient(shop), ...(await tryService(shop))];
    onRun(1);
    const installed = readdirSync(join(shop, "node_modules")).length;
    const counts = { packages: { [`installed by Node ${node}`]: installed } };
    return { runs: 1, steps: 4, counts, ...failureOf(seed, complaints) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tryClient(shop: string): string[] {
  const program = "console.log(typeof Disburse, typeof webhooks.verify, typeof signV2)";
  const names = "{ Disburse, signV2, webhooks }";
  writeFileSync(join(shop, "a.mjs"), `import ${names} from "@disburse/client";\n${program}`);
  writeFileSync(join(shop, "b.cjs"), `const ${names} = require("@disburse/client");\n${program}`);
  return ["a.mjs", "b.cjs"].flatMap((file) => {
    const { stdout, stderr } = spawnSync("node", [file], { env, cwd: shop, encoding: "utf8" });
    const isRight = stdout.trim() === "function function function";
    return isRight ? [] : [`${file}: ${stdout}${stderr}`];
  });
}

async function tryService(shop: string): Promise<string[]> {
  const command = join(shop, "node_modules", ".bin", "disburse");
  const printed = execFileSync(command, ["--version"], { env, encoding: "utf8" }).trim();
  const service = spawn(command, ["serve"], {
    cwd: shop,
    env: { ...env, PORT: "0", DATA_DIR: join(shop, "data") },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(service, "exit");
  let said = "";
  service.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const base = () => /Base address\s+(\S+)/.exec(said)?.[1];
  const untilMs = Date.now() + startedWithinMs;
  let statuses: number[] = [];
  while (statuses.length === 0 && Date.now() < untilMs && service.exitCode === null) {
    await sleep(200);
    const address = base();
    if (address) statuses = await Promise.all(["/readyz", "/console"].map(statusOf(address)));
  }
  service.kill("SIGTERM");
  const [code] = await ended;
  const complaints = [];
  if (printed !== version) complaints.push(`disburse --version printed ${printed}`);
  if (statuses.join() !== "200,200") complaints.push(`/readyz and /console: ${statuses}\n${said}`);
  if (code !== 0) complaints.push(`disburse serve ended with ${code}`);
  return complaints;
}

const statusOf = (address: string) => async (path: string) =>
  (await fetch(`${address}${path}`)).status;
