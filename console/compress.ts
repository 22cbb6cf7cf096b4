// Compresses the files of a built console, beside each one, as the server gives it out to those who take it.

import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** The smallest files take eight times as long, and are a twelfth smaller: for a release. */
const qualities = { quickly: 9, well: constants.BROTLI_MAX_QUALITY };

export async function compress(folder: string, how: keyof typeof qualities): Promise<void> {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: qualities[how] } };
  const texts = globSync("assets/**/*.{js,css,svg}", { cwd: folder });
  await Promise.all(
    texts.map(async (name) => {
      const file = join(folder, name);
      const bytes = await readFile(file);
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(bytes, quality),
        promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
      ]);
      await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
    }),
  );
}
