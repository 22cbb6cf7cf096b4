// One of the first steps: whether it is done, its purpose, and what to do: a button, or commands to copy.

import { Collapse, Tabs, Text, Title, UnstyledButton, VisuallyHidden } from "@mantine/core";
import type { Quickstart } from "@server/console/quickstart/schema.ts";
import { type ReactNode, useId, useState } from "react";
import { CodeBlock } from "../parts/code-block.tsx";
import { Check, ChevronDown } from "../parts/icons.tsx";
import { When } from "../parts/when.tsx";
import { quickstartTexts } from "../texts/quickstart.ts";
import styles from "./quickstart.module.css";

type Step = Quickstart["operator_steps"][number] & Partial<Quickstart["steps"][number]>;

const operatorWords: Record<string, { title: string; why: string }> = {
  fund: { title: quickstartTexts.addFunds, why: quickstartTexts.payoutsArePaidFromTheBalance },
  receiver: {
    title: quickstartTexts.addAReceiver,
    why: quickstartTexts.aReceiverIsPaidOnceTheIdentity,
  },
  payout: { title: quickstartTexts.makeAPayout, why: quickstartTexts.theReviewShowsFeeAndDates },
  approve: { title: quickstartTexts.approveAPayout, why: quickstartTexts.aSecondUserApproves },
};

const developerWords: Record<string, { title: string; why: string }> = {
  key: {
    title: quickstartTexts.createAnApiKey,
    why: quickstartTexts.yourProgramSendsTheKeyAnd,
  },
  call: {
    title: quickstartTexts.makeYourFirstSignedRequest,
    why: quickstartTexts.itReadsTheSubaccountOfThe,
  },
  receiver: {
    title: quickstartTexts.createAReceiver,
    why: quickstartTexts.aReceiverIsAPersonYou,
  },
  payout: {
    title: quickstartTexts.makeYourFirstPayoutByApi,
    why: quickstartTexts.itPaysTheReceiver,
  },
  webhook: {
    title: quickstartTexts.receiveYourFirstWebhook,
    why: quickstartTexts.everyChangeOfAPayoutOr,
  },
};

export function StepPanel({
  step,
  number,
  isCurrent,
  children,
}: {
  step: Step;
  number: number;
  isCurrent: boolean;
  children: ReactNode;
}) {
  // The next step is open until the user opens or closes one.
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? isCurrent;
  const id = useId();
  // Only developers have commands to copy.
  const words = step.ways ? developerWords : operatorWords;
  const { title, why } = words[step.id] ?? { title: step.id, why: "" };
  return (
    <li
      className={styles.step}
      data-done={step.is_done || undefined}
      data-current={isCurrent || undefined}
    >
      <Title order={2} fz="sm">
        <UnstyledButton
          className={styles.head}
          onClick={() => setChosen(!isOpen)}
          aria-expanded={isOpen}
          aria-controls={id}
        >
          <span className={styles.badge}>
            {step.is_done ? <Check size={15} strokeWidth={2.6} aria-hidden /> : number}
          </span>
          <span className={styles.title}>
            {title}
            <VisuallyHidden>
              {step.is_done ? quickstartTexts.done : quickstartTexts.notDoneYet}
            </VisuallyHidden>
          </span>
          <ChevronDown
            size={16}
            className={styles.chevron}
            data-open={isOpen || undefined}
            aria-hidden
          />
        </UnstyledButton>
      </Title>
      {step.at !== null && (
        <Text size="xs" c="dimmed" className={styles.at}>
          <When ms={step.at} />
        </Text>
      )}
      {/* Without animation, so that nothing moves under the pointer. */}
      <Collapse expanded={isOpen} id={id} transitionDuration={0}>
        <div className={styles.body}>
          <Text size="sm" c="dimmed">
            {why}
          </Text>
          {step.ways && <Ways ways={step.ways} />}
          {children}
        </div>
      </Collapse>
    </li>
  );
}

function Ways({ ways }: { ways: Quickstart["steps"][number]["ways"] }) {
  return (
    <Tabs defaultValue={ways[0]?.label ?? null} variant="pills">
      <Tabs.List mb={8}>
        {ways.map(({ label }) => (
          <Tabs.Tab key={label} value={label} fz="xs" py={4} px={10}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {ways.map(({ label, text }) => (
        <Tabs.Panel key={label} value={label}>
          <CodeBlock text={text} label={label} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
