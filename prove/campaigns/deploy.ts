// The examples of deploy/ are started: the image, Compose, the pods of the Kubernetes manifests and the systemd units.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack } from "../../server/pack.ts";
import { machinePath } from "../../server/test/support/machine-node.ts";
import { missingCommands } from "../../server/test/support/missing-commands.ts";
import type { Campaign, CampaignParts, Proved } from "../campaign.ts";
import { tryCompose } from "../deploy/compose.ts";
import { buildImage, tryImage } from "../deploy/image.ts";
import { prepareImages } from "../deploy/images.ts";
import { openPodman } from "../deploy/podman.ts";
import { tryPods } from "../deploy/pods.ts";
import { tryUnits } from "../deploy/units.ts";
import { failureOf } from "../failure.ts";

export const deployExamples: Campaign = {
  promise:
    "the image, Compose, the pods of the Kubernetes manifests and the systemd units start a service that pays a payout, and end it cleanly",
  runs: 4,
  missing,
  prove,
};

function missing(): string | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return "it needs Linux on x64";
  if (process.getuid?.() !== 0) return "it needs root, for debootstrap and systemd in a container";
  const env = { ...process.env, PATH: machinePath };
  const npm = spawnSync("npm", ["ping", "--silent"], { env, timeout: 20_000, cwd: tmpdir() });
  if (npm.status !== 0) return "npm reaches no registry here";
  return missingCommands("podman", "podman-compose", "debootstrap", "openssl");
}

async function prove({ seed, onRun }: CampaignParts): Promise<Proved> {
  const folder = mkdtempSync(join(tmpdir(), "disburse-deploy-"));
  const podman = openPodman(join(folder, "podman"));
  try {
    const packed = join(folder, "packed");
    const [file = ""] = await pack(packed);
    const images = prepareImages(podman, join(folder, "images"));
    buildImage(podman, packed);
    const started: Record<string, number> = {};
    const complaints: string[] = [];
    const parts = {
      "the image": () => tryImage(podman),
      Compose: () => tryCompose(podman, join(folder, "compose")),
      "the pods of the manifests": () => tryPods(podman, join(folder, "pods")),
      "the systemd units": () => tryUnits(podman, { folder, file }),
    };
    for (const [part, tryPart] of Object.entries(parts)) {
      const found = await tryPart().catch((error: Error) => [error.message]);
      started[part] = found.length === 0 ? 1 : 0;
      complaints.push(...found.map((complaint) => `${part}: ${complaint}`));
      onRun(Object.keys(started).length);
    }
    const runs = Object.keys(started).length;
    return { runs, steps: runs, counts: { started, images }, ...failureOf(seed, complaints) };
  } finally {
    podman.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
