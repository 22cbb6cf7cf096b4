// Deletes a webhook endpoint.

import { Modal, Text } from "@mantine/core";
import type { EndpointLine } from "@server/doors/console/webhook-endpoints/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { DialogForm } from "../parts/form-dialog.tsx";
import { countText } from "../state/locale.ts";

type Props = { endpoint: EndpointLine; onClose: () => void };

export function DeleteEndpointDialog({ opened, ...form }: { opened: boolean } & Props) {
  return (
    <Modal opened={opened} onClose={form.onClose} title="Delete endpoint">
      <DeleteForm {...form} />
    </Modal>
  );
}

function DeleteForm({ endpoint: { id, url, waiting }, onClose }: Props) {
  const subaccount = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => send("DELETE", apiOf(`/webhook-endpoints/${id}`), {}),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: [subaccount.id, "events"] });
      onClose();
    },
  });
  return (
    <DialogForm
      act={remove}
      label="Delete endpoint"
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        Nothing is sent to {url} from now on.
        {waiting > 0 && ` ${countText(waiting)} pending events are dropped.`}
      </Text>
    </DialogForm>
  );
}
