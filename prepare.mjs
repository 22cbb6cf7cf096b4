// @ts-check
// Installs what the lock file names, as far as a command needs it: `--for start` is enough to build the console and to
// serve, `test` adds what tests and checks need, `all` the packaged browser and the tools for OpenAPI documents; `client`
// is enough to build the client.
// Plain JavaScript, because the machine's own Node runs it: where that is older than 24, a Node 24 is installed too.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));
const nodeMajor = 24;

/** Folders whose packages are installed; "." is the root with its packages for development. */
const start = ["server", "console"];
const client = ["client"];
const test = [...start, ...client, "."];
const all = [...test, "prove/openapi-client", "tools/browser"];
const folders = { start, client, test, all }[process.argv[3] ?? ""];
if (process.argv[2] !== "--for" || !folders) {
  stop("disburse: say what to prepare for: --for start, client, test or all");
}
const hasNode = Number.parseInt(process.versions.node, 10) >= nodeMajor;
const needed = hasNode ? folders : [...folders, "tools/node"];

const stamp = join(root, "node_modules", ".installed.json");
const lock = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
const installed = readStamp();
const isOfThisLock = installed.lock === lock && installed.folders.every(isComplete);

if (!isOfThisLock || !needed.every((folder) => installed.folders.includes(folder))) {
  if (folders === start) await checkSettings(process.env);
  // What an earlier command installed stays.
  await install([...new Set([...installed.folders, ...needed])]);
}
requireNode();
if (folders.includes(".")) buildClient();

/** @returns {{ lock: string, folders: string[] }} */
function readStamp() {
  if (!existsSync(stamp)) return { lock: "", folders: [] };
  return JSON.parse(readFileSync(stamp, "utf8"));
}

/** Whether every package that a folder names is there. Optional ones are missing on other machines. */
function isComplete(/** @type {string} */ folder) {
  const file = join(root, folder, "package.json");
  if (!existsSync(file)) return false;
  const { dependencies, devDependencies } = JSON.parse(readFileSync(file, "utf8"));
  return Object.keys({ ...dependencies, ...devDependencies }).every((name) =>
    [folder, "."].some((place) => existsSync(join(root, place, "node_modules", name))),
  );
}

/**
 * What the service would refuse at its start anyway, before a minute of installing. config.ts has the other settings: it
 * needs the packages.
 */
async function checkSettings(/** @type {NodeJS.ProcessEnv} */ environment) {
  const { NODE_ENV, DATABASE_URL, DISBURSE_EMBEDDED, HOST, PORT, ADMIN_HOST, ADMIN_PORT } =
    environment;
  if (NODE_ENV === "production" && !DATABASE_URL && !DISBURSE_EMBEDDED) {
    stop(
      "disburse: DATABASE_URL must be set when NODE_ENV is production (or DISBURSE_EMBEDDED=1 to keep the embedded database)",
    );
  }
  await requireFree("PORT", PORT || "4000", HOST || "127.0.0.1");
  if (ADMIN_PORT) await requireFree("ADMIN_PORT", ADMIN_PORT, ADMIN_HOST || "127.0.0.1");
}

/** Only a port that is in use stops here: other problems are for the service to name. */
async function requireFree(
  /** @type {string} */ setting,
  /** @type {string} */ port,
  /** @type {string} */ host,
) {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return;
  const code = await new Promise((resolve) => {
    const server = createServer();
    server.once("error", (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code));
    server.listen(Number(port), host, () => server.close(() => resolve(undefined)));
  });
  if (code !== "EADDRINUSE") return;
  stop(
    `disburse: Port ${port} on ${host} is in use. Stop the program that uses it, or set ${setting} to another port.`,
  );
}

async function install(/** @type {string[]} */ wanted) {
  const startedMs = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedMs) / 1000)} s`;
  const say = (/** @type {string} */ text) => process.stderr.write(text);
  say("disburse: installing what it needs (the first time only, up to a minute) …\n");
  const ticking = setInterval(
    () => say(process.stderr.isTTY ? `\r  ${seconds()} ` : `  installing, ${seconds()}\n`),
    process.stderr.isTTY ? 1_000 : 10_000,
  );

  const npm = process.env.npm_execpath;
  // `npm ci` deletes all packages first. Where those of this lock file are there already, others are added to them.
  const command = isOfThisLock ? ["install", "--no-save"] : ["ci"];
  const places = wanted.filter((folder) => folder !== ".").map((folder) => `--workspace=${folder}`);
  if (wanted.includes(".")) places.push("--include-workspace-root");
  // The console is built with packages for development, and PostgreSQL and Node are optional ones. npm leaves them out
  // where NODE_ENV or its own settings say so, unless it is asked for them.
  const kinds = ["--include=dev", "--include=optional"];
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const words = [...command, ...places, ...kinds, ...quiet];
  const child = npm?.endsWith("js")
    ? spawn(process.execPath, [npm, ...words], { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
    : spawn("npm", words, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const code = await new Promise((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", resolve);
  });
  clearInterval(ticking);
  if (process.stderr.isTTY) say("\r");
  if (code !== 0) {
    say(`${said}\n`);
    stop(
      "disburse: npm could not install the packages, see above.\n" +
        "Check that npm reaches its registry, then run the same command again.",
    );
  }
  // A third of the package of Node is headers for compiling addons.
  const node = join(root, "node_modules", `node-${process.platform}-${process.arch}`);
  rmSync(join(node, "include"), { recursive: true, force: true });
  writeFileSync(stamp, JSON.stringify({ lock, folders: wanted }));
  say(`disburse: installed in ${seconds()}\n`);
}

/** So that `@disburse/client` can be imported in the clone, and packed. */
function buildClient() {
  const words = [join(root, "client", "build.ts"), "--if-changed"];
  const { status } = spawnSync("node", words, { stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(1);
}

/** npm puts node_modules/.bin first on the PATH of its scripts, so `node` there is the one installed. */
function requireNode() {
  const { stdout } = spawnSync("node", ["--version"], { encoding: "utf8" });
  if (Number(/^v(\d+)/.exec(stdout ?? "")?.[1]) >= nodeMajor) return;
  stop(
    `disburse: Node 24 or newer is needed, and there is no package of it for ${process.platform} ` +
      `${process.arch}.\nInstall Node 24 on this machine, then run the same command again.`,
  );
}

/** @returns {never} */
function stop(/** @type {string} */ text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
