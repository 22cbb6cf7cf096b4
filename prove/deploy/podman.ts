// podman with images and containers of its own: those of the machine are neither used nor changed.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, command } from "./command.ts";

export type Podman = {
  /** For other programs that use podman. */
  env: NodeJS.ProcessEnv;
  /** Returns what podman prints. Throws an error if it fails. */
  run(...words: string[]): string;
  /** Runs podman too, and tells whether it succeeds. */
  succeeds(...words: string[]): boolean;
  /** Returns what a container has written so far. */
  logsOf(container: string): string;
  addressOf(container: string): string;
  close(): void;
};

export const network = "disburse-prove";

export function openPodman(folder: string): Podman {
  mkdirSync(folder, { recursive: true });
  const storage = join(folder, "storage.conf");
  const places = ["graphroot", "runroot"].map((name) => `${name} = "${join(folder, name)}"`);
  writeFileSync(storage, `[storage]\ndriver = "overlay"\n${places.join("\n")}\n`);
  const env = { ...process.env, CONTAINERS_STORAGE_CONF: storage };
  // Elsewhere, podman would take a folder with the name of an image for its source.
  const run = (...words: string[]) => command("podman", words, { env, cwd: folder });
  const succeeds = (...words: string[]) =>
    attempt("podman", words, { env, cwd: folder }).status === 0;
  if (!succeeds("network", "exists", network)) run("network", "create", network);
  return {
    env,
    run,
    succeeds,
    logsOf: (container) => attempt("podman", ["logs", container], { env }).all,
    addressOf(container) {
      const format = "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}";
      return run("inspect", "--format", format, container);
    },
    close() {
      succeeds("pod", "rm", "--all", "--force", "--time", "5");
      succeeds("rm", "--all", "--force", "--time", "5");
      succeeds("volume", "rm", "--all", "--force");
      succeeds("secret", "rm", "--all");
      succeeds("network", "rm", "--force", network);
      succeeds("rmi", "--all", "--force");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
