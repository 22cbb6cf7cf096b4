// Every command that writes, at least once as it should be and some times as it should not, one after the other on a new
// database. What each prints and its exit code are compared with a recording.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bankSteps } from "./command-story-banks.ts";
import { moneySteps } from "./command-story-money.ts";
import { peopleSteps } from "./command-story-people.ts";
import { closedSteps, tenantSteps } from "./command-story-tenants.ts";

type Run = { code: number | null; stdout: string; stderr: string };

export type StoryParts = {
  run(words: string[]): Promise<Run>;
  /** What only a user of the console or a background process can do. */
  sql(text: string, values?: unknown[]): Promise<void>;
  /** An empty folder. */
  folder: string;
  /** Adds --json to every command. */
  json: boolean;
  /** A bank's server, on this machine. */
  sftp: { port: number; fingerprint: string; password: string; files: Map<string, Buffer> };
};

export type Step = Run & { words: string[] };

export type Story = Omit<StoryParts, "run"> & {
  /** A recorded command. Returns the value that it printed under a name. */
  step(...words: string[]): Promise<(name: string) => string>;
  /** A command that only reads, for its JSON. Not recorded. */
  // biome-ignore lint/suspicious/noExplicitAny: each command prints something else.
  ask(...words: string[]): Promise<any>;
  /** Saves a file and returns its path. */
  save(name: string, content: string | Uint8Array | object): string;
  pathOf(name: string): string;
};

export const nobody = "0190f3a2-7b3c-7d1e-8f00-0123456789ab";

export async function tellEveryCommand({ run, ...parts }: StoryParts): Promise<Step[]> {
  const steps: Step[] = [];
  const pathOf = (name: string) => join(parts.folder, name);
  const story: Story = {
    ...parts,
    pathOf,
    async step(...words) {
      const all = parts.json && !isWithoutJson(words) ? [...words, "--json"] : words;
      const { code, stdout, stderr } = await run(all);
      steps.push({ words: all, code, stdout, stderr });
      return (name) => {
        const found = parts.json
          ? (code === 0 ? JSON.parse(stdout) : {})[name]
          : new RegExp(`^${name} +(\\S+)`, "m").exec(stdout)?.[1];
        if (found === undefined) {
          throw new Error(`no ${name}: ${all.join(" ")}: ${code} ${stdout}${stderr}`);
        }
        return String(found);
      };
    },
    async ask(...words) {
      const { code, stdout, stderr } = await run([...words, "--json"]);
      if (code !== 0) throw new Error(`${words.join(" ")}: ${code} ${stdout}${stderr}`);
      return JSON.parse(stdout);
    },
    save(name, content) {
      const isBytes = typeof content === "string" || content instanceof Uint8Array;
      writeFileSync(pathOf(name), isBytes ? content : JSON.stringify(content));
      return pathOf(name);
    },
  };
  const subaccounts = await tenantSteps(story);
  const people = await peopleSteps(story, subaccounts);
  await moneySteps(story, { ...subaccounts, ...people });
  await bankSteps(story, { ...subaccounts, ...people });
  await closedSteps(story, subaccounts, people);
  await lastSteps(story, people);
  return steps;
}

/** They print nothing but sentences. */
function isWithoutJson([noun = "", verb = ""]: string[]): boolean {
  return noun === "restore" || (noun === "erasures" && verb === "export");
}

/** What a restored copy needs. */
async function lastSteps({ step, pathOf, save }: Story, { erased }: { erased: string }) {
  const journal = pathOf("erasures.jsonl");
  await step("erasures", "export", journal);
  await step("erasures", "apply", journal);
  await step("erasures", "apply", save("none.jsonl", "nothing\n"));
  await step("erasures", "apply", pathOf("missing.jsonl"));
  await step("restore", "quarantine", "--by", "ana");
  await step("receivers", "enable", erased);
  await step("erasures", "apply", journal, "--by", "ana");
  await step("restore", "release");
  await step("restore", "release", "--confirm", "pay again");
  await step("restore", "release", "--confirm", "pay again", "--erasures", journal, "--by", "ana");
}
