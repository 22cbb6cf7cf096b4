// A screen whose code is loaded when it is first shown. Where loading fails, the page shows an error. The router's default
// is to reload the document, which fails when the server can't be reached.

import { lazyRouteComponent } from "@tanstack/react-router";
import { checkReachable } from "../api/call.ts";

export class PageNotLoaded extends Error {}

export type LoadScreen<Name extends string> = () => Promise<Record<Name, React.ComponentType>>;

export function lazyPage<Name extends string>(load: LoadScreen<Name>, name: Name) {
  return lazyRouteComponent(
    () =>
      load().catch((cause) => {
        checkReachable();
        throw new PageNotLoaded("The code of the page could not be loaded", { cause });
      }),
    name,
  );
}
