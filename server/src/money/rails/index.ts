// What other nouns use of rails. The rest of this folder is private to it.

export { type RailDirectory, type RailEntry, railDirectory } from "./directory.ts";
export {
  type Charge,
  chargeFor,
  type FeeBearer,
  type FeeRule,
  feeBearers,
  percentPattern,
  rateOf,
} from "./fee.ts";
export {
  bankRailPrefix,
  type DirectRail,
  type InboundItem,
  type Rail,
  type RailPayout,
  type RailReject,
  type RailSchedule,
} from "./rail.ts";
export { railsOf } from "./rails.ts";
export { sandboxRail } from "./sandbox.ts";
