// Chooses subaccounts, found by name or ID.

import { MultiSelect } from "@mantine/core";
import { useState } from "react";
import { useFoundSubaccounts, useSubaccountsOf } from "../api/subaccounts.ts";
import { partsTexts } from "../texts/parts.ts";

export function SubaccountsField({
  label,
  placeholder,
  description,
  value,
  error,
  onChange,
}: {
  label: string;
  /** Shown while none is chosen. */
  placeholder: string;
  description?: string;
  value: string[];
  error?: string | undefined;
  onChange: (ids: string[]) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const found = useFoundSubaccounts(search).rows.filter(({ is_closed }) => !is_closed);
  const chosen = useSubaccountsOf(value);
  const offered = [...chosen, ...found.filter(({ id }) => !value.includes(id))];
  return (
    <MultiSelect
      label={label}
      description={description}
      placeholder={value.length === 0 ? placeholder : ""}
      data={offered.map(({ id, name, mode }) => ({
        value: id,
        label: `${name} (${mode === "test" ? partsTexts.testModeInText : mode})`,
      }))}
      value={value}
      error={error}
      withAsterisk={false}
      searchable
      // Already found by name or id, which is not part of the label.
      filter={({ options }) => options}
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={partsTexts.noMatch}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onChange={(ids) => {
        onChange(ids);
        // Usually one is chosen, and the open list would cover the button.
        setOpen(false);
      }}
    />
  );
}
