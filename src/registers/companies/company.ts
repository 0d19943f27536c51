/** Companies (CVR) as they are read, from the copy or one by one; and what of them is a person's own (D116, D117). */

/** `null`: the register leaves it open. */
export interface Company {
  readonly number: number;
  readonly name: string | null;
  readonly otherNames: readonly string[];
  readonly form: CompanyCode | null;
  /** In the register's own words. */
  readonly status: string | null;
  /** Days of the Danish calendar. */
  readonly started: string | null;
  readonly ended: string | null;
  readonly address: CompanyAddress | null;
  readonly mainBranch: CompanyCode | null;
  readonly otherBranches: readonly CompanyCode[];
  /** Protected from advertising; null: the register was not read for it, or says nothing. Never guessed. */
  readonly isProtected: boolean | null;
}

/** A code with the register's own text of it. */
export interface CompanyCode {
  readonly code: string;
  readonly text: string | null;
}

export interface CompanyAddress {
  readonly roadName: string | null;
  readonly houseNumber: string | null;
  readonly floor: string | null;
  readonly door: string | null;
  readonly supplementaryTown: string | null;
  readonly postcode: string | null;
  readonly postcodeName: string | null;
  readonly municipalityCode: string | null;
  /** Of the address in DAR. */
  readonly addressId: string | null;
  /** As it was written where it is in no country's parts. */
  readonly freeText: string | null;
}

/** Forms by their codes, each with the register's own text: companies that are one person's. */
export type PersonalForms = Readonly<Record<string, string>>;

/** The codes are known from general knowledge only, which is why their texts are held against the register's (D117). */
export const PERSONAL_FORMS: PersonalForms = {
  '10': 'Enkeltmandsvirksomhed',
  '15': 'Personligt ejet Mindre Virksomhed',
};

/** null: the form is open, or its code and its text do not say the same. */
export function isPersonal(form: CompanyCode | null, forms: PersonalForms): boolean | null {
  if (form === null) return null;
  const code = form.code.replace(/^0+(?=\d)/, '');
  const expected = forms[code];
  if (form.text === null) return expected !== undefined;
  const text = plain(form.text);
  if (expected !== undefined) return text === plain(expected) ? true : null;
  return Object.values(forms).some((each) => plain(each) === text) ? null : false;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-zæøå]/g, '');
}

const DIGITS = 8;
const WEIGHTS = [2, 7, 6, 5, 4, 3, 2, 1];
const MODULUS = 11;

/** The number that eight digits are; null: they are no company's (D118). */
export function companyNumber(text: string): number | null {
  if (text.length !== DIGITS || !/^\d+$/.test(text)) return null;
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(text[at]), 0);
  return sum % MODULUS === 0 ? Number(text) : null;
}

/** As it is written everywhere: eight digits. */
export function companyNumberText(number: number): string {
  return String(number).padStart(DIGITS, '0');
}

/** Where one company is asked for by its number: an Elasticsearch of Virk (upstream/registers-bbr.md 12). */
export interface CompanySearch {
  /** Its breaker and its requests in flight. */
  readonly host: 'virk';
  /** Without a query string. Asked over https, whatever it begins with; over http only where that is allowed. */
  readonly url: string;
  /** Of one answer with all its tries, milliseconds. */
  readonly pointTimeoutMs: number;
  readonly tries: number;
  /** With fewer companies in all it is not believed that one is unknown. */
  readonly leastCompanies: number;
}

export const VIRK_SEARCH: CompanySearch = {
  host: 'virk',
  url: 'https://distribution.virk.dk/cvr-permanent/virksomhed/_search',
  pointTimeoutMs: 6_000,
  tries: 2,
  // Two thirds of the active ones that are known of; ended ones come on top.
  leastCompanies: 400_000,
};
