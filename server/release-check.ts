// npm run release-check: checks what a release consists of, by published schemas and by the tools of this machine, and
// says what could not be checked here. `-- --tag` also makes the tag of the version, in this clone only.

import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { Ajv, type Options } from "ajv";
import addFormats from "ajv-formats";
import { parse, parseAllDocuments } from "yaml";
import { writeSbom } from "./sbom.ts";

const root = join(import.meta.dirname, "..");
const deploy = join(root, "deploy");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const readJson = (file: string) => JSON.parse(read(file));

function inTemporaryFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "disburse-release-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function schemaProblems(ajv: Ajv, schema: object, data: unknown): string[] {
  const validate = ajv.compile(schema);
  if (validate(data)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const { additionalProperty } = params as { additionalProperty?: string };
    return [instancePath || "/", message, additionalProperty].filter(Boolean).join(" ");
  });
}

/** Schemas of others have words that only their own tools know. */
const ajvOptions: Options = { strict: false, allErrors: true };

/** By the schema of the Compose Specification. Its formats are words of Docker, such as a duration of "45s". */
export function composeProblems(text: string): string[] {
  const { $schema: _, ...schema } = readJson("deploy/schemas/compose-spec.json");
  const ajv = new Ajv({ ...ajvOptions, validateFormats: false });
  return schemaProblems(ajv, schema, parse(text, { merge: true }));
}

/** By the schemas of CycloneDX, from their own library. */
export function sbomProblems(text: string): string[] {
  const folder = "node_modules/@cyclonedx/cyclonedx-library/res/schema";
  const schemaOf = (name: string) => readJson(`${folder}/${name}.SNAPSHOT.schema.json`);
  const bill = JSON.parse(text);
  const formats = { "iri-reference": true, "idn-email": true } as const;
  const ajv = new Ajv({ ...ajvOptions, formats });
  addFormats.default(ajv);
  for (const name of ["spdx", "jsf-0.82"]) {
    // By the names of their files, as the schema of bills refers to them.
    const { $id: _, ...schema } = schemaOf(name);
    ajv.addSchema(schema, `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  }
  return schemaProblems(ajv, schemaOf(`bom-${bill.specVersion}`), bill);
}

/**
 * By the types of kubernetes-types, which are made from the OpenAPI document of Kubernetes. The compiler also refuses fields
 * that a type does not have; a JSON schema of Kubernetes would let them pass.
 */
export function kubernetesProblems(text: string): string[] {
  const lines = parseAllDocuments(text).map((document, index) => {
    const manifest = document.toJS() as { apiVersion: string; kind: string };
    const { apiVersion, kind } = manifest;
    const [group = "", version] = apiVersion.split("/");
    // The package names a group by its first word.
    const module = version ? `${group.split(".")[0]}/${version}` : `core/${group}`;
    const type = `import("kubernetes-types/${module}").${kind}`;
    return `export const manifest${index + 1}: ${type} = ${JSON.stringify(manifest)};\n`;
  });
  return inTemporaryFolder((folder) => {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "manifests.ts"), lines.join(""));
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--types", ""];
    const modules = ["--module", "esnext", "--moduleResolution", "bundler"];
    const compiler = join(root, "node_modules", ".bin", "tsc");
    const { status, stdout, stderr } = spawnSync(
      compiler,
      [...options, ...modules, "manifests.ts"],
      { cwd: folder, encoding: "utf8" },
    );
    const said = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("error"));
    if (status !== 0 && said.length === 0) return [`tsc ended with ${status}`];
    return said;
  });
}

/** The units, with a program that exists: here the service is not installed. */
export function unitProblems(): string[] {
  return inTemporaryFolder((folder) => {
    const files = globSync("systemd/*.service", { cwd: deploy }).map((unit) => {
      const text = readFileSync(join(deploy, unit), "utf8");
      const file = join(folder, unit.replace("systemd/", ""));
      writeFileSync(file, text.replace(/^ExecStart=\S+/m, "ExecStart=/bin/true"));
      return file;
    });
    const { stdout, stderr } = spawnSync("systemd-analyze", ["verify", ...files], {
      encoding: "utf8",
    });
    // It also says what is wrong with units of this machine.
    return `${stdout}${stderr}`.split("\n").filter((line) => line.includes("disburse"));
  });
}

function run(program: string, ...words: string[]): string[] {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8", cwd: root });
  return status === 0 ? [] : [`${stdout}${stderr}`.trim()];
}

function proxyProblems(): string[] {
  return inTemporaryFolder((folder) => {
    const errors = join(deploy, "cells", "unavailable.http");
    const text = readFileSync(join(deploy, "container", "haproxy.cfg"), "utf8")
      .replace(/ ssl crt \S+ alpn \S+/, "")
      .replaceAll("/etc/haproxy/unavailable.http", errors);
    const file = join(folder, "haproxy.cfg");
    writeFileSync(file, text);
    return run("haproxy", "-c", "-q", "-f", file);
  });
}

/** One version everywhere, a section of the changelog with its day, and no tag that is another commit. */
function versionProblems(version: string): string[] {
  const others = ["client", "console", ...globSync("packages/*/", { cwd: root })].filter(
    (folder) => readJson(`${folder}/package.json`).version !== version,
  );
  const section = new RegExp(`^## ${version.replaceAll(".", "\\.")}\\b`, "m");
  const tagged = commitOfTag(version, root);
  const isOther = tagged !== undefined && tagged !== gitIn(root, "rev-parse", "HEAD");
  return [
    ...others.map((folder) => `${folder}/package.json has another version than ${version}`),
    ...(section.test(read("CHANGELOG.md")) ? [] : [`CHANGELOG.md has no section ${version}`]),
    ...(isOther ? [`the tag v${version} is another commit: write a new version`] : []),
  ];
}

function gitIn(clone: string, ...words: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", words, { cwd: clone, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

function commitOfTag(version: string, clone: string): string | undefined {
  return gitIn(clone, "rev-parse", "--quiet", "--verify", `refs/tags/v${version}^{commit}`);
}

type Check = { what: string; needs?: string; problems: () => string[] };

function checksOf(version: string): Check[] {
  return [
    {
      what: "one version, with its section in the changelog",
      problems: () => versionProblems(version),
    },
    {
      what: "Compose: schema of the Compose Specification",
      problems: () => composeProblems(read("deploy/container/compose.yaml")),
    },
    {
      what: "Kubernetes: types of its OpenAPI document",
      problems: () => kubernetesProblems(read("deploy/kubernetes/disburse.yaml")),
    },
    {
      what: "bill of materials: schema of CycloneDX",
      problems: () => inTemporaryFolder((to) => sbomProblems(readFileSync(writeSbom(to), "utf8"))),
    },
    { what: "systemd units", needs: "systemd-analyze", problems: unitProblems },
    { what: "HAProxy of Compose", needs: "haproxy", problems: proxyProblems },
    {
      what: "alert rules, and when they fire",
      needs: "promtool",
      problems: () => [
        ...run("promtool", "check", "rules", "deploy/prometheus/alerts.yml"),
        ...run("promtool", "test", "rules", "deploy/prometheus/alerts.test.yml"),
      ],
    },
  ];
}

/** Refuses to tag what is not committed, or what is new but not in the section of the version. */
export function makeTag(version: string, clone = root): string[] {
  if (gitIn(clone, "status", "--porcelain") !== "") return ["commit everything first"];
  const changelog = readFileSync(join(clone, "CHANGELOG.md"), "utf8");
  const [, unreleased = ""] = /^## Unreleased\n([\s\S]*?)^## /m.exec(changelog) ?? [];
  if (unreleased.trim() !== "") {
    return [`CHANGELOG.md: move what is under "Unreleased" into the section of a version`];
  }
  const tagged = commitOfTag(version, clone);
  if (tagged !== undefined) {
    const isThis = tagged === gitIn(clone, "rev-parse", "HEAD");
    return isThis ? [] : [`the tag v${version} is another commit: write a new version`];
  }
  const words = ["tag", "-a", `v${version}`, "-m", `Disburse ${version}`];
  const { status, stderr } = spawnSync("git", words, { cwd: clone, encoding: "utf8" });
  return status === 0 ? [] : [stderr.trim()];
}

const isInstalled = (program: string) =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => globSync(join(folder, program))[0]);

function main(): void {
  const { values } = parseArgs({ options: { tag: { type: "boolean", default: false } } });
  const { version } = readJson("server/package.json") as { version: string };
  let failed = 0;
  let missing = 0;
  const say = (outcome: string, what: string, problems: readonly string[] = []) => {
    process.stdout.write(`${outcome.padEnd(10)} ${what}\n`);
    for (const problem of problems) process.stdout.write(`           ${problem}\n`);
  };
  for (const { what, needs, problems } of checksOf(version)) {
    if (needs && !isInstalled(needs)) {
      missing += 1;
      say("not here", `${what}: ${needs} is not installed`);
      continue;
    }
    const found = problems();
    if (found.length > 0) failed += 1;
    say(found.length > 0 ? "WRONG" : "right", what, found);
  }
  if (values.tag && failed + missing > 0) say("WRONG", "no tag: every check must be right");
  else if (values.tag) {
    const found = makeTag(version);
    if (found.length > 0) failed += 1;
    say(found.length > 0 ? "WRONG" : "right", `tag v${version}`, found);
  }
  process.exitCode = failed > 0 || (values.tag && missing > 0) ? 1 : 0;
}

if (import.meta.main) main();
