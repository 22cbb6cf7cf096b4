// HAProxy with the configuration of deploy/cells, on free ports of this machine.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port.ts";

const example = join(import.meta.dirname, "..", "..", "..", "deploy", "cells");

export type Haproxy = Awaited<ReturnType<typeof startHaproxy>>;

/** `cells`: the address of each cell by the name of its backend. */
export async function startHaproxy(cells: { default_cell: string; cell_b: string }) {
  const folder = mkdtempSync(join(tmpdir(), "disburse-edge-"));
  cpSync(example, folder, { recursive: true });
  const port = await freePort();
  const socket = join(folder, "admin.sock");
  const map = join(folder, "moved-keys.map");
  const file = join(folder, "haproxy.cfg");
  writeFileSync(
    file,
    replaced(readFileSync(join(example, "haproxy.cfg"), "utf8"), [
      [/bind :443 .*/, `bind 127.0.0.1:${port}`],
      [/\/run\/haproxy\/admin\.sock/, socket],
      [/\/etc\/haproxy\//g, `${folder}/`],
      [/10\.0\.1\.11:4000/, cells.default_cell],
      [/10\.0\.2\.11:4000/, cells.cell_b],
      // One process of each cell is enough here.
      [/.* 10\.0\.1\.12:4000\n/, ""],
      [/.* 10\.0\.2\.12:4000\n/, ""],
    ]),
  );
  const haproxy = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "pipe", "pipe"] });
  const said = Promise.all([text(haproxy.stdout), text(haproxy.stderr)]);
  const ended = once(haproxy, "exit");
  endWithUs(haproxy);
  const baseUrl = `http://127.0.0.1:${port}`;
  await reachable(`${baseUrl}/healthz`, haproxy).catch(async (error) => {
    throw new Error(`HAProxy did not start: ${await said}`, { cause: error });
  });

  /** A command of HAProxy's runtime API. */
  async function tell(command: string): Promise<string> {
    const connection = connect(socket);
    connection.end(`${command}\n`);
    return (await text(connection)).trim();
  }

  return {
    baseUrl,
    /** Routes a key to another backend, without a reload. */
    addToMap: (key: string, backend: string) => tell(`add map ${map} ${key} ${backend}`),
    /** HAProxy sends requests to the backend, and no check is in progress that could change that. */
    async isUp(backend: string): Promise<boolean> {
      const [names = "", ...rows] = (await tell("show stat")).replace(/^# /, "").split("\n");
      const columns = names.split(",");
      const row = rows.map((line) => line.split(",")).find(([name]) => name === backend) ?? [];
      const inColumn = (column: string) => row[columns.indexOf(column)];
      return inColumn("status") === "UP" && inColumn("check_status") === "L7OK";
    },
    async close() {
      haproxy.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Every pattern must be there, so that the example can't change unnoticed. */
function replaced(config: string, changes: [RegExp, string][]): string {
  for (const [pattern] of changes) {
    if (config.search(pattern) < 0) throw new Error(`haproxy.cfg has no ${pattern}`);
  }
  return changes.reduce(
    (read, [pattern, text]) => read.replaceAll(new RegExp(pattern, "g"), text),
    config,
  );
}

/** Any response will do: the cells may not be ready yet. */
async function reachable(url: string, haproxy: ChildProcess): Promise<void> {
  while (haproxy.exitCode === null) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer) return;
    await sleep(20);
  }
  throw new Error(`it exited with ${haproxy.exitCode}`);
}

function endWithUs(child: ChildProcess): void {
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
}
