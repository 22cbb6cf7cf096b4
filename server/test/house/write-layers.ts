// Draws the layers into ARCHITECTURE.md. A part of `npm run generate`; the tidy test fails when the picture is stale.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { layerPicture } from "./layers.ts";

const file = join(import.meta.dirname, "..", "..", "..", "ARCHITECTURE.md");
const drawn = /<!-- layers:[\s\S]*<!-- end of layers -->/;
writeFileSync(file, readFileSync(file, "utf8").replace(drawn, layerPicture()));
