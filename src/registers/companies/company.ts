/** Companies (CVR), and which data are personal (D116, D117). */

/** `null`: the register leaves it open. */
export interface Company {
  readonly number: number;
  readonly name: string | null;
  readonly otherNames: readonly string[];
  readonly form: CompanyCode | null;
  readonly status: string | null;
  readonly started: string | null;
  readonly ended: string | null;
  readonly address: CompanyAddress | null;
  readonly mainBranch: CompanyCode | null;
  readonly otherBranches: readonly CompanyCode[];
  /** Protected from advertising; null: unread or not stated. Never guessed. */
  readonly isProtected: boolean | null;
}

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
  readonly addressId: string | null;
  readonly freeText: string | null;
}

export type PersonalForms = Readonly<Record<string, string>>;

/** Codes from general knowledge only, so their texts are compared with the register's (D117). */
export const PERSONAL_FORMS: PersonalForms = {
  '10': 'Enkeltmandsvirksomhed',
  '15': 'Personligt ejet Mindre Virksomhed',
};

/** null: the form is open, a code alone, or its text disagrees. */
export function isPersonal(form: CompanyCode | null, forms: PersonalForms): boolean | null {
  if (form === null) return null;
  const code = form.code.replace(/^0+(?=\d)/, '');
  const expected = forms[code];
  if (form.text === null) return expected === undefined ? null : true;
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

/** null: no company number (D118). */
export function companyNumber(text: string): number | null {
  if (text.length !== DIGITS || !/^\d+$/.test(text)) return null;
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(text[at]), 0);
  return sum % MODULUS === 0 ? Number(text) : null;
}

export function companyNumberText(number: number): string {
  return String(number).padStart(DIGITS, '0');
}

/** Virk's Elasticsearch (upstream/registers-bbr.md 12). */
export interface CompanySearch {
  readonly host: 'virk';
  /** Without query string. Requested over https; over http only where allowed. */
  readonly url: string;
  readonly pointTimeoutMs: number;
  readonly tries: number;
  /** With fewer in total, "unknown" is not believed. */
  readonly leastCompanies: number;
  readonly knownCompany: number;
}

export const VIRK_SEARCH: CompanySearch = {
  host: 'virk',
  url: 'https://distribution.virk.dk/cvr-permanent/virksomhed/_search',
  pointTimeoutMs: 6_000,
  tries: 2,
  // Two thirds of the known active companies.
  leastCompanies: 400_000,
  // A state agency, as old as the register.
  knownCompany: 34_051_178,
};
