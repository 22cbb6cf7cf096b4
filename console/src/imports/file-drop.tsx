// A drop zone for a file, which can also be chosen.

import { FileButton, Loader, Text, UnstyledButton } from "@mantine/core";
import { type DragEvent, useState } from "react";
import { FileUp } from "../parts/icons.tsx";
import styles from "./import.module.css";

export function FileDrop({
  isBusy,
  hint,
  onFile,
}: {
  isBusy: boolean;
  hint: string;
  onFile: (file: File) => void;
}) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !isBusy) onFile(file);
  };
  return (
    <FileButton
      accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
      disabled={isBusy}
      onChange={(file) => file && onFile(file)}
    >
      {({ onClick }) => (
        <UnstyledButton
          className={styles.drop}
          data-over={isOver || undefined}
          aria-busy={isBusy}
          onClick={onClick}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          {isBusy ? <Loader size="sm" /> : <FileUp size={22} aria-hidden />}
          <Text fw={600} size="sm">
            {isBusy ? "Checking every row…" : "Drop a spreadsheet here, or choose one"}
          </Text>
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        </UnstyledButton>
      )}
    </FileButton>
  );
}
