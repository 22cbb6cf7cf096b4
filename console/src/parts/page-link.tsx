// A link to a page of the console, by its address below /console.

import { Anchor, type AnchorProps } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { parseSearch } from "../state/filters.ts";

export function PageLink({
  to,
  children,
  ...rest
}: { to: string; children: ReactNode } & AnchorProps) {
  const [path, search = ""] = to.split("?");
  return (
    <Anchor
      inherit
      {...rest}
      renderRoot={(props) => (
        <Link {...props} to={path as never} search={parseSearch(search) as never} />
      )}
    >
      {children}
    </Anchor>
  );
}
