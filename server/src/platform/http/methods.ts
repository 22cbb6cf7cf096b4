// Finds the methods of a path, to answer a wrong method with 405 instead of 404.

import type { Api } from "./route.ts";

export function methodsByPath(app: Api): (url: string) => string[] {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook("onRoute", ({ url, method }) => {
    const pattern = new RegExp(
      `^${url.replace(/:[^/]+|\*/g, (part) => (part === "*" ? ".*" : "[^/]*"))}$`,
    );
    const route = routes.get(url) ?? { pattern, methods: new Set() };
    for (const one of [method].flat()) route.methods.add(one);
    routes.set(url, route);
  });
  return (url) => {
    const path = url.split("?")[0] as string;
    const matching = [...routes.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))];
  };
}
