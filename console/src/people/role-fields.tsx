// What a person may do, and, of a developer, where.

import { Select } from "@mantine/core";
import type { Role } from "@server/people/person.ts";
import { useMe } from "../api/me.ts";
import { roleChoices, roleHint } from "./roles.ts";

export type RoleChoice = { role: Role; subaccountId: string | null };

export function RoleFields({
  value: { role, subaccountId },
  onChange,
  wrong = {},
}: {
  value: RoleChoice;
  onChange: (value: RoleChoice) => void;
  /** By the name of the field. */
  wrong?: Record<string, string>;
}) {
  const { subaccounts } = useMe();
  const open = subaccounts.filter(({ is_closed, id }) => !is_closed || id === subaccountId);
  return (
    <>
      <Select
        label="Role"
        description={roleHint(role)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        data={roleChoices}
        value={role}
        error={wrong.role}
        allowDeselect={false}
        onChange={(chosen) => {
          if (chosen) onChange({ role: chosen as Role, subaccountId });
        }}
      />
      {role === "developer" && (
        <Select
          label="Subaccount"
          placeholder="The only one that they see"
          data={open.map(({ id, name, mode }) => ({ value: id, label: `${name} (${mode})` }))}
          value={subaccountId}
          error={wrong.subaccount_id}
          required
          withAsterisk={false}
          searchable
          onChange={(chosen) => onChange({ role, subaccountId: chosen })}
        />
      )}
    </>
  );
}

/** As the server takes it: only a developer has a subaccount. */
export function roleBody({ role, subaccountId }: RoleChoice) {
  return role === "developer" ? { role, subaccount_id: subaccountId } : { role };
}
