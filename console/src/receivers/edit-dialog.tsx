// Changes a receiver's details. Another name or date of birth is another person to check, and it says so.

import { Alert, Button, Group, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { FormModal } from "../parts/form-modal.tsx";
import { Problem } from "../parts/problem.tsx";
import { type ReceiverDetail, useRenewReceivers } from "./receiver.ts";

const labels = {
  first_name: "First name",
  middle_name: "Middle name",
  last_name: "Last name",
  dob: "Date of birth",
  gender: "Gender",
  email: "E-mail",
  dialcode: "Dial code",
  phone: "Phone",
  address: "Address",
  address2: "Address, second line",
  city: "City",
  state: "State",
  postcode: "Postcode",
  country: "Country",
  reference: "Reference",
} as const;
type Name = keyof typeof labels;
type Fields = Record<Name, string>;

const names = Object.keys(labels) as Name[];
const identity: readonly Name[] = ["first_name", "middle_name", "last_name", "dob"];
const mayBeEmpty: readonly Name[] = ["middle_name", "address2", "reference"];

type Props = { receiver: ReceiverDetail; onClose: () => void };

export function EditDialog({ opened, ...form }: { opened: boolean } & Props) {
  return (
    <FormModal opened={opened} onClose={form.onClose} title="Edit the receiver" size="lg">
      <EditForm {...form} />
    </FormModal>
  );
}

function EditForm({ receiver, onClose }: Props) {
  // As it was when the dialog was opened: what changes meanwhile is not overwritten by what was left alone.
  const [before] = useState(() => fieldsOf(receiver));
  const [fields, setFields] = useState(before);
  const apiOf = useApiOf();
  const renew = useRenewReceivers();
  const changed = names.filter((name) => fields[name].trim() !== before[name]);
  const save = useMutation({
    mutationFn: async () => {
      const given = Object.fromEntries(changed.map((name) => [name, fields[name].trim()]));
      await send("PATCH", apiOf(`/receivers/${receiver.json.id}`), given);
      await renew();
    },
    onSuccess: () => {
      notifications.show({ message: "Saved", color: "teal" });
      onClose();
    },
  });
  const problems = save.error instanceof ApiProblem ? save.error.byField() : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (changed.length > 0) save.mutate();
  };
  const field = (name: Name) => ({
    label: labels[name],
    value: fields[name],
    error: problems[name],
    required: !mayBeEmpty.includes(name),
    withAsterisk: false,
    onChange: (event: { currentTarget: { value: string } }) =>
      setFields({ ...fields, [name]: event.currentTarget.value }),
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
          {names.map((name) =>
            name === "gender" ? (
              <Select
                key={name}
                label={labels.gender}
                data={["F", "M", "X"]}
                value={fields.gender}
                allowDeselect={false}
                error={problems.gender}
                onChange={(gender) => setFields({ ...fields, gender: gender ?? fields.gender })}
              />
            ) : (
              <TextInput
                key={name}
                {...field(name)}
                {...(name === "dob" ? { type: "date" } : {})}
                {...(name === "country" ? { description: "Three letters, such as AUS" } : {})}
              />
            ),
          )}
        </SimpleGrid>
        {identity.some((name) => changed.includes(name)) && (
          <Alert color="yellow" variant="light" role="status">
            Another name or date of birth sends the identity check back to pending.
          </Alert>
        )}
        <Problem error={save.error} fields={names} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={changed.length === 0}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function fieldsOf({ json, reference }: ReceiverDetail): Fields {
  const { first_name, middle_name, last_name, dob, gender, email, dialcode, phone } = json;
  const { address, address2, city, state, postcode, country } = json.address_data;
  return {
    ...{ first_name, middle_name, last_name, dob, gender, email, dialcode, phone },
    ...{ address, address2, city, state, postcode, country, reference },
  };
}
