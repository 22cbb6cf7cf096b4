// Chooses a country by its name or its code.

import { Select } from "@mantine/core";
import { useMemo } from "react";
import { useReceiverForm } from "./receiver-form.ts";

const names = new Intl.DisplayNames("en", { type: "region" });

export function CountryField({
  label,
  value,
  problem,
  isRequired = true,
  onChange,
}: {
  label: string;
  value: string;
  problem: string | undefined;
  isRequired?: boolean;
  onChange: (country: string) => void;
}) {
  const form = useReceiverForm();
  const data = useMemo(
    () =>
      (form?.countries ?? [])
        .map(({ code, alpha2 }) => ({
          value: code,
          label: `${names.of(alpha2) ?? code} (${code})`,
        }))
        .toSorted((one, other) => one.label.localeCompare(other.label)),
    [form],
  );
  // Until the names are loaded, the code alone is known.
  const known = data.length === 0 && value ? [{ value, label: value }] : data;
  return (
    <Select
      label={label}
      data={known}
      value={value || null}
      error={problem}
      required={isRequired}
      withAsterisk={false}
      searchable
      placeholder="Name or code of the country"
      nothingFoundMessage="No country matches"
      allowDeselect={false}
      onChange={(country) => onChange(country ?? value)}
    />
  );
}
