// The Chromium of the npm package @sparticuz/chromium, unpacked once into a folder of this checkout.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// A variable, so that the compiler does not look for it: npm test does not install it.
const packageName: string = "@sparticuz/chromium";
const packageFolder = () => join(dirname(fileURLToPath(import.meta.resolve(packageName))), "..");
const cacheFolder = join(import.meta.dirname, "..", "..", "node_modules", ".cache");

/** The path of its executable, and the environment for its libraries and fonts. */
type PackagedBrowser = { executablePath: string; env: NodeJS.ProcessEnv };

/** The package holds a binary for one platform only. */
export const hasPackagedBrowser = process.platform === "linux" && process.arch === "x64";

export async function unpackBrowser(): Promise<PackagedBrowser> {
  const { version } = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8"));
  const folder = join(cacheFolder, `chromium-${version}`);
  await unpackInto(folder, ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"]);
  const libraries = [join(folder, "al2023", "lib"), process.env.LD_LIBRARY_PATH];
  const env = {
    ...process.env,
    ...fontEnvironment(folder),
    LD_LIBRARY_PATH: libraries.filter(Boolean).join(":"),
  };
  return { executablePath: join(folder, "chromium"), env };
}

/** Unpacks archives of the package, unless the folder is already there. Processes may do it at the same time. */
export async function unpackInto(folder: string, archives: string[]): Promise<void> {
  if (existsSync(folder)) return;
  const { inflate }: { inflate(path: string): Promise<string> } = await import(packageName);
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}-unfinished-`);
  try {
    // The package unpacks into the temporary folder that is named at the moment of the call.
    const formerFolder = process.env.TMPDIR;
    process.env.TMPDIR = unfinished;
    const unpacking = archives.map((name) => inflate(join(packageFolder(), "bin", name)));
    if (formerFolder === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = formerFolder;
    await Promise.all(unpacking);
    renameSync(unfinished, folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/**
 * Makes fontconfig find the fonts of this folder. The package's own fonts.conf names fixed folders of the machine
 * that it was made for; without a font, text has no height and a missing glyph ends the browser.
 */
export function fontEnvironment(folder: string): NodeJS.ProcessEnv {
  const configFolder = join(folder, "fonts");
  const config = join(configFolder, "fonts.conf");
  // Renamed into place, because another browser may be reading it.
  const unfinished = `${config}.${process.pid}`;
  writeFileSync(
    unfinished,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${escapeXml(join(configFolder, "fonts"))}</dir>
  <cachedir>${escapeXml(join(folder, "fonts-cache"))}</cachedir>
</fontconfig>
`,
  );
  renameSync(unfinished, config);
  // A file that is named for the machine would take precedence over the folder.
  return { FONTCONFIG_PATH: configFolder, FONTCONFIG_FILE: config };
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
