// Shared texts of the screens below rules/.

import { countText } from "../state/locale.ts";

export const rulesTexts = {
  inForce: "Rules in force",
  versionOf: (version: number) => `Version ${version}`,
  rule: "Rule",
  approve: "Approve",
  added: "Added",
  removed: "Removed",
  changed: "Changed",

  history: "Versions",
  rulesOf: (version: number) => `Rules of version ${version}`,
  draftEmpty: "No rules",
  draftEmptyHint: "Without rules, only the rules that are always in force apply.",
  addRule: "Add rule",
  editRule: (name: string) => `Edit rule ${name}`,
  propose: "Propose",

  backtest: {
    title: "Backtest",
    byDay: "Payouts by day, with the proposed rules",
    acts: {
      refuse: "Refused",
      hold: "On hold",
      approvals: "Several approvals",
      second_person: "Second user",
    },
    byRule: "By rule",
    list: (count: number) => `The newest ${countText(count)} of these payouts`,
  },
} as const;
