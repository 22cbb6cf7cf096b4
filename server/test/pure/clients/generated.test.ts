// The clients in Python and PHP have the types and operations of openapi.json, and the face of the TypeScript client.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Disburse } from "@disburse/client";
import { expect, test } from "vitest";
import { type OpenApi, readModel } from "../../../../clients/generator/operations.ts";
import { snakeCase } from "../../../../clients/generator/text.ts";
import { generatedFiles } from "../../../../clients/generator/write.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const readDocument = (): OpenApi => JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));

test("the generated files of the clients are up to date (npm run generate writes them)", () => {
  const files = Object.entries(generatedFiles(readDocument()));
  expect(files.length).toBeGreaterThan(10);
  for (const [path, text] of files) expect(readFileSync(join(root, path), "utf8"), path).toBe(text);
});

test("a new field of a schema is in both clients, and so is a new filter", () => {
  const document = readDocument();
  const before = generatedFiles(document);
  const { properties = {}, required = [] } = document.components.schemas.Payout ?? {};
  properties.colour = { type: "string", enum: ["red", "green"] };
  required.push("colour");
  document.paths["/api/payout"]?.get?.parameters?.push({
    ...{ in: "query", name: "shade", required: false },
    schema: { type: "integer" },
  });
  const after = generatedFiles(document);
  const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
  expect(changed).toEqual([
    "clients/python/src/disburse/schemas.py",
    "clients/php/src/Schemas.php",
  ]);
  const [python = "", php = ""] = changed.map((path) => after[path]);
  expect(python).toContain('    colour: Literal["red", "green"]\n');
  expect(python).toContain("    shade: int\n");
  expect(php).toContain("colour: 'red'|'green'");
  expect(php).toContain("shade?: int");
});

test("an operation without a row in the table of the clients' methods is refused", () => {
  const document = readDocument();
  const [path = "", methods = {}] = Object.entries(document.paths)[0] ?? [];
  const [verb = "", operation] = Object.entries(methods)[0] ?? [];
  if (operation)
    document.paths[`${path}/new`] = { [verb]: { ...operation, operationId: "newOne" } };
  expect(() => readModel(document)).toThrow("newOne has no row");
});

test("the clients have the methods of the TypeScript client", () => {
  const options = { apiKey: "ak_test_1", apiSecret: "sk_test_1", baseUrl: "http://127.0.0.1" };
  const disburse = new Disburse(options);
  const own = Object.entries(disburse).flatMap(([resource, object]) => {
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(object));
    return methods.map((method) => `${resource}.${method}`);
  });
  const isOfResource = (name: string) => !/^webhooks\.|\.constructor$/.test(name);
  const { methods } = readModel(readDocument());
  const generated = methods.map(({ resource, name }) => `${resource}.${name}`);
  expect(generated.sort()).toEqual(own.filter(isOfResource).sort());
});

test("both clients have every resource, and their pages list every method", () => {
  const languages = [
    { folder: "python", program: "src/disburse/client.py", spell: snakeCase, sign: "self." },
    { folder: "php", program: "src/Disburse.php", spell: (name: string) => name, sign: "$this->" },
  ];
  for (const { folder, program, spell, sign } of languages) {
    const textOf = (file: string) => readFileSync(join(root, "clients", folder, file), "utf8");
    const page = textOf("README.md");
    for (const { resource, name } of readModel(readDocument()).methods) {
      expect(textOf(program)).toContain(`${sign}${spell(resource)} = `);
      const row = page.split("\n").find((line) => line.startsWith(`| \`${spell(resource)}\` |`));
      expect(row, `${folder}: ${resource}.${name}`).toContain(`\`${spell(name)}\``);
    }
  }
});
