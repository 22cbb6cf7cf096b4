// Every command that writes, at least once as it should be and some times as it should not, one after the other on a new
// database. What each prints and its exit code are compared with a recording.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bankSteps } from "./command-story-banks.ts";
import { moneySteps } from "./command-story-money.ts";
import type { Step, Story, StoryParts } from "./command-story-parts.ts";
import { peopleSteps } from "./command-story-people.ts";
import { closedSteps, tenantSteps } from "./command-story-tenants.ts";

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
