// Sets the outcome of an identity check or a payout, as if a provider or the bank had reported it. Only in test mode.

import { Button, type ButtonProps, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { OutcomeSet, OutcomeToSimulate } from "@server/doors/test-helpers/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { ChevronDown } from "./icons.tsx";
import { problemText } from "./problem.tsx";

export function SimulateOutcome({
  of: { id, type },
  outcomes,
  ...button
}: {
  of: { id: string; type: "kyc" | "payout" };
  /** Those that the state allows now. */
  outcomes: readonly { status: OutcomeToSimulate["status"]; label: string }[];
} & ButtonProps) {
  const { id: subaccountId, mode, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const simulate = useMutation({
    mutationFn: (status: string) =>
      send<OutcomeSet>("POST", apiOf("/simulated-outcomes"), { id, type, status }),
    onSuccess: () => {
      notifications.show({ message: "Outcome simulated", color: "teal" });
      void client.invalidateQueries({ queryKey: [subaccountId] });
    },
    onError: (error) => notifications.show({ message: problemText(error), color: "red" }),
  });
  const may = useMay("outcomes.simulate");
  if (!may || mode !== "test" || is_closed || outcomes.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<ChevronDown size={14} aria-hidden />}
          loading={simulate.isPending}
          {...button}
        >
          Simulate outcome
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Only in test mode</Menu.Label>
        {outcomes.map(({ status, label }) => (
          <Menu.Item key={status} onClick={() => simulate.mutate(status)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
