// Creates a receiver. The server's schema says which fields there are and which may be empty.

import { Alert, Button, Group, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { CreatedByUser, ReceiverForm } from "@server/doors/review-list/receivers/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Restored } from "../parts/restored.tsx";
import { Screen } from "../parts/screen.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { useDraft } from "../state/drafts.ts";
import { receiversTexts } from "../texts/receivers.ts";
import { CountryField } from "./country-field.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { useRenewReceivers } from "./receiver.ts";
import {
  cleaned,
  genders,
  type ReceiverField,
  type ReceiverFields,
  receiverFieldNames,
  receiverLabels,
  unkeptFields,
  useReceiverForm,
} from "./receiver-form.ts";
import { StateField } from "./state-field.tsx";

const groups: readonly { title: string; fields: readonly ReceiverField[] }[] = [
  {
    title: "Person",
    fields: ["first_name", "middle_name", "last_name", "dob", "gender"],
  },
  { title: "Contact", fields: ["email", "dialcode", "phone"] },
  {
    title: receiversTexts.address,
    fields: ["country", "address", "address2", "city", "state", "postcode"],
  },
  { title: "Your records", fields: ["reference"] },
];

const blank = Object.fromEntries(receiverFieldNames.map((name) => [name, ""])) as ReceiverFields;

export function NewReceiverScreen() {
  const pageOf = usePageOf();
  const { is_closed } = useSubaccount();
  const mayWrite = useMay("receivers.write");
  const form = useReceiverForm();
  return (
    <Screen above={<PageLink to={pageOf("receivers")}>{receiversTexts.receivers}</PageLink>}>
      {!mayWrite || is_closed ? (
        <Alert color="gray">
          {is_closed ? receiversTexts.closedCantAdd : receiversTexts.youMayNotAdd}
        </Alert>
      ) : form ? (
        <NewReceiver form={form} />
      ) : (
        <PageLoading />
      )}
    </Screen>
  );
}

function NewReceiver({ form }: { form: ReceiverForm }) {
  const { id } = useSubaccount();
  const draft = useDraft(`new-receiver-${id}`, blank, unkeptFields);
  const { fields } = draft;
  // One for each content: sending the same form twice creates one receiver.
  const [once, setOnce] = useState(() => crypto.randomUUID());
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const navigate = useNavigate();
  const renew = useRenewReceivers();
  const [isCreated, setCreated] = useState(false);
  const create = useMutation({
    mutationFn: () => {
      const given = Object.entries(fields).map(([name, text]) => [
        name,
        cleaned(name as ReceiverField, text),
      ]);
      return send<CreatedByUser>("POST", apiOf("/receivers"), {
        ...Object.fromEntries(given),
        once,
      });
    },
    onSuccess: async ({ receiver_id }) => {
      setCreated(true);
      draft.forget();
      void renew();
      notifications.show({
        message: "Receiver created. The identity check has started.",
        color: "teal",
      });
      // Replaces the form: Back must not lead to one that was sent.
      await navigate({
        to: pageOf("receivers", receiver_id),
        search: { tab: "accounts" } as never,
        replace: true,
        ignoreBlocker: true,
      });
    },
  });
  const change = (name: ReceiverField, value: string) => {
    draft.change({ [name]: value });
    setOnce(crypto.randomUUID());
  };
  const problems = create.error instanceof ApiProblem ? create.error.byField() : {};
  const ref = useFocusOnProblem(create.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!create.isPending && !isCreated) create.mutate();
  };
  const isLost = unkeptFields.some((name) => fields[name] !== "");
  return (
    <form onSubmit={submit} ref={ref} noValidate>
      <Stack gap="md" maw={720}>
        <Restored draft={draft} text={receiversTexts.restoredWithout} />
        {groups.map(({ title, fields: names }) => (
          <Panel key={title} title={title}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
              {names.map((name) => (
                <ReceiverInput
                  key={name}
                  name={name}
                  form={form}
                  fields={fields}
                  problem={problems[name]}
                  onChange={(value) => change(name, value)}
                />
              ))}
            </SimpleGrid>
          </Panel>
        ))}
        <Problem error={create.error} fields={receiverFieldNames} />
        <Group justify="space-between" gap="xs">
          <PageLink to={pageOf("receivers", "import")} fz="sm">
            Many receivers? Import a CSV file
          </PageLink>
          <Button type="submit" loading={create.isPending || isCreated}>
            Create receiver
          </Button>
        </Group>
      </Stack>
      <LeaveGuard
        isLost={isLost && !isCreated}
        text="What you typed is kept in this tab until you come back, without date of birth, gender and phone."
      />
    </form>
  );
}

function ReceiverInput({
  name,
  form,
  fields,
  problem,
  onChange,
}: {
  name: ReceiverField;
  form: ReceiverForm;
  fields: ReceiverFields;
  problem: string | undefined;
  onChange: (value: string) => void;
}) {
  const label = receiverLabels[name];
  const known = form.fields.find((field) => field.name === name);
  const { needs = [], states = [] } =
    form.countries.find(({ code }) => code === fields.country) ?? {};
  const isRequired = known?.is_required || needs.includes(name);
  // The country decides whether an address has these.
  const isUnknown = fields.country === "" && (name === "state" || name === "postcode");
  if (name === "country") {
    return (
      <CountryField label={label} value={fields.country} problem={problem} onChange={onChange} />
    );
  }
  if (name === "state" && states.length > 0) {
    const value = fields.state;
    return <StateField {...{ label, states, value, problem, onChange }} />;
  }
  if (name === "gender") {
    return (
      <Select
        label={label}
        data={genders}
        value={fields.gender || null}
        placeholder="Choose"
        error={problem}
        required
        withAsterisk={false}
        allowDeselect={false}
        onChange={(gender) => onChange(gender ?? "")}
      />
    );
  }
  return (
    <TextInput
      label={isRequired || isUnknown ? label : receiversTexts.optional(label)}
      value={fields[name]}
      error={problem}
      required={isRequired ?? false}
      withAsterisk={false}
      autoComplete="off"
      {...(name === "dob" ? { type: "date" } : {})}
      {...(name === "email" ? { inputMode: "email" as const } : {})}
      {...(name === "phone" || name === "dialcode" ? { inputMode: "tel" as const } : {})}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** After a refusal the first field with a problem has the focus. */
function useFocusOnProblem(error: unknown) {
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!error) return;
    ref.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  return ref;
}
