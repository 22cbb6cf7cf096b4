// The names of people and organisations in a consolidated list of the United Nations, for trying the matcher.

import { readFileSync } from "node:fs";
import { SaxesParser } from "saxes";

export type UnName = { entry: string; kind: "person" | "organisation"; text: string };

const nameParts = ["FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME"];

/** Main names, aliases of all qualities, and names in their own script. */
export function readUnNames(file: string): UnName[] {
  const names: UnName[] = [];
  const parser = new SaxesParser();
  const path: string[] = [];
  let text = "";
  let parts: string[] = [];
  let others: string[] = [];
  let entry = "";
  parser.on("opentag", ({ name }) => {
    path.push(name);
    text = "";
    if (name !== "INDIVIDUAL" && name !== "ENTITY") return;
    parts = [];
    others = [];
  });
  parser.on("text", (more) => {
    text += more;
  });
  parser.on("closetag", ({ name }) => {
    path.pop();
    const value = text.replaceAll(/\s+/g, " ").trim();
    text = "";
    if (name === "INDIVIDUAL" || name === "ENTITY") {
      const kind = name === "ENTITY" ? "organisation" : "person";
      const all = new Set([parts.join(" "), ...others]);
      for (const each of all) if (each !== "") names.push({ entry, kind, text: each });
      return;
    }
    if (value === "") return;
    const parent = path.at(-1);
    const isOfEntry = parent === "INDIVIDUAL" || parent === "ENTITY";
    if (isOfEntry && name === "DATAID") entry = value;
    if (isOfEntry && nameParts.includes(name)) parts.push(value);
    if (name === "ALIAS_NAME" || (isOfEntry && name === "NAME_ORIGINAL_SCRIPT")) others.push(value);
  });
  parser.write(readFileSync(file, "utf8")).close();
  return names;
}
