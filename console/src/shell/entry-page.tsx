// A page before sign-in: one card in the middle.

import { Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import mark from "../mark.svg";
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
    <main className={styles.page}>
      <Paper className={styles.card as string} radius="lg">
        <Stack gap="lg">
          <div>
            <img src={mark} alt="" width={36} height={36} />
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
