// Embargoed countries: one user adds one, and two remove one.

import { Button, Select, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Countries, CountryTouched } from "@server/doors/console/screening/schema.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { DialogForm, FormDialog, useDialogDraft } from "../parts/form-dialog.tsx";
import { Panel } from "../parts/panel.tsx";
import { Restored } from "../parts/restored.tsx";
import { countText } from "../state/locale.ts";
import { calendarDayText } from "../state/time.ts";
import { screeningTexts } from "../texts/screening.ts";
import type { SanctionsLists } from "./lists.ts";
import styles from "./screening.module.css";

export function Embargoes({
  lists: { embargoes, lists },
  onChanged,
}: {
  lists: SanctionsLists;
  onChanged: () => Promise<void>;
}) {
  const mayChange = useMay("receivers.review");
  const [isAdding, setAdding] = useState(false);
  const isWaiting = lists.some(({ list, waiting }) => list === "embargo" && waiting);
  return (
    <Panel
      title="Embargoed countries"
      actions={
        mayChange && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isWaiting}
            onClick={() => setAdding(true)}
          >
            {`${screeningTexts.addCountry}…`}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed">
        A receiver or an account in one of these countries is a hit: its payouts are on hold until a
        user has decided.
        {isWaiting && " A change waits for a second user. Decide it first."}
      </Text>
      <ul className={styles.embargoes}>
        {embargoes.map(({ country, name, source, since }) => (
          <li key={country}>
            <span className={styles.country}>{`${name} (${country})`}</span>
            <Text size="sm" c="dimmed" component="span">
              {[source, since && `since ${calendarDayText(since)}`].filter(Boolean).join(", ")}
            </Text>
            {mayChange && !isWaiting && (
              <Act
                label="Remove…"
                aria-label={`Remove ${name}…`}
                size="compact-xs"
                variant="subtle"
                confirm={{
                  title: `Remove ${name}?`,
                  text: (
                    <>
                      Another user has to approve it. Until then the country stays embargoed.{" "}
                      <Touched country={country} />
                    </>
                  ),
                  label: "Ask for removal",
                }}
                onAct={async () => {
                  await send("POST", `/screening/embargoes/${country}/end`);
                  await onChanged();
                }}
                done="The removal waits for another user"
              />
            )}
          </li>
        ))}
      </ul>
      <FormDialog
        opened={isAdding}
        onClose={() => setAdding(false)}
        title={screeningTexts.addCountry}
      >
        <AddForm onAdded={onChanged} onClose={() => setAdding(false)} />
      </FormDialog>
    </Panel>
  );
}

/** How much an embargo of the country concerns. */
export function Touched({ country }: { country: string }) {
  const { data } = useQuery({
    queryKey: ["screening", "touched", country],
    queryFn: ({ signal }) =>
      get<CountryTouched>(`/screening/countries/${country}/touched`, {}, signal),
    enabled: country !== "",
  });
  if (!data || country === "") return null;
  const many = (count: number, one: string) =>
    `${countText(Math.min(count, countedMax), count > countedMax)} ${one}${count === 1 ? "" : "s"}`;
  return `It concerns ${many(data.receivers, "active receiver")}, and ${many(data.payouts, "payout")} to them that ${data.payouts === 1 ? "is" : "are"} not sent.`;
}

const countedMax = 1000;

const blank = { country: "", source: "", since: "" };

function AddForm({ onAdded, onClose }: { onAdded: () => Promise<void>; onClose: () => void }) {
  const draft = useDialogDraft("embargo", blank);
  const { country, source, since } = draft.fields;
  const { data } = useQuery({
    queryKey: ["screening", "countries"],
    queryFn: ({ signal }) => get<Countries>("/screening/countries", {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const act = useMutation({
    mutationFn: () =>
      send("POST", "/screening/embargoes", { country, source: source.trim(), since }),
    onSuccess: async () => {
      draft.forget();
      onClose();
      notifications.show({ message: "The country is embargoed", color: "teal" });
      await onAdded();
    },
  });
  return (
    <DialogForm
      act={act}
      label={screeningTexts.addCountry}
      isReady={country !== "" && source.trim() !== "" && since !== ""}
      onSubmit={() => act.mutate()}
      onClose={onClose}
    >
      <Restored draft={draft} />
      <Text size="sm">
        It is in force at once: payouts to this country are on hold. To remove it again takes two
        users.
      </Text>
      <Select
        label={screeningTexts.country}
        placeholder="Name or code of the country"
        data={
          data?.countries.map(({ code, name }) => ({ value: code, label: `${name} (${code})` })) ??
          []
        }
        value={country || null}
        onChange={(chosen) => draft.change({ country: chosen ?? "" })}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No country matches"
      />
      <Text size="sm" role="status">
        <Touched country={country} />
      </Text>
      <TextInput
        label={screeningTexts.source}
        description="The law or the decision"
        value={source}
        onChange={(event) => draft.change({ source: event.currentTarget.value })}
        maxLength={300}
        required
        withAsterisk={false}
      />
      <TextInput
        label="Since"
        type="date"
        value={since}
        onChange={(event) => draft.change({ since: event.currentTarget.value })}
        required
        withAsterisk={false}
      />
    </DialogForm>
  );
}
