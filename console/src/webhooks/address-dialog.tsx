// Sets the URL of the webhook endpoint. The first time, its secret is created and shown once.

import { Text, TextInput } from "@mantine/core";
import type { SetWebhook } from "@server/doors/console/webhooks/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import type { Secret } from "../parts/one-time-secret.tsx";
import { webhooksTexts } from "../texts/webhooks.ts";

type Props = { url: string; onSecret: (secret: Secret) => void; onClose: () => void };

export function AddressDialog({ opened, ...form }: { opened: boolean } & Props) {
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={webhooksTexts.endpointUrl}>
      <AddressForm {...form} />
    </FormDialog>
  );
}

function AddressForm({ url: before, onSecret, onClose }: Props) {
  const [url, setUrl] = useState(before);
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const set = useMutation({
    mutationFn: async () => {
      const made = await send<SetWebhook>("PUT", apiOf("/webhook"), { url: url.trim() });
      client.setQueryData([id, "events", "webhook"], made.webhook);
      onClose();
      if (made.secret !== null) onSecret(webhookSecret(made.secret));
    },
  });
  const problem = urlProblem(set.error);
  return (
    <DialogForm
      act={set}
      fields={problem === undefined ? [] : ["postback_url"]}
      label="Save"
      onSubmit={() => set.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={webhooksTexts.endpointUrl}
        description="A public https:// URL that responds with 2xx. Leave empty to turn off."
        placeholder="https://example.com/events"
        value={url}
        error={problem}
        onChange={(event) => setUrl(event.currentTarget.value)}
        data-autofocus
      />
      <Text size="sm" c="dimmed">
        Saving re-enables a disabled endpoint and retries pending events.
      </Text>
    </DialogForm>
  );
}

/** The server names the field of the API, and not that http://localhost works in development. */
function urlProblem(error: unknown): string | undefined {
  const problems = error instanceof ApiProblem ? error.problems : [];
  const { message = "" } = problems.find(({ field }) => field === "postback_url") ?? {};
  if (message.includes("must begin with https://")) {
    return "Enter a URL that starts with https://. Only http://localhost works without TLS, in development.";
  }
  return message.startsWith("postback_url ")
    ? message.replace("postback_url", "The URL")
    : undefined;
}

export function webhookSecret(value: string): Secret {
  return {
    title: "Secret of your webhook endpoint",
    label: "Signs the events that you receive",
    value,
    env: [["DISBURSE_WEBHOOK_SECRET", value]],
  };
}
