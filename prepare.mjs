// @ts-check
// Installs what the lock file names, as far as a command needs it: `--for start` is enough to build the console and to
// serve, `test` adds what tests and checks need, `all` the packaged browser and the tools for OpenAPI documents; `client`
// is enough to build the client.
// Plain JavaScript, because the machine's own Node runs it: where that is older than 24, a Node 24 is installed too.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const root = dirname(fileURLToPath(import.meta.url));
const nodeMajor = 24;

/** Folders whose packages are installed; "." is the root with its packages for development. */
const packages = ["packages/bank-formats", "packages/bank-simulator", "packages/name-matching"];
const start = ["server", "console", ...packages];
const client = ["client"];
const test = [...start, ...client, "."];
const all = [...test, "prove/openapi-client", "tools/browser"];
const needed = { start, client, test, all }[process.argv[3] ?? ""];
if (process.argv[2] !== "--for" || !needed) {
  stop("disburse: say what to prepare for: --for start, client, test or all");
}

const modules = join(root, "node_modules");
const stamp = join(modules, ".installed.json");
const lockText = readFileSync(join(root, "package-lock.json"), "utf8");
const lock = createHash("sha256").update(lockText).digest("hex");
// npm puts node_modules/.bin first on the PATH: this may be a Node that was installed here, which `npm ci` deletes.
const isInstalledHere = process.execPath.startsWith(join(modules, ".node-"));
const hasNode = Number.parseInt(process.versions.node, 10) >= nodeMajor && !isInstalledHere;
const node = hasNode ? undefined : nodePackage();
const installed = readStamp();
const isOfThisLock = installed.lock === lock && installed.folders.every(isComplete);

const hasAll = needed.every((folder) => installed.folders.includes(folder));
if (!isOfThisLock || !hasAll || (node && !existsSync(node.path))) {
  if (needed === start) await checkSettings(process.env);
  // What an earlier command installed stays.
  await install([...new Set([...installed.folders, ...needed])]);
}
requireNode();
if (needed.includes(".")) buildClient();

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

  // `npm ci` deletes all packages first. Where those of this lock file are there already, others are added to them.
  const command = isOfThisLock ? ["install", "--no-save"] : ["ci"];
  const places = wanted.filter((folder) => folder !== ".").map((folder) => `--workspace=${folder}`);
  if (wanted.includes(".")) places.push("--include-workspace-root");
  // The console is built with packages for development, and PostgreSQL is an optional one. npm leaves them out
  // where NODE_ENV or its own settings say so, unless it is asked for them.
  const kinds = ["--include=dev", "--include=optional"];
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const isNodeMissing = node && !(isOfThisLock && existsSync(node.path));
  const [said, binary] = await Promise.all([
    npm([...command, ...places, ...kinds, ...quiet]),
    isNodeMissing ? download(node).catch(String) : undefined,
  ]);
  clearInterval(ticking);
  if (process.stderr.isTTY) say("\r");
  if (said !== "" || typeof binary === "string") {
    say(`${said || binary}\n`);
    stop(
      "disburse: npm could not install the packages, see above.\n" +
        "Check that npm reaches its registry, then run the same command again.",
    );
  }
  if (node && binary) {
    mkdirSync(dirname(node.path), { recursive: true });
    writeFileSync(node.path, binary, { mode: 0o755 });
  }
  if (node) linkNode(node.path);
  writeFileSync(stamp, JSON.stringify({ lock, folders: wanted }));
  say(`disburse: installed in ${seconds()}\n`);
}

/**
 * What npm said if it failed, otherwise nothing.
 * @returns {Promise<string>}
 */
function npm(/** @type {string[]} */ words) {
  const path = process.env.npm_execpath;
  const child = path?.endsWith("js")
    ? spawn(process.execPath, [path, ...words], { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
    : spawn("npm", words, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      said += chunk;
    });
  }
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) => resolve(code === 0 ? "" : said || `npm ended with ${code}`));
  });
}

/** The package of Node 24 for this machine that the lock file names, and where its binary goes. Undefined: there is none. */
function nodePackage() {
  const { packages } = JSON.parse(lockText);
  const manifest = readFileSync(join(root, "tools/node", "package.json"), "utf8");
  for (const name of Object.keys(JSON.parse(manifest).optionalDependencies ?? {})) {
    const { version, integrity, os, cpu } = packages[`node_modules/${name}`] ?? {};
    if (![os].flat().includes(process.platform) || ![cpu].flat().includes(process.arch)) continue;
    const path = join(modules, `.node-${version}`, "node");
    return { spec: `${name}@${version}`, integrity, path };
  }
  return undefined;
}

/**
 * The binary in the package of Node, while npm installs the others. The other 2,800 files of the package are headers.
 * @returns {Promise<Buffer>}
 */
async function download(/** @type {{ spec: string, integrity: string }} */ { spec, integrity }) {
  const folder = mkdtempSync(join(tmpdir(), "disburse-node-"));
  try {
    const said = await npm(["pack", spec, "--pack-destination", folder, "--loglevel=error"]);
    const [file] = readdirSync(folder);
    if (said !== "" || file === undefined) throw new Error(said || `npm has no ${spec}`);
    const packed = readFileSync(join(folder, file));
    const hash = createHash("sha512").update(packed).digest("base64");
    if (`sha512-${hash}` !== integrity) throw new Error(`${spec} is not what the lock file names`);
    return fileIn(gunzipSync(packed), "package/bin/node");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A tar archive has a block of 512 bytes before each file, with its name and its length as octal digits. */
function fileIn(/** @type {Buffer} */ archive, /** @type {string} */ wanted) {
  const block = 512;
  for (let at = 0; at < archive.length; ) {
    const head = archive.toString("latin1", at, at + block);
    const length = Number.parseInt(head.slice(124, 136), 8) || 0;
    at += block;
    if (head.startsWith(`${wanted}\0`)) return archive.subarray(at, at + length);
    at += Math.ceil(length / block) * block;
  }
  throw new Error(`the package has no ${wanted}`);
}

/** npm puts node_modules/.bin first on the PATH of its scripts. */
function linkNode(/** @type {string} */ path) {
  const link = join(modules, ".bin", "node");
  rmSync(link, { force: true });
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join("..", path.slice(modules.length + 1)), link);
}

/** So that `@disburse/client` can be imported in the clone, and packed. */
function buildClient() {
  const words = [join(root, "client", "build.ts"), "--if-changed"];
  const { status } = spawnSync("node", words, { stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(1);
}

/** `node` is the one in node_modules/.bin, where one was needed. */
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
