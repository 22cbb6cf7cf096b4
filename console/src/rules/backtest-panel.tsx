// The backtest of a proposal: figures of live or of test payouts, a plot, the rules one by one, and the payouts that they apply to.

import { Alert, Button, Group, Progress, SegmentedControl, Stack, Text } from "@mantine/core";
import type { Backtest, ModeBacktest, Rule } from "@server/doors/console/rules/schema.ts";
import { useState } from "react";
import { shareText } from "../overview/figures.ts";
import { Chart } from "../parts/chart.tsx";
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

export function BacktestPanel({ rules }: { rules: readonly Rule[] }) {
  const { run, start, stop } = useBacktest();
  const progress = run?.progress;
  const isOutdated = run?.result && run.rulesText !== textOfRules(rules);
  return (
    <Panel
      title={rulesTexts.backtest.title}
      actions={
        progress ? (
          <Button size="compact-sm" variant="default" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => void start(rules)}>
            {run?.result ? "Backtest again" : "Backtest the last 90 days"}
          </Button>
        )
      }
    >
      <Stack gap="md">
        {!run?.result && (
          <Text size="sm" c="dimmed" maw={720}>
            Shows what these rules would have done to the payouts of the last 90 days, next to the
            rules in force. Nothing is changed.
          </Text>
        )}
        {progress && (
          <div>
            <Progress value={progress.done * 100} aria-label={rulesTexts.backtest.title} />
            <Text size="xs" c="dimmed" mt={4} aria-live="polite">
              {`${countText(progress.payouts)} ${progress.payouts === 1 ? "payout" : "payouts"} checked`}
            </Text>
          </div>
        )}
        <Problem error={run?.error} />
        {run?.isStopped && (
          <Alert color="yellow" variant="light">
            The backtest was stopped. Start it again.
          </Alert>
        )}
        {isOutdated && (
          <Alert color="yellow" variant="light">
            The rules have changed since this backtest.
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
  if (!shown) return <Text size="sm">There are no payouts in the last 90 days.</Text>;
  return (
    <Stack gap="lg" className={styles.result ?? ""}>
      {result.modes.length > 1 ? (
        <SegmentedControl
          aria-label="Mode of the payouts"
          value={shown.mode}
          onChange={setMode}
          data={result.modes.map(({ mode: value, payouts }) => ({
            value,
            label: `${statusLook("mode", value).word} (${countText(payouts)})`,
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
        <Alert color="yellow" variant="light" title="Not known for all of these payouts">
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
        <dt>Payouts</dt>
        <dd>{countText(payouts)}</dd>
      </div>
      <div>
        <dt>Decided differently</dt>
        <dd>{countText(changed)}</dd>
        <dd>{`${shareText(changed, payouts)} of payouts`}</dd>
      </div>
      {shownActs(result).map(({ act, count, active_count, also, no_longer }) => (
        <div key={act} data-act={act}>
          <dt>{rulesTexts.backtest.acts[act]}</dt>
          <dd>{countText(count)}</dd>
          <dd>{`${countText(active_count)} with the rules in force`}</dd>
          <dd>
            {also + no_longer === 0
              ? "No change"
              : `${countText(also)} more, ${countText(no_longer)} no longer`}
          </dd>
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
    <section aria-label={rulesTexts.backtest.byDay}>
      <Group justify="space-between" mb="xs">
        <Text component="h3" size="sm" fw={600} m={0}>
          {rulesTexts.backtest.byDay}
        </Text>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setTable(!isTable)}>
          {isTable ? "Plot" : "Table"}
        </Button>
      </Group>
      {isTable ? (
        <PlotTable
          caption={rulesTexts.backtest.byDay}
          heads={["Day", "Payouts", ...acts.map(({ act }) => rulesTexts.backtest.acts[act])]}
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
        <Chart
          labels={labels}
          series={acts.map(({ act, by_day }) => ({
            name: act,
            label: rulesTexts.backtest.acts[act],
            color: `var(--act-${act.replace("_", "-")})`,
            values: by_day,
          }))}
          height={206}
          axis={{ text: countText }}
          valueText={countText}
        />
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
