// A screen whose code is loaded when it is first shown. Code that can't be loaded is an error of that page, in its
// place: the router's own way is to reload the document, which is lost when the server is away.

import { lazyRouteComponent } from "@tanstack/react-router";
import { checkReachable } from "../api/call.ts";

export class PageNotLoaded extends Error {}

export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, React.ComponentType>>,
  name: Name,
) {
  return lazyRouteComponent(
    () =>
      load().catch((cause) => {
        checkReachable();
        throw new PageNotLoaded("The code of the page could not be loaded", { cause });
      }),
    name,
  );
}
