// The backtest of a proposal: figures of live or of test payouts, a plot, the rules one by one, and the payouts that they apply to.

import {
  Alert,
  Button,
  Group,
  Progress,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
} from "@mantine/core";
import type { Backtest, ModeBacktest, Rule } from "@server/console/rules/schema.ts";
import { lazy, Suspense, useState } from "react";
import { shareText } from "../overview/figures.ts";
import { Panel } from "../parts/panel.tsx";
import { PlotTable } from "../parts/plot-table.tsx";
import { Problem } from "../parts/problem.tsx";
import { Status } from "../parts/status.tsx";
import { statusLook } from "../parts/status-looks.ts";
import { countText, dateFormat } from "../state/locale.ts";
import { rulesTexts } from "../texts/rules.ts";
import { BacktestList } from "./backtest-list.tsx";
import { BacktestRules } from "./backtest-rules.tsx";
import { textOfRules, useBacktest } from "./backtest-run.ts";
import styles from "./rules.module.css";

const texts = rulesTexts.backtest;
const DaysChart = lazy(async () => ({
  default: (await import("../parts/days-chart.tsx")).DaysChart,
}));

export function BacktestPanel({ rules }: { rules: readonly Rule[] }) {
  const { run, start, stop } = useBacktest();
  const progress = run?.progress;
  const isOutdated = run?.result && run.rulesText !== textOfRules(rules);
  return (
    <Panel
      title={texts.title}
      actions={
        progress ? (
          <Button size="compact-sm" variant="default" onClick={stop}>
            {texts.cancel}
          </Button>
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => void start(rules)}>
            {run?.result ? texts.again : texts.run}
          </Button>
        )
      }
    >
      <Stack gap="md">
        {!run?.result && (
          <Text size="sm" c="dimmed" maw={720}>
            {texts.hint}
          </Text>
        )}
        {progress && (
          <div>
            <Progress value={progress.done * 100} aria-label={texts.title} />
            <Text size="xs" c="dimmed" mt={4} aria-live="polite">
              {texts.running(progress.payouts)}
            </Text>
          </div>
        )}
        <Problem error={run?.error} />
        {run?.isStopped && (
          <Alert color="yellow" variant="light">
            {texts.stopped}
          </Alert>
        )}
        {isOutdated && (
          <Alert color="yellow" variant="light">
            {texts.outdated}
          </Alert>
        )}
        {run?.result && <Result result={run.result} />}
      </Stack>
    </Panel>
  );
}

function Result({ result }: { result: Backtest }) {
  const [mode, setMode] = useState<string>();
  const shown = result.modes.find((one) => one.mode === mode) ?? result.modes[0];
  if (!shown) return <Text size="sm">{texts.nothing}</Text>;
  return (
    <Stack gap="lg" className={styles.result ?? ""}>
      {result.modes.length > 1 ? (
        <SegmentedControl
          aria-label={texts.mode}
          value={shown.mode}
          onChange={setMode}
          data={result.modes.map(({ mode: value, payouts }) => ({
            value,
            label: texts.modeWith(statusLook("mode", value).word, payouts),
          }))}
          style={{ alignSelf: "flex-start" }}
        />
      ) : (
        <div>
          <Status of="mode" value={shown.mode} />
        </div>
      )}
      <Tiles result={shown} />
      {result.unknown.length > 0 && (
        <Alert color="yellow" variant="light" title={texts.unknown}>
          <ul className={styles.unknown}>
            {result.unknown.map(({ fact, text }) => (
              <li key={fact}>{text}</li>
            ))}
          </ul>
        </Alert>
      )}
      <ByDay result={shown} />
      <BacktestRules result={shown} />
      <BacktestList result={shown} />
    </Stack>
  );
}

/** An act that neither set has is not shown. */
function shownActs({ acts }: ModeBacktest) {
  return acts.filter(({ count, active_count }) => count + active_count > 0);
}

function Tiles({ result }: { result: ModeBacktest }) {
  const { payouts, changed } = result;
  return (
    <dl className={styles.tiles}>
      <div>
        <dt>{texts.payouts}</dt>
        <dd>{countText(payouts)}</dd>
      </div>
      <div>
        <dt>{texts.different}</dt>
        <dd>{countText(changed)}</dd>
        <dd>{texts.ofPayouts(shareText(changed, payouts))}</dd>
      </div>
      {shownActs(result).map(({ act, count, active_count, also, no_longer }) => (
        <div key={act} data-act={act}>
          <dt>{texts.acts[act]}</dt>
          <dd>{countText(count)}</dd>
          <dd>{texts.now(active_count)}</dd>
          <dd>{also + no_longer === 0 ? texts.same : texts.alsoAndNoLonger(also, no_longer)}</dd>
        </div>
      ))}
    </dl>
  );
}

function ByDay({ result }: { result: ModeBacktest }) {
  const [isTable, setTable] = useState(false);
  const acts = shownActs(result);
  const labels = result.days.map(dayText);
  if (acts.length === 0) return null;
  return (
    <section aria-label={texts.byDay}>
      <Group justify="space-between" mb="xs">
        <Text component="h3" size="sm" fw={600} m={0}>
          {texts.byDay}
        </Text>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setTable(!isTable)}>
          {isTable ? texts.asPlot : texts.asTable}
        </Button>
      </Group>
      {isTable ? (
        <PlotTable
          caption={texts.byDay}
          heads={[texts.day, texts.all, ...acts.map(({ act }) => texts.acts[act])]}
          rows={result.days.map((day, place) => ({
            key: day,
            head: day,
            cells: [
              countText(result.payouts_by_day[place] ?? 0),
              ...acts.map(({ by_day }) => countText(by_day[place] ?? 0)),
            ],
          }))}
        />
      ) : (
        <Suspense fallback={<Skeleton h={230} />}>
          <DaysChart
            days={labels}
            series={acts.map(({ act, by_day }) => ({
              name: act,
              label: texts.acts[act],
              color: `var(--act-${act.replace("_", "-")})`,
              values: by_day,
            }))}
            height={230}
            valueText={(count) => countText(count)}
          />
        </Suspense>
      )}
    </section>
  );
}

const dayFormat = dateFormat({
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** Days are counted in UTC, as limits are. */
function dayText(day: string): string {
  return dayFormat.format(Date.parse(day));
}
