// @ts-check
// Installs what the lock file names, once, before `npm start` or `npm test`. Plain JavaScript, because the
// machine's own Node runs it: the Node 24 that runs everything else is one of the packages it installs.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));
const stamp = join(root, "node_modules", ".installed");
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted || !isComplete()) await install();
requireNode24();
buildClient();

/** Whether every package that we name is there. An earlier version left some out under NODE_ENV=production. */
function isComplete() {
  const { workspaces = [], devDependencies = {} } = readPackage(root);
  /** @type {[folder: string, names: string[]][]} */
  const needed = workspaces.map((/** @type {string} */ name) => {
    const own = readPackage(join(root, name));
    return [join(root, name), Object.keys({ ...own.dependencies, ...own.devDependencies })];
  });
  needed.push([root, Object.keys(devDependencies)]);
  return needed.every(([folder, names]) =>
    names.every((name) =>
      [folder, root].some((place) => existsSync(join(place, "node_modules", name))),
    ),
  );
}

function readPackage(/** @type {string} */ folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

async function install() {
  const startedMs = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedMs) / 1000)} s`;
  const say = (/** @type {string} */ text) => process.stderr.write(text);
  say("disburse: installing what it needs (the first time only, up to a minute) …\n");
  const ticking = setInterval(
    () => say(process.stderr.isTTY ? `\r  ${seconds()} ` : `  installing, ${seconds()}\n`),
    process.stderr.isTTY ? 1_000 : 10_000,
  );

  const npm = process.env.npm_execpath;
  // The console is built with packages for development, and Node 24 is an optional one. npm leaves them out
  // where NODE_ENV or its own settings say so, unless it is asked for them.
  const kinds = ["--include=dev", "--include=optional"];
  const words = ["ci", ...kinds, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
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
    say(`${said}\ndisburse: npm could not install the packages, see above.\n`);
    say("Check that npm reaches its registry, then run the same command again.\n");
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
  say(`disburse: installed in ${seconds()}\n`);
}

/** So that `@disburse/client` can be imported in the clone, and packed. Not in production, where there is no tsc. */
function buildClient() {
  if (!existsSync(join(root, "node_modules", "typescript"))) return;
  const words = [join(root, "client", "build.ts"), "--if-changed"];
  const { status } = spawnSync("node", words, { stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(1);
}

/** npm puts node_modules/.bin first on the PATH of its scripts, so `node` there is the one installed. */
function requireNode24() {
  const { stdout } = spawnSync("node", ["--version"], { encoding: "utf8" });
  if (Number(/^v(\d+)/.exec(stdout ?? "")?.[1]) >= 24) return;
  process.stderr.write(
    `disburse: Node 24 or newer is needed, and there is no package of it for ${process.platform} ` +
      `${process.arch}.\nInstall Node 24 on this machine, then run the same command again.\n`,
  );
  process.exit(1);
}
