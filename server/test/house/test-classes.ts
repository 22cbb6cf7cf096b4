// The class of each test file, which is its folder and its project in Vitest. `npm test` runs the quick classes,
// `npm run test:all` all.

export type TestClass = { files: string[]; setups: string[] };

const inFolder = (name: string) => `server/test/${name}/**/*.test.ts`;

/** By name: where the files are, and what starts before the first of them. */
export const testClasses: Record<string, TestClass> = {
  tidy: { files: ["server/test/house/tidy*.test.ts"], setups: [] },
  pure: {
    files: [inFolder("pure"), "packages/*/test/**/*.test.ts"],
    setups: [],
  },
  client: { files: ["client/test/*.test.ts"], setups: [] },
  service: { files: [inFolder("service")], setups: ["database"] },
  commands: {
    files: [inFolder("commands"), "client/test/commands/*.test.ts"],
    setups: ["database", "bundled-programs"],
  },
  browser: { files: [inFolder("browser")], setups: ["database"] },
  crashes: { files: [inFolder("crashes")], setups: ["database", "bundled-programs"] },
  long: {
    files: [inFolder("long")],
    setups: ["database", "bundled-programs"],
  },
};

/**
 * All but the tidy tests, in as few projects as can be: between two projects, workers end and idle. Pure tests measure their
 * own memory, and those of the client resolve it as a program of a caller does.
 */
export function fewProjects(): Record<string, TestClass> {
  const { tidy: _, pure, client, ...others } = testClasses;
  const all = Object.values(others);
  return {
    all: {
      files: all.flatMap(({ files }) => files),
      setups: [...new Set(all.flatMap(({ setups }) => setups))],
    },
    ...(pure && client && { pure, client }),
  };
}
