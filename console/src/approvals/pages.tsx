// To the next page of the queue, and back.

import { Button, Group } from "@mantine/core";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ListPage } from "../api/page.ts";

export function Pages({
  page: { onNext, onPrevious, isStale },
}: {
  page: Pick<ListPage<never>, "onNext" | "onPrevious" | "isStale">;
}) {
  if (!onNext && !onPrevious) return null;
  return (
    <Group component="nav" aria-label="Pages" justify="flex-end" gap="xs">
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
