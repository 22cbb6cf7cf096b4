// The role of a user, and the subaccounts of a developer.

import { MultiSelect, Select } from "@mantine/core";
import type { Role } from "@server/users/user.ts";
import { useState } from "react";
import { useFoundSubaccounts, useSubaccountsOf } from "../api/subaccounts.ts";
import { usersTexts } from "../texts/users.ts";
import { roleChoices, roleHint } from "./roles.ts";

export type RoleChoice = { role: Role; subaccountIds: string[] };

export function RoleFields({
  value: { role, subaccountIds },
  onChange,
  wrong = {},
}: {
  value: RoleChoice;
  onChange: (value: RoleChoice) => void;
  /** Errors by field. */
  wrong?: Record<string, string>;
}) {
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const found = useFoundSubaccounts(search).rows.filter(({ is_closed }) => !is_closed);
  const chosen = useSubaccountsOf(subaccountIds);
  const offered = [...chosen, ...found.filter(({ id }) => !subaccountIds.includes(id))];
  return (
    <>
      <Select
        label={usersTexts.role}
        description={roleHint(role)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        data={roleChoices}
        value={role}
        error={wrong.role}
        allowDeselect={false}
        onChange={(chosen) => {
          if (chosen) onChange({ role: chosen as Role, subaccountIds });
        }}
      />
      {role === "developer" && (
        <MultiSelect
          label={usersTexts.subaccounts}
          placeholder={subaccountIds.length === 0 ? usersTexts.accessLimitedToTheseSubaccounts : ""}
          data={offered.map(({ id, name, mode }) => ({
            value: id,
            label: `${name} (${mode === "test" ? "test mode" : mode})`,
          }))}
          value={subaccountIds}
          error={wrong.subaccount_id}
          withAsterisk={false}
          searchable
          // Already found by name or id, which is not part of the label.
          filter={({ options }) => options}
          searchValue={search}
          onSearchChange={setSearch}
          nothingFoundMessage={usersTexts.noMatch}
          dropdownOpened={isOpen}
          onDropdownOpen={() => setOpen(true)}
          onDropdownClose={() => setOpen(false)}
          onChange={(chosen) => {
            onChange({ role, subaccountIds: chosen });
            // Usually one is chosen, and the open list would cover the button.
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

/** The request body: only a developer is limited to subaccounts. */
export function roleBody({ role, subaccountIds }: RoleChoice) {
  return role === "developer" ? { role, subaccount_ids: subaccountIds } : { role };
}
