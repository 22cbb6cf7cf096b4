// The map of the edge after a move.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeEdgeMap } from "../../../src/doors/moves/edge-map.ts";

test("a move replaces the lines of its keys and keeps all others", () => {
  const folder = mkdtempSync(join(tmpdir(), "disburse-map-"));
  const path = join(folder, "moved-keys.map");
  try {
    writeEdgeMap(path, ["ak_live_one", "ak_live_two"], "b");
    expect(readFileSync(path, "utf8")).toBe("ak_live_one cell_b\nak_live_two cell_b\n");
    writeFileSync(path, "# kept\nak_live_one cell_b\nak_live_other cell_c\n");
    writeEdgeMap(path, ["ak_live_one"], "default");
    expect(readFileSync(path, "utf8")).toBe(
      "# kept\nak_live_other cell_c\nak_live_one cell_default\n",
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
