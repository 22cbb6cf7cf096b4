// npm run generate: writes the types and operations of the clients in Python and PHP from openapi.json. A test fails
// when they are stale.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import manifest from "../../client/package.json" with { type: "json" };
import { classByCode, classByStatus } from "../../client/src/reply.ts";
import { webhookCures } from "../../client/src/webhook-error.ts";
import { type Model, type OpenApi, readModel, type Shared } from "./operations.ts";
import { phpFiles } from "./php.ts";
import { pythonFiles } from "./python.ts";

const root = join(import.meta.dirname, "..", "..");

/** The files of both clients, by their path from the root. */
export function generatedFiles(document: OpenApi): Record<string, string> {
  const model: Model = readModel(document);
  const namesOf = (classes: Record<string, { name: string }>) =>
    Object.fromEntries(Object.entries(classes).map(([key, { name }]) => [key, name]));
  const shared: Shared = {
    version: manifest.version,
    classByCode: namesOf(classByCode),
    classByStatus: namesOf(classByStatus),
    webhookCures,
  };
  return { ...pythonFiles(model, shared), ...phpFiles(model, shared) };
}

if (import.meta.main) {
  const document = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));
  for (const [path, text] of Object.entries(generatedFiles(document))) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
