// The role of a user, and the subaccounts of a developer.

import { Select } from "@mantine/core";
import type { Role } from "@server/tenants/roles/user.ts";
import { SubaccountsField } from "../parts/subaccounts-field.tsx";
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
        <SubaccountsField
          label={usersTexts.subaccounts}
          placeholder="Access limited to these subaccounts"
          value={subaccountIds}
          error={wrong.subaccount_id}
          onChange={(chosen) => onChange({ role, subaccountIds: chosen })}
        />
      )}
    </>
  );
}

/** The request body: only a developer is limited to subaccounts. */
export function roleBody({ role, subaccountIds }: RoleChoice) {
  return role === "developer" ? { role, subaccount_ids: subaccountIds } : { role };
}
