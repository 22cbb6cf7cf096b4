// Previous and next page of a list. Nothing where there is only one page.

import { Button, Group } from "@mantine/core";
import type { ListPage } from "../api/page.ts";
import { ChevronLeft, ChevronRight } from "./icons.tsx";

export function Pager({
  page: { onNext, onPrevious, isStale = false },
  className = "",
}: {
  page: Pick<ListPage<never>, "onNext" | "onPrevious"> & { isStale?: boolean };
  className?: string | undefined;
}) {
  if (!onNext && !onPrevious) return null;
  return (
    <Group component="nav" aria-label="Pages" justify="flex-end" gap="xs" className={className}>
      <Button
        size="compact-sm"
        variant="default"
        disabled={!onPrevious}
        onClick={onPrevious}
        leftSection={<ChevronLeft size={14} aria-hidden />}
      >
        Previous
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={!onNext || isStale}
        onClick={onNext}
        rightSection={<ChevronRight size={14} aria-hidden />}
      >
        Next
      </Button>
    </Group>
  );
}
