// Chooses a country by its name or its code. Enter takes the best match, and leaving the field the only one.

import { Select } from "@mantine/core";
import { type FocusEvent, type KeyboardEvent, useMemo, useRef, useState } from "react";
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
  const [typed, setTyped] = useState("");
  // What was left in the field and is no country. Select would remove it.
  const kept = useRef("");
  const [message, setMessage] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  // The arrow keys point at another option than the best match, until more is typed.
  const isPointing = useRef(false);
  const choose = ({ value: chosen, label: name }: Option) => {
    if (chosen === value) setTyped(name);
    else onChange(chosen);
  };
  const isChosen = (text: string) =>
    text === "" || known.some((one) => one.value === value && one.label === text);
  const leave = ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    const text = currentTarget.value.trim();
    if (isChosen(text)) return;
    const found = matching(known, text);
    const [best] = found;
    if (best && (found.length === 1 || best.rank === 0)) {
      choose(best.one);
      return;
    }
    kept.current = currentTarget.value;
    setTyped(currentTarget.value);
    setMessage(best ? `${found.length} countries match: choose one` : noMatch);
    onChange("");
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") isPointing.current = true;
    if (event.key !== "Enter" || event.nativeEvent.isComposing || isPointing.current) return;
    const text = event.currentTarget.value.trim();
    if (isChosen(text)) return;
    // Select would take the option that it has marked, and it marks one a moment after it has drawn the list.
    event.preventDefault();
    event.stopPropagation();
    const [best] = matching(known, text);
    if (!best) return;
    choose(best.one);
    setIsOpen(false);
  };
  return (
    <Select
      label={label}
      data={known}
      value={value || null}
      error={message ?? problem}
      required={isRequired}
      withAsterisk={false}
      searchable
      searchValue={typed}
      onSearchChange={(text) => {
        isPointing.current = false;
        if (kept.current === "") setTyped(text);
      }}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      onKeyDownCapture={press}
      onFocus={() => {
        kept.current = "";
        setMessage(undefined);
      }}
      onBlur={leave}
      selectFirstOptionOnChange
      filter={({ search }) => matching(known, search.trim()).map(({ one }) => one)}
      placeholder="Name or code of the country"
      nothingFoundMessage={noMatch}
      allowDeselect={false}
      onChange={(country) => onChange(country ?? value)}
    />
  );
}

const noMatch = "No country matches";

type Option = { value: string; label: string };

/** The best first: by the whole name or code, by the beginning of the name or of a word, by any part. */
function matching(options: readonly Option[], text: string): { one: Option; rank: number }[] {
  const part = text.toLowerCase();
  return options
    .map((one) => ({ one, rank: rankOf(one.label.toLowerCase(), part) }))
    .filter(({ rank }) => rank < 4)
    .toSorted((one, other) => one.rank - other.rank);
}

function rankOf(label: string, part: string): number {
  if (label.startsWith(`${part} (`) || label.endsWith(`(${part})`)) return 0;
  if (label.startsWith(part)) return 1;
  if (label.includes(` ${part}`)) return 2;
  return label.includes(part) ? 3 : 4;
}
