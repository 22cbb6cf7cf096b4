// The examples of deploy/: they parse, and they fit the code: settings, ports, probes, roles, times. And the bill of
// materials.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import {
  composeProblems,
  kubernetesProblems,
  sbomProblems,
  unitProblems,
} from "../../../release-check.ts";
import { writeSbom } from "../../../sbom.ts";
import { processRoles } from "../../../src/doors/setup/roles.ts";
import { version } from "../../../src/platform/base/version.ts";
import { settings } from "../../../src/platform/config/config.ts";
import { limits } from "../../../src/platform/limits/limits.ts";
import { missingCommands, testUnless } from "../../support/skippable.ts";

const deploy = join(import.meta.dirname, "..", "..", "..", "..", "deploy");
const read = (file: string) => readFileSync(join(deploy, file), "utf8");
const shutdownSeconds = limits.shutdownMs / 1000;
const known = (name: string) => name in settings || name === "NODE_ENV";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "disburse-deploy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The role after "--role" in the words of a command. */
function roleOf(words: string[]): string {
  expect(words[0]).toBe("serve");
  return words[words.indexOf("--role") + 1] as string;
}

test("the Dockerfile sets settings that exist, exposes their ports and ends as no root", () => {
  const text = read("container/Dockerfile");
  const env = /^ENV (.+)$/m.exec(text)?.[1] as string;
  const pairs = Object.fromEntries(env.split(" ").map((pair) => pair.split("=")));
  expect(Object.keys(pairs).filter((name) => !known(name))).toEqual([]);
  expect(text).toContain(`EXPOSE ${pairs.PORT} ${pairs.ADMIN_PORT}\n`);
  expect(text).toMatch(/^USER 1000$/m);
  expect(text).toContain("node_modules/.bin/disburse");
});

test("Compose starts the roles, with settings that exist and time to end", () => {
  const { services, volumes } = parse(read("container/compose.yaml"), { merge: true });
  expect(Object.keys(services)).toEqual(["postgres", "migrate", "api", "worker", "edge"]);
  for (const name of ["api", "worker"]) {
    const { command, environment, stop_grace_period, healthcheck } = services[name];
    expect(roleOf(command)).toBe(name);
    expect(processRoles).toContain(name);
    expect(Object.keys(environment).filter((each) => !known(each))).toEqual([]);
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(shutdownSeconds + 10);
    expect(healthcheck.test.at(-1)).toContain("127.0.0.1:4001/readyz");
  }
  expect(Object.keys(volumes)).toEqual(["postgres", "state"]);
  const { migrate, api, worker, edge } = services;
  expect(migrate.command).toEqual(["migrate", "--runtime-role", "disburse_app"]);
  const userOf = ({ environment }: typeof api) => /\/\/(\w+):/.exec(environment.DATABASE_URL)?.[1];
  expect([migrate, api, worker].map(userOf)).toEqual([
    "disburse_owner",
    "disburse_app",
    "disburse_app",
  ]);
  expect(api.environment.TRUST_PROXY).toBe(edge.networks.default.ipv4_address);
  for (const role of ["disburse_owner", "disburse_app"])
    expect(read("container/roles.sh")).toContain(`create role ${role} login`);
});

testUnless(missingCommands("haproxy"))("HAProxy accepts the edge of Compose", () => {
  const folder = temporaryFolder();
  const errors = join(deploy, "cells", "unavailable.http");
  const text = read("container/haproxy.cfg")
    .replace(/ ssl crt \S+ alpn \S+/, "")
    .replaceAll("/etc/haproxy/unavailable.http", errors);
  expect(text).toContain("api:4000");
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, text);
  const { status, stderr } = spawnSync("haproxy", ["-c", "-q", "-f", file], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

const units = ["disburse.service", "disburse-worker.service"];

test("the unit that migrates runs before the others, with settings of its own", () => {
  const text = read("systemd/disburse-migrate.service");
  expect(text).toContain(`Before=${units.join(" ")}\n`);
  expect(text).toMatch(/^ExecStart=\S+disburse migrate --runtime-role disburse_app$/m);
  for (const unit of units) {
    expect(read(`systemd/${unit}`)).toMatch(/^Requires=disburse-migrate\.service$/m);
    expect(read(`systemd/${unit}`)).not.toContain("owner.env");
  }
});

test.each(units)("%s has a role that exists, settings that exist and time to end", (unit) => {
  const text = read(`systemd/${unit}`);
  const words = /^ExecStart=\S+disburse (.+)$/m.exec(text)?.[1]?.split(" ") as string[];
  expect(processRoles).toContain(roleOf(words));
  for (const [, name = ""] of text.matchAll(/^Environment=(\w+)=/gm))
    expect(known(name)).toBe(true);
  const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]);
  expect(stop).toBeGreaterThan(shutdownSeconds + 10);
  // Node lists the addresses of the machine by it, for a service that listens on all of them.
  expect(text).toMatch(/^RestrictAddressFamilies=.*\bAF_NETLINK\b/m);
});

testUnless(missingCommands("systemd-analyze"))("systemd accepts the units", () => {
  expect(unitProblems()).toEqual([]);
});

test("the Compose Specification's schema accepts the file, and refuses a slip in it", () => {
  const text = read("container/compose.yaml");
  expect(composeProblems(text)).toEqual([]);
  const slip = text.replace("stop_grace_period: 60s", "stop_grace_periods: 60s");
  expect(composeProblems(slip).join()).toContain("stop_grace_periods");
});

test("the types of Kubernetes accept the manifests, and refuse slips in them", () => {
  const text = read("kubernetes/disburse.yaml");
  expect(kubernetesProblems(text)).toEqual([]);
  const misspelt = text.replace("readinessProbe:", "readynessProbe:");
  expect(kubernetesProblems(misspelt).join()).toContain("readynessProbe");
  const wrong = text.replace("replicas: 2", 'replicas: "2"');
  expect(kubernetesProblems(wrong).join()).toContain("not assignable");
});

test("the Kubernetes manifests have probes, budgets and time to end, and fit the code", () => {
  const documents = parseAllDocuments(read("kubernetes/disburse.yaml"));
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  const all = documents.map((document) => document.toJS());
  const ofKind = (kind: string) => all.filter((each) => each.kind === kind);
  expect(all.map(({ kind }) => kind).sort()).toEqual(
    ["ConfigMap", "Deployment", "Deployment", "Job", "NetworkPolicy"].concat([
      "PodDisruptionBudget",
      "PodDisruptionBudget",
      "Service",
    ]),
  );
  const secretsOf = (kind: string) =>
    ofKind(kind).map(
      ({ spec }) => spec.template.spec.containers[0].envFrom[0].secretRef.name as string,
    );
  expect([secretsOf("Job"), secretsOf("Deployment")]).toEqual([
    ["disburse-owner"],
    ["disburse", "disburse"],
  ]);
  // Metrics have no authentication, so no rule opens both ports.
  const [policy] = ofKind("NetworkPolicy");
  expect(policy.spec.ingress.map(({ ports }: { ports: object[] }) => ports)).toEqual([
    [{ port: "http" }],
    [{ port: "admin" }],
  ]);
  expect(Object.keys(ofKind("ConfigMap")[0].data).filter((name) => !known(name))).toEqual([]);
  for (const { metadata, spec } of ofKind("Deployment")) {
    const { labels } = spec.template.metadata;
    expect(spec.selector.matchLabels).toEqual(labels);
    expect(metadata.name).toBe(`disburse-${labels.role}`);
    const budgets = ofKind("PodDisruptionBudget").map((each) => each.spec.selector.matchLabels);
    expect(budgets).toContainEqual(labels);
    const [container] = spec.template.spec.containers;
    expect(container.image.split(":")).toEqual([expect.stringMatching(/\/disburse$/), version]);
    expect(roleOf(container.args)).toBe(labels.role);
    expect(processRoles).toContain(labels.role);
    const ports = container.ports.map(
      ({ name, containerPort }: { name: string; containerPort: number }) => [name, containerPort],
    );
    expect(ports).toEqual([
      ["http", 4000],
      ["admin", 4001],
    ]);
    expect(container.livenessProbe.httpGet).toEqual({ path: "/healthz", port: "admin" });
    expect(container.readinessProbe.httpGet).toEqual({ path: "/readyz", port: "admin" });
    const pause = Number(container.lifecycle.preStop.exec.command.at(-1));
    const grace = spec.template.spec.terminationGracePeriodSeconds;
    expect(grace).toBeGreaterThan(pause + shutdownSeconds + 10);
  }
  expect(ofKind("Service")[0].spec.selector).toEqual({ app: "disburse", role: "api" });
});

test("the bill of materials lists what runs, and no registry", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "out"));
  const text = readFileSync(writeSbom(join(folder, "out")), "utf8");
  const bill = JSON.parse(text);
  expect([bill.bomFormat, bill.metadata.component.name]).toEqual(["CycloneDX", "disburse"]);
  expect(bill.metadata.component.version).toBe(version);
  const names = bill.components.map(({ name }: { name: string }) => name);
  // All that the server and the console name, also where a package for development names it too.
  for (const part of ["server", "packages/bank-formats", "console"]) {
    const { dependencies } = JSON.parse(read(`../${part}/package.json`));
    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  }
  expect(names).not.toContain("vitest");
  expect(text).not.toMatch(/https?:\/\/[^"/]*(?:registry|npmjs)/);
  expect(sbomProblems(text)).toEqual([]);
  const slip = text.replace('"bom-ref"', '"bom_ref"');
  expect(sbomProblems(slip).join()).toContain("bom_ref");
});
