// What a request can be refused with: the codes and texts of the interface, as far as this service uses them.

const texts = {
  AUTH101: [401, "x-api-key header is missing"],
  AUTH102: [401, "signature header is missing"],
  AUTH103: [401, "signature is malformed"],
  AUTH104: [401, "API key is unknown, expired or revoked"],
  AUTH105: [401, "signature does not match"],
  AUTH106: [401, "signature is outside the time window"],
  IDEM102: [422, "Idempotency-Key was used for another request"],
  REVR101: [400, "Receiver ID not found"],
  REVR201: [400, "Email already exist"],
  REVR203: [400, "Email is required"],
  REVR204: [400, "First name is required"],
  REVR205: [400, "Last name is required"],
  REVR206: [400, "Dialcode is required"],
  REVR207: [400, "Phone is required"],
  REVR208: [400, "Address is required"],
  REVR209: [400, "Address2 is required"],
  REVR210: [400, "City is required"],
  REVR211: [400, "State is required"],
  REVR212: [400, "Postcode is required"],
  REVR213: [400, "Country is required"],
  REVR214: [400, "Email is not valid"],
  REVR215: [400, "First name is not valid"],
  REVR216: [400, "Last name is not valid"],
  REVR217: [400, "Gender is not valid"],
  REVR218: [400, "Dialcode is not valid"],
  REVR219: [400, "Phone is not valid"],
  REVR220: [400, "Address is not valid"],
  REVR221: [400, "Address2 is not valid"],
  REVR222: [400, "City is not valid"],
  REVR223: [400, "State is not valid"],
  REVR224: [400, "Postcode is not valid"],
  REVR225: [400, "Country is not valid"],
  REVR226: [400, "Date of birth is required"],
  REVR227: [400, "Date of birth is not valid"],
  REVR228: [400, "Gender is required"],
  REVR229: [400, "Middle name is not valid"],
  REVR230: [400, "Reference is not valid"],
  REVR231: [400, "Field is unknown"],
  PAYO201: [400, "Receiver ID is required"],
  PAYO202: [400, "Account ID is required"],
  PAYO203: [400, "Amount is required"],
  PAYO204: [400, "Currency is required"],
  PAYO205: [400, "Receiver ID is not valid"],
  PAYO206: [400, "Account ID is not valid"],
  PAYO207: [400, "Amount is not valid"],
  PAYO208: [400, "Currency is not valid"],
  PAYO209: [400, "Reference is not valid"],
  PAYO210: [400, "Note is not valid"],
  PAYO212: [400, "Field is unknown"],
  PAYO221: [409, "Receiver can't be paid"],
  PAYO222: [409, "Account can't be paid"],
  PAYO223: [400, "Currency does not fit the account"],
  PAYO227: [409, "Funds are not sufficient"],
  SYST500: [500, "internal error"],
} as const satisfies Record<string, readonly [status: number, text: string]>;

export type Code = keyof typeof texts;
type Problem = { code: Code; message: string; field?: string };

export class Refusal extends Error {
  readonly status: number;
  readonly problems: readonly Problem[];

  constructor(...given: { code: Code; field?: string }[]) {
    super(given.map(({ code }) => code).join(", "));
    this.status = texts[given[0]?.code ?? "SYST500"][0];
    this.problems = given.map(({ code, field }) => ({
      code,
      message: texts[code][1],
      ...(field && { field }),
    }));
  }
}

export function refusal(code: Code, field?: string): Refusal {
  return new Refusal(field === undefined ? { code } : { code, field });
}
