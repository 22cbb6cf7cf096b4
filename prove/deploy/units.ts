// The systemd units, on a machine in a container: installed by the commands of deploy/README.md.

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makePayout, newSubaccount, waitUntilReady } from "./caller.ts";
import { startDatabase } from "./database.ts";
import { program } from "./image.ts";
import { machineImage, npmCache } from "./images.ts";
import { network, type Podman } from "./podman.ts";

const units = ["disburse", "disburse-worker"];
const systemd = join(import.meta.dirname, "..", "..", "deploy", "systemd");

export async function tryUnits(
  podman: Podman,
  { folder, file }: { folder: string; file: string },
): Promise<string[]> {
  const { url, masterKey } = startDatabase(podman, "units-postgres");
  const name = "units-machine";
  const how = ["--privileged", "--systemd", "always", "--stop-signal", "SIGRTMIN+3"];
  podman.run(
    "run",
    "--detach",
    "--name",
    name,
    ...how,
    ...npmCache(folder),
    "--network",
    network,
    machineImage,
  );
  const shell = (line: string) => podman.run("exec", name, "sh", "-c", line);
  const packed = `/root/${basename(file)}`;
  podman.run("cp", file, `${name}:${packed}`);
  for (const unit of ["disburse-migrate", ...units]) {
    podman.run("cp", join(systemd, `${unit}.service`), `${name}:/root/${unit}.service`);
  }
  const password = randomBytes(12).toString("hex");
  const appUrl = new URL(url);
  Object.assign(appUrl, { username: "disburse_app", password });
  const owner = { DATABASE_URL: url, DISBURSE_MASTER_KEY: masterKey };
  const app = { ...owner, DATABASE_URL: appUrl.href, HOST: "0.0.0.0", ADMIN_HOST: "0.0.0.0" };
  shell("useradd --system --home-dir /opt/disburse --shell /usr/sbin/nologin disburse");
  shell("mkdir -p /opt/disburse /etc/disburse");
  shell(`cd /opt/disburse && npm install --no-audit --no-fund --ignore-scripts ${packed}`);
  for (const [file, values] of Object.entries({ disburse: app, owner })) {
    const settings = join(folder, `${file}.env`);
    const lines = Object.entries(values).map((each) => each.join("="));
    writeFileSync(settings, lines.join("\n"));
    shell(`install -m 600 /dev/null /etc/disburse/${file}.env`);
    podman.run("cp", settings, `${name}:/etc/disburse/${file}.env`);
  }
  const role = `create role disburse_app login password '${password}'`;
  podman.run("exec", "units-postgres", "psql", "-U", "disburse", "-c", role);
  shell("cp /root/*.service /etc/systemd/system/");
  shell("systemctl daemon-reload");
  shell(`systemctl enable --now ${units.join(" ")}`);
  const address = `http://${podman.addressOf(name)}`;
  for (const port of [4001, 4002]) {
    const late = await waitUntilReady(`${address}:${port}/readyz`);
    if (late) return [late, shell("systemctl status disburse disburse-worker; journalctl -n 100")];
  }
  const complaints: (string | undefined)[] = [];
  const asService = "set -a && . /etc/disburse/disburse.env && cd /opt/disburse";
  const key = shell(`${asService} && ${program} ${newSubaccount.join(" ")}`);
  complaints.push(await makePayout(`${address}:4000`, key));
  for (const unit of units) {
    const user = shell(`stat -c %U /proc/$(systemctl show -P MainPID ${unit})`);
    if (user !== "disburse") complaints.push(`${unit} runs as ${user}`);
  }
  shell("systemctl reload disburse");
  complaints.push(await makePayout(`${address}:4000`, key));
  shell(`systemctl stop ${units.join(" ")}`);
  for (const unit of units) {
    const ended = shell(`systemctl show -P Result -P ExecMainStatus ${unit}`).split("\n").join();
    if (ended !== "success,0") complaints.push(`${unit} ended with ${ended}`);
  }
  return complaints.filter((complaint) => complaint !== undefined);
}
