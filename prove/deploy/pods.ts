// The Kubernetes manifests as pods of podman. It is no cluster: it starts one pod of each deployment, and ignores the service,
// budgets, the network policy, spread and preStop. The job is left out: the pods sign in as the owner and migrate themselves. Probes are asked for here, because podman knows no named ports.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments, stringify } from "yaml";
import { version } from "../../server/src/platform/base/version.ts";
import { freePort } from "../../server/test/support/free-port.ts";
import { makePayout, newSubaccount, waitUntilReady } from "./caller.ts";
import { startDatabase } from "./database.ts";
import { image, program, stopContainer } from "./image.ts";
import { network, type Podman } from "./podman.ts";

const manifests = join(import.meta.dirname, "..", "..", "deploy", "kubernetes", "disburse.yaml");

type Port = { name: string; containerPort: number; hostPort?: number };
type Manifest = {
  kind: string;
  metadata: { name: string };
  spec: { replicas: number; template: { spec: { containers: { ports: Port[] }[] } } };
};

export async function tryPods(podman: Podman, folder: string): Promise<string[]> {
  mkdirSync(folder);
  const file = join(folder, "pods.yaml");
  const { url, masterKey } = startDatabase(podman, "pods-postgres");
  podman.run("tag", image, `registry.example.com/disburse:${version}`);
  const all = parseAllDocuments(readFileSync(manifests, "utf8")).map((each) => each.toJS());
  const deployments: Manifest[] = all.filter(({ kind }) => kind === "Deployment");
  for (const { spec } of deployments) {
    spec.replicas = 1;
    for (const container of spec.template.spec.containers) {
      for (const port of container.ports) port.hostPort = await freePort();
    }
  }
  const played = all.filter(({ kind }) => kind !== "Job" && kind !== "NetworkPolicy");
  writeFileSync(file, played.map((each) => stringify(each)).join("---\n"));
  createSecret(podman, folder, { DATABASE_URL: url, DISBURSE_MASTER_KEY: masterKey });
  podman.run("kube", "play", "--network", network, file);

  const complaints: (string | undefined)[] = [];
  for (const deployment of deployments) {
    for (const path of ["/readyz", "/healthz"]) {
      const late = await waitUntilReady(`${baseOf(deployment, "admin")}${path}`);
      if (late) return [late, podman.logsOf(containerOf(deployment))];
    }
  }
  const [api] = deployments as [Manifest, Manifest];
  const key = podman.run("exec", containerOf(api), program, ...newSubaccount);
  complaints.push(await makePayout(baseOf(api, "http"), key));
  for (const each of deployments) complaints.push(stopContainer(podman, containerOf(each)));
  podman.run("kube", "down", file);
  return complaints.filter((complaint) => complaint !== undefined);

  /** Versions of podman name pods in several ways. */
  function containerOf({ metadata }: Manifest): string {
    const words = ["ps", "--all", "--format", "{{.Names}}", "--filter", "name=-disburse$"];
    const names = podman.run(...words).split("\n");
    return names.find((name) => name.startsWith(`${metadata.name}-pod`)) ?? metadata.name;
  }
}

function baseOf({ spec }: Manifest, name: string): string {
  const ports = spec.template.spec.containers.flatMap(({ ports }) => ports);
  return `http://127.0.0.1:${ports.find((port) => port.name === name)?.hostPort}`;
}

/** podman before 4.4 reads a secret of pods as JSON, and can't create it from a manifest. */
function createSecret(podman: Podman, folder: string, values: Record<string, string>): void {
  const data = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Buffer.from(value).toString("base64")]),
  );
  const [major = 0, minor = 0] =
    /\d+\.\d+/.exec(podman.run("--version"))?.[0].split(".").map(Number) ?? [];
  const isOld = major < 4 || (major === 4 && minor < 4);
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "disburse" }, data };
  const file = join(folder, "secret");
  writeFileSync(file, isOld ? JSON.stringify(data) : stringify(secret));
  podman.run("secret", "create", "disburse", file);
}
