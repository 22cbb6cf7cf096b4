// The fields of a connection's fee.

import { Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { AmountField } from "../parts/amount-field.tsx";
import { moneyHint } from "../state/money.ts";
import { banksTexts } from "../texts/banks.ts";
import { type FeeAmount, type FeeForm, readFeeAmount } from "./fee-form.ts";

export function FeeFields({
  form,
  currency,
  wrong,
  onChange,
}: {
  form: FeeForm;
  currency: string;
  /** The problems that the server found, by field. */
  wrong: Record<string, string | undefined>;
  onChange: (changes: Partial<FeeForm>) => void;
}) {
  const amount = (name: FeeAmount, label: string, description: string) => (
    <AmountField
      label={label}
      description={description}
      currency={currency}
      value={form[name]}
      error={readFeeAmount(form[name], currency) === undefined ? moneyHint(currency) : wrong[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <Stack gap="sm" component="fieldset" m={0} p={0} bd={0}>
      <Text component="legend" size="sm" fw={600} p={0}>
        Fee for a payout
      </Text>
      <Group grow align="flex-start">
        {amount("fee_fixed", "Fixed fee", "In units of the currency, such as 0.50. Empty: none.")}
        <TextInput
          label="Percent of the amount"
          description="At most 4 decimals, such as 0.25. Added to the fixed fee. Empty: none."
          inputMode="decimal"
          value={form.fee_percent}
          error={wrong.fee_percent}
          onChange={(event) => onChange({ fee_percent: event.currentTarget.value })}
        />
      </Group>
      <Group grow align="flex-start">
        {amount("fee_min", "Lowest fee", banksTexts.fee.noBound)}
        {amount("fee_max", "Highest fee", banksTexts.fee.noBound)}
      </Group>
      <Select
        label="Who pays the fee"
        data={[
          { value: "subaccount", label: "The subaccount, on top of the amount" },
          { value: "receiver", label: "The receiver: it is taken out of the amount" },
        ]}
        value={form.fee_bearer}
        error={wrong.fee_bearer}
        allowDeselect={false}
        onChange={(fee_bearer) => fee_bearer && onChange({ fee_bearer })}
      />
    </Stack>
  );
}
