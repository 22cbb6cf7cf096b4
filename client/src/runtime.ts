// The differences between runtimes: the environment and the user agent.

/** A variable of the environment, or undefined where there is none or it may not be read. */
export function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[name];
  } catch {
    // Deno throws when the program was not allowed to read this variable.
    return undefined;
  }
}

/** Whether this is a page or a worker of a browser, which sets its own user agent. */
export function isBrowser(): boolean {
  // Servers name themselves here too (Node.js/24, Deno/2, Bun/1), but only browsers say Mozilla.
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return navigator?.userAgent?.startsWith("Mozilla/") ?? false;
}
