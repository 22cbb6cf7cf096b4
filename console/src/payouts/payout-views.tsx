// Switches between the list of payouts and the board.

import { SegmentedControl } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { usePageOf } from "../api/me.ts";

export function PayoutViews({ shown }: { shown: "list" | "board" }) {
  const pageOf = usePageOf();
  const navigate = useNavigate();
  const open = (view: string) =>
    void navigate({
      to: (view === "list" ? pageOf("payouts") : pageOf("payouts", "board")) as never,
    });
  return (
    <SegmentedControl
      aria-label="View of payouts"
      value={shown}
      onChange={open}
      data={[
        { value: "list", label: "List" },
        { value: "board", label: "Pipeline" },
      ]}
    />
  );
}
