// A dialog that a link can open: its name is in the address, as ?open=invite.

import { useState } from "react";
import { useFilters } from "./filters.ts";

/** Whether it is open, and a function to open or close it. */
export function useAskedDialog(name: string): [boolean, (isOpen: boolean) => void] {
  const [values, setValues] = useFilters();
  const [isOpen, setOpen] = useState(false);
  const isAsked = values.open === name;
  return [
    isOpen || isAsked,
    (open) => {
      setOpen(open);
      if (!open && isAsked) setValues({ open: undefined });
    },
  ];
}
