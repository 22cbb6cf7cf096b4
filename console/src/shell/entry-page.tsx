// A page before sign-in: one card in the middle.

import { Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { BrandMark } from "../parts/mark.tsx";
import styles from "./entry-page.module.css";
import { OfflineBanner } from "./offline-banner.tsx";

export function EntryPage({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Disburse`;
  }, [title]);
  return (
    <main className={styles.page} onInput={loadRest}>
      <Paper className={styles.card as string} radius="lg">
        <Stack gap="lg">
          <div>
            <BrandMark size={36} />
            <Title order={1} mt="md">
              {title}
            </Title>
            {hint && (
              <Text size="sm" c="dimmed" mt={4}>
                {hint}
              </Text>
            )}
          </div>
          <OfflineBanner />
          {children}
        </Stack>
      </Paper>
    </main>
  );
}

/** While the user types: what the pages behind this one share, which this one does without. */
function loadRest(): void {
  void import("./search.tsx").catch(() => undefined);
}
