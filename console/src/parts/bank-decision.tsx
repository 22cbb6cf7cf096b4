// A button with which a user decides about money at a bank. It asks for a reason before it sends the decision.

import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { decideAtBank } from "./decide-at-bank.ts";
import { ReasonDialog } from "./reason-dialog.tsx";

export function BankDecision({
  path,
  label,
  title = label,
  text,
  bodyOf = () => ({}),
  isSmall = false,
  children,
}: {
  path: string;
  label: string;
  title?: string;
  text: string;
  /** Fields besides the reason. */
  bodyOf?: () => object;
  isSmall?: boolean;
  children?: ReactNode;
}) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const decide = async (reason: string) => {
    await decideAtBank(path, { ...bodyOf(), reason }, "Decision recorded");
    await client.invalidateQueries({ queryKey: ["banks"] });
  };
  return (
    <>
      <Button variant="default" size={isSmall ? "compact-xs" : "sm"} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <ReasonDialog
        opened={isOpen}
        draft={path}
        title={title}
        text={text}
        noteLabel="Reason"
        label={label}
        onReason={({ note }) => decide(note)}
        onClose={() => setOpen(false)}
      >
        {children}
      </ReasonDialog>
    </>
  );
}
