// What other nouns use of rules. The rest of this folder is private to it.

export { type Backtest, type BacktestStep, type ModeBacktest, runBacktest } from "./backtest.ts";
export {
  type BacktestBalance,
  findLastTransferBefore,
  listBacktestBalances,
  listBalancesOfSubaccount,
} from "./backtest-queries.ts";
export {
  approveRuleSet,
  declineRuleSet,
  expireRuleSet,
  proposeRuleSet,
  requireApprover,
} from "./change.ts";
export { evaluateRules, type RuleFacts, type RuleFigures, type RuleMatch } from "./evaluate.ts";
export { figuresInWords } from "./figures.ts";
export {
  activeRulesHash,
  findActiveRuleSet,
  findRuleSet,
  isProposedUntilEnd,
  listRuleSets,
  type RuleSetRow,
} from "./queries.ts";
export {
  approvingRoles,
  countedMs,
  Rule,
  type RuleSubject,
  type RuleWindow,
  ruleSubjects,
  ruleWindows,
  windowMs,
} from "./rule.ts";
export {
  type CompiledRuleSet,
  type CountEpochs,
  type CountedCondition,
  checkedRules,
  compileRuleSet,
  nextEpochs,
  type PayeeFactsNeeded,
  type ScopedRules,
} from "./rule-set.ts";
export { actTable, conditionTable } from "./rule-tables.ts";
export { knownRules, latestRules, loadRules } from "./rules-in-force.ts";
export { ruleSentence } from "./sentence.ts";
