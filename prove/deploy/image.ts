// The image of the Dockerfile: its user, its root file system, a service in it, and its end.

import { join } from "node:path";
import { version } from "../../server/src/platform/base/version.ts";
import { makePayout, newSubaccount, waitUntilReady } from "./caller.ts";
import { startDatabase } from "./database.ts";
import { npmCache } from "./images.ts";
import { network, type Podman } from "./podman.ts";

export const image = `localhost/disburse:${version}`;
export const program = "/opt/disburse/node_modules/.bin/disburse";
const root = join(import.meta.dirname, "..", "..");

/** As compose.yaml and the manifests start it. */
const locked = [
  "--read-only",
  "--tmpfs=/tmp",
  "--cap-drop=ALL",
  "--security-opt=no-new-privileges",
];

export function buildImage(podman: Podman, packed: string): void {
  const file = join(root, "deploy", "container", "Dockerfile");
  const argument = `VERSION=${version}`;
  const words = ["--network", "host", "--file", file, "--build-arg", argument, "--tag", image];
  podman.run("build", "--quiet", ...words, ...npmCache(packed), packed);
}

export async function tryImage(podman: Podman): Promise<string[]> {
  const complaints: (string | undefined)[] = [];
  const printed = podman.run("run", "--rm", ...locked, image, "--version");
  if (printed !== version) complaints.push(`disburse --version printed ${printed}`);
  const user = podman.run("run", "--rm", ...locked, "--entrypoint", "id", image, "-u");
  if (user !== "1000") complaints.push(`the user of the image is ${user}`);

  const { url, masterKey } = startDatabase(podman, "image-postgres");
  const settings = [`DATABASE_URL=${url}`, `DISBURSE_MASTER_KEY=${masterKey}`];
  const name = "image-service";
  const environment = settings.flatMap((setting) => ["--env", setting]);
  podman.run(
    "run",
    "--detach",
    "--name",
    name,
    ...locked,
    "--network",
    network,
    ...environment,
    image,
  );
  const address = `http://${podman.addressOf(name)}`;
  const late = await waitUntilReady(`${address}:4001/readyz`);
  if (late) return [late, podman.logsOf(name)];
  const write = ["exec", name, "touch", "/opt/disburse/file"];
  if (podman.succeeds(...write)) complaints.push("the root file system can be written");
  const key = podman.run("exec", name, program, ...newSubaccount);
  complaints.push(await makePayout(`${address}:4000`, key));
  complaints.push(stopContainer(podman, name));
  return complaints.filter((complaint) => complaint !== undefined);
}

/** Sends SIGTERM. Returns what is wrong if the service does not end by itself, with 0. */
export function stopContainer(podman: Podman, name: string): string | undefined {
  podman.run("stop", "--time", "45", name);
  const code = podman.run("inspect", "--format", "{{.State.ExitCode}}", name);
  return code === "0" ? undefined : `${name} ended with ${code}\n${podman.logsOf(name)}`;
}
