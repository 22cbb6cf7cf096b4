// Draws the wings and their nouns into ARCHITECTURE.md. A part of `npm run generate`; the tidy test fails when they are stale.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nounTable, wingPicture } from "./wings.ts";

const file = join(import.meta.dirname, "..", "..", "..", "ARCHITECTURE.md");
const text = readFileSync(file, "utf8")
  .replace(/<!-- wings:[\s\S]*<!-- end of wings -->/, wingPicture())
  .replace(/<!-- nouns:[\s\S]*<!-- end of nouns -->/, nounTable());
writeFileSync(file, text);
