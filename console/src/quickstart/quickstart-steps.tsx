// The first steps of the user's role, with a button for each, or of developers, with commands to copy. A finished step turns
// green by itself.

import { Alert, Anchor, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type Permission, useMay, useMe, usePageOf, useSubaccount } from "../api/me.ts";
import { CreateKeyDialog } from "../keys/create-key-dialog.tsx";
import { PartyPopper } from "../parts/icons.tsx";
import { LinkButton } from "../parts/link-button.tsx";
import { OneTimeSecret, type Secret } from "../parts/one-time-secret.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Problem } from "../parts/problem.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { type Audience, audienceOf, isAllDone, quickstartQuery, stepsOf } from "./progress.ts";
import { SampleData } from "./sample-data.tsx";
import { StepPanel } from "./step-panel.tsx";

export function OwnSteps() {
  return <QuickstartSteps audience={audienceOf(useMe())} />;
}

export function QuickstartSteps({ audience }: { audience: Audience }) {
  const { id } = useSubaccount();
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<Secret>();
  const { data, error, refetch } = useQuery({
    ...quickstartQuery(id),
    // The developer does the next step in a terminal and watches this page.
    refetchInterval: ({ state: { data } }) =>
      data && isAllDone(stepsOf(data, audience)) ? false : 2_000,
    refetchIntervalInBackground: true,
  });
  if (!data) {
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <PageLoading />;
  }
  const isOwn = audience === "own";
  const steps = stepsOf(data, audience);
  if (steps.length === 0) {
    return <Text size="sm">Your role reads everything and changes nothing: it has no steps.</Text>;
  }
  const done = steps.filter(({ is_done }) => is_done).length;
  const current = steps.find(({ is_done }) => !is_done)?.id;
  return (
    <>
      <Stack gap={6} maw={860}>
        <Text size="sm" c="dimmed" aria-live="polite">
          {`You have done ${done} of ${steps.length} ${steps.length === 1 ? "step" : "steps"}.`}
          {data.mode === "live" && " This subaccount is live: everything you create is real."}
        </Text>
        <Progress
          value={(100 * done) / steps.length}
          color="teal"
          size="sm"
          aria-label="Steps done"
        />
      </Stack>
      <SampleData samples={data.samples} />
      {isAllDone(steps) && (
        <AllDone>
          {isOwn ? "You have done each step of your role once." : <NextForDevelopers />}
        </AllDone>
      )}
      <Stack
        key={audience}
        component="ol"
        gap="sm"
        m={0}
        p={0}
        maw={860}
        style={{ listStyle: "none" }}
      >
        {steps.map((step, index) => (
          <StepPanel key={step.id} step={step} number={index + 1} isCurrent={step.id === current}>
            {isOwn ? (
              <StepButtons stepId={step.id} isDone={step.is_done} />
            ) : (
              <>
                {step.id === "key" && (
                  <CreateKey isFirst={!step.is_done} onPress={() => setOpen(true)} />
                )}
                {step.id === "webhook" && !step.is_done && <ToWebhooks />}
              </>
            )}
          </StepPanel>
        ))}
      </Stack>
      {/* Outside of the step, which closes once the key is there, so that the secret stays. */}
      <CreateKeyDialog opened={isOpen} onSecret={setSecret} onClose={() => setOpen(false)} />
      <OneTimeSecret secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}

type StepButton = { to: string; label: string; needs: Permission };

/** Lead to the pages that do the step, if the user may do it there. */
function StepButtons({ stepId, isDone }: { stepId: string; isDone: boolean }) {
  const { permissions } = useMe();
  const pageOf = usePageOf();
  const buttons: Record<string, StepButton[]> = {
    invite: [{ to: "/users?open=invite", label: "Invite a user", needs: "users.write" }],
    statement: [{ to: "/reconcile/statements", label: "Go to Statements", needs: "banks.release" }],
    close: [{ to: "/reconcile/closings", label: "Go to Months", needs: "months.close" }],
    review: [{ to: "/reviews", label: "Go to the review queue", needs: "receivers.review" }],
    list: [{ to: "/screening", label: "Go to Sanctions lists", needs: "receivers.review" }],
    fund: [{ to: pageOf("balances"), label: "Go to Balances", needs: "read" }],
    receiver: [
      {
        to: pageOf("receivers", "new"),
        label: "New receiver",
        needs: "receivers.write",
      },
    ],
    payout: [{ to: pageOf("payouts", "new"), label: "New payout", needs: "payouts.create" }],
    approve: [
      { to: "/approvals", label: "Go to Approvals", needs: "payouts.approve" },
      {
        to: `${pageOf("settings")}?tab=limits`,
        label: "Set a threshold",
        needs: "limits.write",
      },
    ],
  };
  const shown = buttons[stepId]?.filter(({ needs }) => permissions.includes(needs)) ?? [];
  if (shown.length === 0) {
    return isDone ? null : <Text size="sm">An operator or an admin does this.</Text>;
  }
  return (
    <Group gap="xs">
      {shown.map(({ to, label }, index) => (
        <LinkButton key={to} to={to} isPrimary={!isDone && index === 0}>
          {label}
        </LinkButton>
      ))}
    </Group>
  );
}

function AllDone({ children }: { children: ReactNode }) {
  return (
    <Alert
      color="teal"
      variant="light"
      maw={860}
      icon={<PartyPopper size={18} aria-hidden />}
      title="You are set up"
    >
      <Text size="sm">{children}</Text>
    </Alert>
  );
}

function NextForDevelopers() {
  const pageOf = usePageOf();
  const { id } = useSubaccount();
  return (
    <>
      See your program's calls under{" "}
      <PageLink underline="always" to={pageOf("requests")}>
        API requests
      </PageLink>
      , its events under <LinkToWebhooks />, and the full API in the{" "}
      <Anchor href={`/docs#subaccount=${id}`} inherit underline="always">
        documentation
      </Anchor>
      .
    </>
  );
}

function CreateKey({ isFirst, onPress }: { isFirst: boolean; onPress: () => void }) {
  const { is_closed } = useSubaccount();
  if (!useMay("keys.write") || is_closed) return null;
  return (
    <Button variant={isFirst ? "filled" : "default"} onClick={onPress}>
      {isFirst ? "Create API key" : "Create another API key"}
    </Button>
  );
}

function ToWebhooks() {
  return (
    <Text size="sm">
      You can also set the endpoint URL, see the secret and send a test event under{" "}
      <LinkToWebhooks />.
    </Text>
  );
}

function LinkToWebhooks() {
  const pageOf = usePageOf();
  return (
    <PageLink underline="always" to={pageOf("webhooks")}>
      Webhooks
    </PageLink>
  );
}
