// Adds sample data to an empty test subaccount, and removes it. In live mode there is none.

import { Group, Text } from "@mantine/core";
import type { Quickstart } from "@server/doors/console/quickstart/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useMay, useSubaccount } from "../api/me.ts";
import { Act } from "../parts/act.tsx";

export function SampleData({ samples }: Pick<Quickstart, "samples">) {
  const { id } = useSubaccount();
  const client = useQueryClient();
  if (!useMay("payouts.create") || samples === null) return null;
  const ask = (method: "POST" | "DELETE") => async () => {
    await send(method, `/s/${id}/samples`);
    await client.invalidateQueries();
  };
  return (
    <Group gap="sm" maw={860}>
      <Text size="sm" c="dimmed" flex={1} miw={240}>
        {samples === "possible"
          ? "See the pages with data first: three receivers, two accounts, test funds, and payouts that are paid, returned, failed, pending and planned. They don't count as your steps."
          : "This subaccount has sample data, named Sample."}
      </Text>
      {samples === "possible" ? (
        <Act key="add" label="Add sample data" done="Sample data added" onAct={ask("POST")} />
      ) : (
        <Act
          key="remove"
          label="Remove sample data"
          danger
          done="Sample data removed"
          onAct={ask("DELETE")}
          confirm={{
            title: "Remove the sample data?",
            text: "Its payouts that were not sent are cancelled, its accounts are closed, and its receivers are deactivated. Sent payouts and test funds stay in the books, because nothing in them is deleted.",
            label: "Remove",
          }}
        />
      )}
    </Group>
  );
}
