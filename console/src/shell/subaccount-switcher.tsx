// Switches the current subaccount, by name or ID. Stays on the same kind of page.

import { Combobox, Group, InputBase, Text, useCombobox } from "@mantine/core";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useFramedSubaccount } from "../api/me.ts";
import { useFoundSubaccounts } from "../api/subaccounts.ts";
import { ChevronsUpDown } from "../parts/icons.tsx";
import { Status } from "../parts/status.tsx";
import { remembered } from "../state/remembered.ts";
import { shellTexts } from "../texts/shell.ts";
import styles from "./shell.module.css";

export function SubaccountSwitcher() {
  const current = useFramedSubaccount();
  const shown = current?.name ?? shellTexts.allSubaccounts;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [search, setSearch] = useState("");
  const { rows, hasMore, isLoading } = useFoundSubaccounts(search);
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setSearch("");
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });

  const choose = (id: string) => {
    remembered.set("subaccount", id);
    combobox.closeDropdown();
    // A single payout or receiver belongs to the one before: its list is what both have.
    const [, area, , page = "overview"] = pathname.split("/");
    void navigate({ to: `/s/${id}/${area === "s" ? page : "overview"}` as never });
  };
  return (
    <Combobox store={combobox} onOptionSubmit={choose} width={300} position="bottom-start">
      <Combobox.Target>
        <InputBase
          component="button"
          type="button"
          pointer
          size="sm"
          className={styles.switcher as string}
          aria-label={`Subaccount: ${shown}. Choose another`}
          rightSection={<ChevronsUpDown size={14} aria-hidden />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.toggleDropdown()}
        >
          {shown}
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
          placeholder={shellTexts.nameOrId}
          aria-label="Search subaccounts"
        />
        <Combobox.Options aria-label={shellTexts.subaccounts}>
          <div className={styles.switcherList}>
            {rows.map((one) => (
              <Combobox.Option key={one.id} value={one.id} active={one.id === current?.id}>
                <Group justify="space-between" wrap="nowrap">
                  <Text size="sm" truncate fw={one.id === current?.id ? 600 : 400}>
                    {one.name}
                    {one.is_closed && " (closed)"}
                  </Text>
                  <Status of="mode" value={one.mode} />
                </Group>
              </Combobox.Option>
            ))}
            {rows.length === 0 && (
              <Combobox.Empty>{isLoading ? "Loading…" : "No match"}</Combobox.Empty>
            )}
          </div>
        </Combobox.Options>
        {hasMore && (
          <Combobox.Footer>More results: type the start of the name or ID</Combobox.Footer>
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}
