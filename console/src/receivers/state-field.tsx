// A state of a country that has codes for its states.

import { Select } from "@mantine/core";

export function StateField({
  label,
  states,
  value,
  problem,
  onChange,
}: {
  label: string;
  states: readonly string[];
  value: string;
  problem: string | undefined;
  onChange: (state: string) => void;
}) {
  return (
    <Select
      label={label}
      data={states}
      // One that was typed before is kept until another is chosen.
      value={value.toUpperCase() || null}
      placeholder="Choose"
      error={problem}
      required
      withAsterisk={false}
      searchable
      allowDeselect={false}
      onChange={(state) => onChange(state ?? value)}
    />
  );
}
