// Installs and builds a peer, once for each state of its files. Only the measure that needs it calls this.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "../progress.ts";

const peer = join(import.meta.dirname, "nestjs-prisma");
const installed = join(peer, "node_modules", ".installed");
const built = join(peer, "dist", ".built");
const sources = ["package-lock.json", "schema.prisma", "tsconfig.json", "src/**/*.ts"];

/** A compiled module of the peer. Loaded by its path, since its types are only there after the build. */
export function peerModule(file: string): string {
  return join(peer, "dist", file);
}

export const peerTables = join(peer, "tables.sql");

export function buildPeer(): void {
  if (!isCurrent(installed, ["package-lock.json"])) {
    say("installing the peer: NestJS and Prisma, a minute or more the first time");
    const npm = process.env.npm_execpath;
    const words = ["ci", "--include=dev", "--ignore-scripts", "--loglevel=error"];
    if (npm?.endsWith("js")) run(process.execPath, [npm, ...words]);
    else run("npm", words);
    markCurrent(installed, ["package-lock.json"]);
  }
  if (isCurrent(built, sources)) return;
  say("building the peer");
  rmSync(join(peer, "dist"), { recursive: true, force: true });
  rmSync(join(peer, "src", "generated"), { recursive: true, force: true });
  run(process.execPath, [join("node_modules", "prisma", "build", "index.js"), "generate"]);
  run(process.execPath, [join("node_modules", "typescript", "bin", "tsc"), "-p", "."]);
  markCurrent(built, sources);
}

function run(program: string, words: string[]): void {
  execFileSync(program, words, {
    cwd: peer,
    // Shown with the error if it fails.
    stdio: ["ignore", "ignore", "pipe"],
    // prisma would download its engine for migrations, which it does not use here. Any file in its place prevents that.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: "1" },
  });
}

function isCurrent(stamp: string, patterns: string[]): boolean {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === hashOf(patterns);
}

function markCurrent(stamp: string, patterns: string[]): void {
  writeFileSync(stamp, hashOf(patterns));
}

function hashOf(patterns: string[]): string {
  const hash = createHash("sha256");
  const files = globSync(patterns, { cwd: peer, exclude: ["src/generated/**"] });
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(peer, file)));
  return hash.digest("hex");
}
