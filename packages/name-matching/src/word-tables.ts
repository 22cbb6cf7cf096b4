// Words of names that say little: titles, particles, general words of companies, and their short forms.

/** Titles and forms of address. They are often left out. */
export const titles: ReadonlySet<string> = new Set(
  (
    "mr mrs ms miss mister madam madame monsieur mme mlle herr frau senor senora sr sra don dona signor signora " +
    "dr doctor doktor prof professor ing dipl mag phd md esq sir lord lady dame hon honourable reverend rev father fr " +
    "general gen colonel col major maj captain capt lieutenant lt brigadier brig admiral commander marshal sergeant " +
    "president minister ambassador judge justice prince princess king queen emir amir sultan " +
    "sheikh shaikh shaykh sheik sheykh cheikh mullah mulla maulawi mawlawi maulvi moulavi maulana mawlana haji hajji hadji " +
    "hajj alhaj alhaji qari ustad ustaz imam ayatollah hojatoleslam sayyid sayed sayyed seyed syed jr junior senior"
  ).split(" "),
);

/** Particles between the parts of a name, and how each is written here. */
export const particles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    al: "al el ul ash",
    bin: "bin ben ibn ibni",
    bint: "bint bent binti",
    de: "de di da du des dos del della delle dello degli la le les las los lo",
    von: "von van der den dem zu zum zur ter ten vom",
    y: "y e",
    of: "of the and und et for",
  }).flatMap(([particle, spellings]) => spellings.split(" ").map((word) => [word, particle])),
);

/** Words of organisations that many names have. */
export const generalWords: ReadonlySet<string> = new Set(
  (
    "company corporation group holding holdings international global general national industries industry industrial trading " +
    "trade commercial bank banking trust fund foundation enterprise enterprises services service solutions systems system " +
    "technology technologies engineering construction investment investments partners associates association organisation " +
    "institute university academy center government ministry department agency office committee council development " +
    "management production products manufacturing plant factory works shipping logistics transport airlines energy oil gas " +
    "petroleum chemical insurance finance financial capital securities real estate shop store"
  ).split(" "),
);

/** Short forms and other spellings of words of organisations. */
export const sameWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    international: "intl int internl internat",
    company: "comp compny",
    corporation: "corpn",
    organisation: "organization org organisations organizations",
    association: "assoc assn asso",
    university: "univ",
    government: "govt gov",
    department: "dept",
    manufacturing: "mfg manuf",
    industries: "inds",
    industrial: "indl",
    national: "natl nat",
    brothers: "bros",
    technology: "tech",
    development: "dev devt",
    management: "mgmt mgt",
    engineering: "engg engr",
    enterprises: "ents",
    services: "svcs svc",
    center: "centre ctr",
    labor: "labour",
    institute: "inst",
    general: "gen",
    limited: "lmtd",
    group: "grp",
    saint: "st",
    and: "&",
  }).flatMap(([word, spellings]) => spellings.split(" ").map((spelling) => [spelling, word])),
);

const units =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const tens = "twenty thirty forty fifty sixty seventy eighty ninety";

/** The numbers up to ninety as words. */
export const numberWords: ReadonlyMap<string, number> = new Map([
  ...units.split(" ").map((word, index) => [word, index] as const),
  ...tens.split(" ").map((word, index) => [word, 20 + 10 * index] as const),
]);

/** Names that many people have: two people who share one may be different. Spellings with the same skeleton count as well. */
export const commonNames: ReadonlySet<string> = new Set(
  (
    "mohammed muhammad mohamed mohammad ahmed ahmad ali hassan hasan hussein husain ibrahim abdullah abdul mahmoud khan omar " +
    "umar said saeed yusuf youssef ismail khalid salem salim saleh hamid kim li lee wang zhang chen liu yang park pak choe " +
    "nguyen maria jose juan carlos luis antonio john james robert michael william david thomas peter paul anna " +
    "ivan ivanov aleksandr alexander sergey vladimir dmitry andrey singh kumar sharma smith jones garcia rodriguez lopez silva santos"
  ).split(" "),
);

/** Endings of patronymics, which are often left out. */
export const patronymic =
  /.{2,}(?:ovich|evich|ovych|evych|yevich|ovna|evna|ivna|oglu|ogly|kyzy|qizi)$/;
