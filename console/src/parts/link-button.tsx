// A link to a page that looks like a button.

import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { parseSearch } from "../state/filters.ts";
import type { Icon } from "./icons.tsx";

export function LinkButton({
  to,
  icon: Icon,
  isPrimary = false,
  size,
  children,
}: {
  to: string;
  icon?: Icon;
  isPrimary?: boolean;
  size?: string;
  children: ReactNode;
}) {
  const [path, search = ""] = to.split("?");
  return (
    <Button
      renderRoot={(props) => (
        <Link {...props} to={path as never} search={parseSearch(search) as never} />
      )}
      {...(size && { size })}
      variant={isPrimary ? "filled" : "default"}
      leftSection={Icon && <Icon size={15} aria-hidden />}
    >
      {children}
    </Button>
  );
}
