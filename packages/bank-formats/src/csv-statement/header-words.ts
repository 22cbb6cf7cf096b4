// How banks call their columns, in the languages that we know.

/** What a column may be for. */
export type ColumnUse =
  | "date"
  | "value_date"
  | "amount"
  | "debit"
  | "credit"
  | "indicator"
  | "balance"
  | "currency"
  | "description"
  | "reference"
  | "bank_reference"
  | "party_name"
  | "party_account"
  | "code"
  | "account"
  | "status";

/** English, German, French, Spanish, Dutch, Italian and Portuguese; lower case, without accents and punctuation. */
const words: Readonly<Record<ColumnUse, string>> = {
  date: `date|booking date|posting date|posted date|post date|transaction date|entry date|trans date|buchungstag|buchungsdatum|
    buchung|datum|date operation|date de l operation|date comptable|date de comptabilisation|fecha|fecha operacion|
    fecha de operacion|fecha contable|f operacion|boekdatum|boekingsdatum|transactiedatum|data|data contabile|
    data operazione|data mov|data movimento|completed date|date completed`,
  value_date: `value date|value|val date|interest date|effective date|valuta|valutadatum|wertstellung|wertstellungsdatum|wert|
    valuta datum|date valeur|date de valeur|fecha valor|f valor|rentedatum|valutadatum|data valuta|data valor`,
  amount: `amount|transaction amount|amt|net amount|betrag|umsatz|betrag in|montant|importe|importe operacion|bedrag|
    transactiebedrag|importo|valor|montante|sum|amount in account currency`,
  debit: `debit|debits|debit amount|withdrawal|withdrawals|withdrawal amt|money out|paid out|out|payments|dr|soll|belastung|
    lastschrift|ausgang|debito|debitos|debet|montant debit|cargo|cargos|debe|af|uitgaven|dare|addebiti|addebito|uscite`,
  credit: `credit|credits|credit amount|deposit|deposits|deposit amt|money in|paid in|in|receipts|cr|haben|gutschrift|eingang|
    credito|creditos|montant credit|abono|abonos|haber|bij|inkomsten|avere|accrediti|accredito|entrate`,
  indicator: `debit credit|credit debit|debit credit indicator|dr cr|cr dr|d c|c d|dc|cdi|type|transaction type|direction|
    soll haben|s h|soll haben kennzeichen|af bij|sens|signe|debe haber|sign|segno|credit debit indicator`,
  balance: `balance|running balance|account balance|closing balance|balance after|ledger balance|saldo|kontostand|
    saldo nach buchung|saldo nach mutatie|solde|saldo tras operacion|saldo posterior|saldo contabile|saldo na boeking|
    saldo disponible|saldo progressivo|available balance`,
  currency: `currency|ccy|curr|currency code|account currency|waehrung|wahrung|whrg|devise|monnaie|divisa|moneda|munt|valuta|
    muntsoort|valuta code|moeda|divise`,
  description: `description|details|narrative|narration|particulars|memo|transaction details|transaction description|remarks|
    text|message|verwendungszweck|buchungstext|beschreibung|zahlungszweck|mitteilung|avisierungstext|umsatztext|vorgang|
    libelle|libelle operation|communication|objet|concepto|descripcion|detalle|observaciones|movimiento|omschrijving|
    mededelingen|mededeling|naam omschrijving|descrizione|causale|descricao|historico`,
  reference: `reference|ref|your reference|customer reference|payment reference|end to end id|endtoendid|end to end reference|
    kundenreferenz|referenz|ihre referenz|zahlungsreferenz|mandatsreferenz|end to end referenz|reference client|referencia|
    referencia cliente|kenmerk|betalingskenmerk|betalingskenmerk klant|riferimento`,
  bank_reference: `bank reference|bank ref|transaction id|transaction reference|transaction number|transaction no|id|
    unique id|journal|serial|serial number|reference number|ref no|ref no cheque no|chq ref no|cheque number|bankreferenz|umsatz id|transaktions id|
    transaktionsnummer|transaktions nr|buchungsreferenz|reference banque|numero de reference|referencia banco|
    numero de operacion|transactiereferentie|volgnr|volgnummer|numero operazione`,
  party_name: `name|payee|payer|counterparty|counterparty name|other party|other party name|beneficiary|beneficiary name|merchant|
    from to|payer payee|beguenstigter|begunstigter|auftraggeber|empfanger|zahlungsempfanger|zahlungspflichtiger|
    auftraggeber empfanger|beguenstigter zahlungspflichtiger|begunstigter zahlungspflichtiger|name zahlungsbeteiligter|
    zahlungsempfaenger in|zahlungspflichtige r|zahlungsempfanger in|tiers|contrepartie|nom de la contrepartie|beneficiaire|
    beneficiario|ordenante|naam|tegenpartij|naam tegenpartij|naam tegenrekeninghouder|naam tegenrekening|controparte`,
  party_account: `counterparty account|account number of counterparty|other party account|other party account number|payee account|
    counterparty iban|iban|kontonummer|gegenkonto|iban zahlungsbeteiligter|kontonummer iban|iban zahlungspflichtiger|
    konto des begunstigten|compte contrepartie|iban contrepartie|cuenta contrapartida|cuenta beneficiario|tegenrekening|
    tegenrekening iban bban|iban bban tegenpartij|rekening tegenpartij|conto controparte`,
  code: `transaction code|type code|tran type|trans code|code|category|payment type|buchungsschlussel|gvc|geschaftsvorfall|
    umsatzart|umsatztyp|code operation|type d operation|tipo|tipo de movimiento|codigo|mutatiesoort|mutatiecode|transactietype`,
  account: `account|account number|account no|own account|bank account|our account|auftragskonto|konto|iban auftragskonto|
    bezeichnung auftragskonto|compte|numero de compte|cuenta|numero de cuenta|rekening|rekeningnummer|iban rekeninghouder|
    iban bban|conto|conta`,
  status: `status|state|booking status|transaction status|statut|estado|stato|zustand|buchungsstatus`,
};

/** Letters and digits only, without accents, so that "Début (€)" and "debut" are the same. */
export function plainHeader(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/ß/g, "ss")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}

const phrases = Object.entries(words).map(
  ([use, text]) => [use as ColumnUse, text.split("|").map(plainHeader)] as const,
);

/**
 * How well a header fits each use: 3 for a name that we know, 2 where the header begins with it, 1 where it is inside.
 * Only what fits is there.
 */
export function usesOfHeader(header: string): ReadonlyMap<ColumnUse, number> {
  // A currency beside the name says nothing about the use.
  const plain = plainHeader(header.replace(/\(?\b[A-Z]{3}\b\)?\s*$/, "")) || plainHeader(header);
  const found = new Map<ColumnUse, number>();
  for (const [use, names] of phrases) {
    const score = Math.max(...names.map((name) => fit(plain, name)));
    if (score > 0) found.set(use, score);
  }
  return found;
}

function fit(header: string, name: string): number {
  if (header === name) return 3;
  // Short words are parts of too many others.
  if (name.length < 4) return 0;
  if (header.startsWith(`${name} `)) return 2;
  return header.endsWith(` ${name}`) || header.includes(` ${name} `) ? 1 : 0;
}
