// Which fields of an address a country uses. Only the others may be empty. Pure.

type PlaceField = "state" | "postcode";

/** Countries whose postal addresses name a state, a province or the like. Elsewhere `state` may be empty. */
const withState = new Set(
  (
    "ARE ARG AUS BRA CAN CHL CHN COL ESP FSM HND IDN IND IRQ ITA JAM JPN KOR MEX MHL MYS NGA PER PHL " +
    "PLW PNG RUS SLV SOM THA TUR TWN UKR USA VEN VNM"
  ).split(" "),
);

/** Countries and territories that have no postcodes. There `postcode` may be empty. */
const withoutPostcode = new Set(
  (
    "ABW AGO ARE ATG BDI BEN BFA BHS BLZ BOL BWA CAF CIV CMR COD COG COK COM CUW DJI DMA ERI FJI GHA GIN " +
    "GMB GNQ GRD GUY HKG JAM KIR KNA LBY MAC MLI MRT MWI NIU NRU PRK QAT RWA SLB SLE SOM STP SUR SXM SYC SYR TCD " +
    "TGO TKL TON TUV UGA VUT YEM ZWE"
  ).split(" "),
);

type Place = Partial<Record<PlaceField | "country", unknown>>;

/** The fields that are empty although the country uses them. For an unknown country, every empty field. */
export function wronglyEmpty({ country, state, postcode }: Place): PlaceField[] {
  const code = String(country);
  const empty: PlaceField[] = [];
  if (state === "" && (!country || withState.has(code))) empty.push("state");
  if (postcode === "" && !withoutPostcode.has(code)) empty.push("postcode");
  return empty;
}
