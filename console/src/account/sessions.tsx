// The user's active sessions. Ending one takes effect immediately.

import { Badge } from "@mantine/core";
import type { SessionList } from "@server/doors/console/account/schema.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { get, send } from "../api/call.ts";
import { Act } from "../parts/act.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import styles from "./account.module.css";
import { SessionFacts } from "./session-facts.tsx";

export function Sessions() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => get<SessionList>("/sessions", {}, signal),
  });
  const renew = () => client.invalidateQueries({ queryKey: ["sessions"] });
  const others = data?.rows.filter(({ is_current }) => !is_current) ?? [];
  return (
    <Panel
      title="Sessions"
      flush
      actions={
        others.length > 1 && (
          <Act
            label="End all other sessions"
            size="compact-sm"
            confirm={{
              title: "End all other sessions?",
              text: "All other browsers and command lines have to sign in again.",
            }}
            done="All other sessions ended"
            onAct={async () => {
              for (const { id } of others) await send("DELETE", `/sessions/${id}`);
              await renew();
            }}
          />
        )
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      <ul className={styles.list}>
        {data?.rows.map((session) => (
          <li key={session.id} className={styles.line}>
            <SessionFacts session={session} />
            {session.is_current ? (
              <Badge color="teal">This browser</Badge>
            ) : (
              <Act
                label="End"
                size="compact-sm"
                done="Session ended"
                onAct={async () => {
                  await send("DELETE", `/sessions/${session.id}`);
                  await renew();
                }}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
