// A developer's four first steps, with the commands for them. A finished step turns green by itself.

import { Alert, Anchor, Button, Progress, Stack, Text } from "@mantine/core";
import type { Quickstart } from "@server/console/quickstart/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { PartyPopper } from "lucide-react";
import { useState } from "react";
import { get } from "../api/call.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { CreateKeyDialog } from "../keys/create-key-dialog.tsx";
import { OneTimeSecret, type Secret } from "../parts/one-time-secret.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Screen } from "../parts/screen.tsx";
import { LoadingScreen } from "../shell/page-states.tsx";
import { quickstartTexts } from "../texts/quickstart.ts";
import { StepPanel } from "./step-panel.tsx";

export function QuickstartScreen() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const { data, error, refetch } = useQuery({
    queryKey: [id, "quickstart"],
    queryFn: ({ signal }) => get<Quickstart>(apiOf("/quickstart"), {}, signal),
    // The developer does the next step in a terminal and watches this page.
    refetchInterval: ({ state }) => (isAllDone(state.data) ? false : 2_000),
    refetchIntervalInBackground: true,
  });
  if (!data)
    return <LoadingScreen title={quickstartTexts.quickstart} error={error} onRetry={refetch} />;
  const done = data.steps.filter(({ is_done }) => is_done).length;
  const current = data.steps.find(({ is_done }) => !is_done)?.id;
  return (
    <Screen title={quickstartTexts.quickstart}>
      <Stack gap={6} maw={860}>
        <Text size="sm" c="dimmed" aria-live="polite">
          {done} of {data.steps.length} steps done.
          {data.mode === "live" && quickstartTexts.thisSubaccountIsLiveEverythingYou}
        </Text>
        <Progress
          value={(100 * done) / data.steps.length}
          color="teal"
          size="sm"
          aria-label={quickstartTexts.stepsDone}
        />
      </Stack>
      {isAllDone(data) && <AllDone />}
      <Stack component="ol" gap="sm" m={0} p={0} maw={860} style={{ listStyle: "none" }}>
        {data.steps.map((step, index) => (
          <StepPanel key={step.id} step={step} number={index + 1} isCurrent={step.id === current}>
            {step.id === "key" && <CreateKey isFirst={!step.is_done} />}
            {step.id === "webhook" && !step.is_done && <ToWebhooks />}
          </StepPanel>
        ))}
      </Stack>
    </Screen>
  );
}

const isAllDone = (data: Quickstart | undefined) => data?.steps.every(({ is_done }) => is_done);

function AllDone() {
  const pageOf = usePageOf();
  return (
    <Alert
      color="teal"
      variant="light"
      maw={860}
      icon={<PartyPopper size={18} aria-hidden />}
      title={quickstartTexts.youAreSetUp}
    >
      <Text size="sm">
        See your program's calls under{" "}
        <PageLink underline="always" to={pageOf("requests")}>
          {quickstartTexts.apiRequests}
        </PageLink>
        , its events under{" "}
        <PageLink underline="always" to={pageOf("webhooks")}>
          {quickstartTexts.webhooks}
        </PageLink>
        , and the full API in the{" "}
        <Anchor href="/docs" inherit underline="always">
          {quickstartTexts.documentation}
        </Anchor>
        .
      </Text>
    </Alert>
  );
}

function CreateKey({ isFirst }: { isFirst: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<Secret>();
  const { is_closed } = useSubaccount();
  if (!useMay("keys.write") || is_closed) return null;
  return (
    <>
      <Button variant={isFirst ? "filled" : "default"} onClick={() => setOpen(true)}>
        {isFirst ? quickstartTexts.createApiKey : quickstartTexts.createAnotherApiKey}
      </Button>
      <CreateKeyDialog opened={isOpen} onSecret={setSecret} onClose={() => setOpen(false)} />
      <OneTimeSecret secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}

function ToWebhooks() {
  const pageOf = usePageOf();
  return (
    <Text size="sm">
      You can also set the endpoint URL, see the secret and send a test event under{" "}
      <PageLink underline="always" to={pageOf("webhooks")}>
        {quickstartTexts.webhooks}
      </PageLink>
      .
    </Text>
  );
}
