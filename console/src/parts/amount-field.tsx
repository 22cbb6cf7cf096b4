// A field in which an amount is typed. Below it is the amount as it was read, in full, before the user confirms it.

import { Text, TextInput, type TextInputProps } from "@mantine/core";
import { useId } from "react";
import { amountExample, moneyText, readMoney } from "../state/money.ts";

const readAsText = (amount: string) => `Read as ${amount}`;

export function AmountField({
  currency,
  value,
  readAs = readAsText,
  flex,
  ...rest
}: Omit<TextInputProps, "value" | "currency"> & {
  /** Null: not chosen yet. */
  currency: string | null;
  value: string;
  /** The sentence about the amount that was read. */
  readAs?: (amount: string) => string;
}) {
  const id = useId();
  const amount = currency ? readMoney(value, currency) : undefined;
  return (
    <div style={flex === undefined ? {} : { flex: String(flex) }}>
      <TextInput
        inputMode="decimal"
        autoComplete="off"
        placeholder={amountExample(currency)}
        {...rest}
        value={value}
        aria-details={id}
      />
      <Text id={id} size="xs" c="dimmed" mt={4} role="status">
        {currency && amount !== undefined && !rest.error && readAs(moneyText(amount, currency))}
      </Text>
    </div>
  );
}
