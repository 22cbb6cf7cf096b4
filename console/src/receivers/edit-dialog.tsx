// Edits a receiver's details. A new name or date of birth restarts the identity check, and the form says so.

import { Alert, Select, SimpleGrid, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { DialogForm, FormDialog, useDialogDraft } from "../parts/form-dialog.tsx";
import { Restored } from "../parts/restored.tsx";
import { receiversTexts } from "../texts/receivers.ts";
import { CountryField } from "./country-field.tsx";
import { type ReceiverDetail, useRenewReceivers } from "./receiver.ts";
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

const identity: readonly ReceiverField[] = ["first_name", "middle_name", "last_name", "dob"];
const mayBeEmpty: readonly ReceiverField[] = ["middle_name", "address2", "reference"];

type Props = { receiver: ReceiverDetail; onClose: () => void };

export function EditDialog({ opened, ...form }: { opened: boolean } & Props) {
  return (
    <FormDialog opened={opened} onClose={form.onClose} title="Edit receiver" size="lg">
      <EditForm {...form} />
    </FormDialog>
  );
}

function EditForm({ receiver, onClose }: Props) {
  // The values when the dialog was opened. Only fields the user changed are sent, so other changes survive.
  const [before] = useState(() => fieldsOf(receiver));
  const draft = useDialogDraft(`receiver-${receiver.json.id}`, before, unkeptFields);
  const { fields, change } = draft;
  const apiOf = useApiOf();
  const renew = useRenewReceivers();
  const { states = [] } =
    useReceiverForm()?.countries.find(({ code }) => code === fields.country) ?? {};
  const changed = receiverFieldNames.filter((name) => cleaned(name, fields[name]) !== before[name]);
  const save = useMutation({
    mutationFn: async () => {
      const given = Object.fromEntries(changed.map((name) => [name, cleaned(name, fields[name])]));
      await send("PATCH", apiOf(`/receivers/${receiver.json.id}`), given);
      await renew();
    },
    onSuccess: () => {
      draft.forget();
      notifications.show({ message: "Receiver saved", color: "teal" });
      onClose();
    },
  });
  const problems = save.error instanceof ApiProblem ? save.error.byField() : {};
  const field = (name: ReceiverField) => ({
    label: receiverLabels[name],
    value: fields[name],
    error: problems[name],
    required: !mayBeEmpty.includes(name),
    withAsterisk: false,
    onChange: (event: { currentTarget: { value: string } }) =>
      change({ [name]: event.currentTarget.value }),
  });
  return (
    <DialogForm
      act={save}
      label="Save"
      isReady={!(changed.length === 0)}
      fields={receiverFieldNames}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Restored draft={draft} text={receiversTexts.restoredWithout} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
        {receiverFieldNames.map((name) =>
          name === "gender" ? (
            <Select
              key={name}
              label={receiverLabels.gender}
              data={genders}
              value={fields.gender}
              allowDeselect={false}
              error={problems.gender}
              onChange={(gender) => change({ gender: gender ?? fields.gender })}
            />
          ) : name === "country" ? (
            <CountryField
              key={name}
              label={receiverLabels.country}
              value={fields.country}
              problem={problems.country}
              onChange={(country) => change({ country })}
            />
          ) : name === "state" && states.length > 0 ? (
            <StateField
              key={name}
              label={receiverLabels.state}
              states={states}
              value={fields.state}
              problem={problems.state}
              onChange={(state) => change({ state })}
            />
          ) : (
            <TextInput key={name} {...field(name)} {...(name === "dob" ? { type: "date" } : {})} />
          ),
        )}
      </SimpleGrid>
      {identity.some((name) => changed.includes(name)) && (
        <Alert color="yellow" variant="light" role="status">
          Changing the name or date of birth restarts the identity check.
        </Alert>
      )}
    </DialogForm>
  );
}

function fieldsOf({ json, reference }: ReceiverDetail): ReceiverFields {
  const { first_name, middle_name, last_name, dob, gender, email, dialcode, phone } = json;
  const { address, address2, city, state, postcode, country } = json.address_data;
  return {
    first_name,
    middle_name,
    last_name,
    dob,
    gender,
    email,
    dialcode,
    phone,
    address,
    address2,
    city,
    state,
    postcode,
    country,
    reference,
  };
}
