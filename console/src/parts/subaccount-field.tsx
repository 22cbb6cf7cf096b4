// Chooses one subaccount, found by name or ID.

import { Select, type SelectProps } from "@mantine/core";
import { useState } from "react";
import { type Subaccount, useFoundSubaccounts, useSubaccountsOf } from "../api/subaccounts.ts";
import { partsTexts } from "../texts/parts.ts";

export function SubaccountField({
  label,
  placeholder,
  fits = () => true,
  value,
  onChange,
  ...look
}: {
  label: string;
  placeholder: string;
  /** Only these are offered. */
  fits?: (one: Subaccount) => boolean;
  value: string | null;
  onChange: (id: string | null) => void;
} & Pick<SelectProps, "size" | "comboboxProps" | "allowDeselect" | "withAsterisk">) {
  const [search, setSearch] = useState("");
  const found = useFoundSubaccounts(search).rows.filter((one) => !one.is_closed && fits(one));
  const chosen = useSubaccountsOf(value === null ? [] : [value]);
  const offered = [...chosen, ...found.filter(({ id }) => id !== value)];
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={offered.map(({ id, name, mode }) => ({
        value: id,
        label: `${name} (${mode === "test" ? partsTexts.testModeInText : mode})`,
      }))}
      value={value}
      required
      searchable
      // Already found by name or id, which is not part of the label.
      filter={({ options }) => options}
      onSearchChange={setSearch}
      nothingFoundMessage={partsTexts.noMatch}
      onChange={onChange}
      {...look}
    />
  );
}
