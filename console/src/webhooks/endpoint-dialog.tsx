// Creates or changes a webhook endpoint. A new one has a secret, which is shown once.

import { MultiSelect, NumberInput, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type {
  EndpointLine,
  IssuedEndpoint,
} from "@server/doors/console/webhook-endpoints/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import type { Secret } from "../parts/one-time-secret.tsx";
import { webhooksTexts } from "../texts/webhooks.ts";
import { webhookSecret } from "./address-dialog.tsx";
import { useWebhook } from "./webhook.ts";

type Props = {
  /** Absent: a new one. */
  endpoint?: EndpointLine;
  onSecret: (secret: Secret) => void;
  onClose: () => void;
};

export function EndpointDialog({ opened, ...form }: { opened: boolean } & Props) {
  const title = form.endpoint ? "Change endpoint" : webhooksTexts.addEndpoint;
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={title}>
      <EndpointForm {...form} />
    </FormDialog>
  );
}

function EndpointForm({ endpoint, onSecret, onClose }: Props) {
  const subaccount = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const known = useWebhook().data?.known_types ?? [];
  const form = useForm({
    initialValues: {
      url: endpoint?.url ?? "",
      description: endpoint?.description ?? "",
      event_types: endpoint?.event_types ?? publishedOf(known),
      format: endpoint?.format ?? "full",
      headers: "",
      disable_after_days: (endpoint ? endpoint.disable_after_days : 3) as number | string | null,
    },
  });
  const save = useMutation({
    mutationFn: async ({
      headers,
      url,
      disable_after_days: days,
      ...values
    }: typeof form.values) => {
      const given = headersOf(headers);
      const fields = {
        ...values,
        // The same URL again would enable it.
        ...(url.trim() !== endpoint?.url && { url: url.trim() }),
        ...(given && { headers: given }),
        ...(days !== "" && days !== null && { disable_after_days: Number(days) }),
        ...(days === "" && endpoint?.is_postback && { disable_after_days: null }),
      };
      const path = apiOf("/webhook-endpoints");
      const made = endpoint
        ? await send<IssuedEndpoint>("PATCH", `${path}/${endpoint.id}`, fields)
        : await send<IssuedEndpoint>("POST", path, fields);
      void client.invalidateQueries({ queryKey: [subaccount.id, "events"] });
      onClose();
      if (made.secret !== undefined) onSecret(webhookSecret(made.secret));
    },
    onError: (error) => {
      if (error instanceof ApiProblem) form.setErrors(error.byField());
    },
  });
  const isPostback = endpoint?.is_postback === true;
  return (
    <DialogForm
      act={save}
      label={endpoint ? "Save" : webhooksTexts.addEndpoint}
      isReady={form.values.url.trim() !== "" && form.values.event_types.length > 0}
      fields={Object.keys(form.values)}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      <TextInput
        label={webhooksTexts.endpointUrl}
        description="A public https:// URL that responds with 2xx"
        placeholder="https://example.com/events"
        required
        data-autofocus
        {...form.getInputProps("url")}
      />
      <TextInput
        label="Description"
        description="For example “accounting”"
        {...form.getInputProps("description")}
      />
      <MultiSelect
        label="Event types"
        data={known.map(({ type }) => type)}
        searchable
        required
        {...form.getInputProps("event_types")}
      />
      {!isPostback && (
        <SegmentedControl
          aria-label="Format"
          data={[
            { value: "full", label: "Full events" },
            { value: "thin", label: "Thin: only ids and types" },
          ]}
          {...form.getInputProps("format")}
        />
      )}
      <Textarea
        label="Headers"
        description={
          endpoint && endpoint.header_names.length > 0
            ? `One in a line, such as “authorization: Bearer x”. Now: ${endpoint.header_names.join(", ")}. Empty: unchanged.`
            : "One in a line, such as “authorization: Bearer x”. Stored encrypted."
        }
        minRows={2}
        {...form.getInputProps("headers")}
      />
      <NumberInput
        label="Disable after days of failures"
        description={isPostback ? "1 to 7. Empty: never" : "1 to 7"}
        min={1}
        max={7}
        allowDecimal={false}
        {...form.getInputProps("disable_after_days")}
        value={form.values.disable_after_days ?? ""}
      />
    </DialogForm>
  );
}

const publishedOf = (known: readonly { type: string; is_on_request: boolean }[]) =>
  known.filter(({ is_on_request }) => !is_on_request).map(({ type }) => type);

/** Undefined: none are given. */
function headersOf(text: string): Record<string, string> | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", ...rest] = line.split(":");
      return [name.trim(), rest.join(":").trim()];
    }),
  );
}
