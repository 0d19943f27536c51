/**
 * The island's invented companies, with persons and production units in the same tables, former names,
 * corrected rows and ended companies.
 */
import type { AddressTables } from '../addresses/rows.ts';
import type { Random } from '../../data/random.ts';
import { createRandom } from '../../data/random.ts';
import { byId, entitiesOf, inForceSince, textIn } from '../../data/table-row.ts';
import type { TableRow } from '../../data/table-row.ts';

/** By entity. */
export const COMPANY_MIN_ROWS = {
  Virksomhed: 200,
  Navn: 200,
  Adressering: 200,
  Branche: 200,
  Virksomhedsform: 200,
  Reklamebeskyttelse: 20,
} as const;
export const COMPANY_ENTITIES = entitiesOf(COMPANY_MIN_ROWS);
export type CompanyEntity = (typeof COMPANY_ENTITIES)[number];

export interface SampleAddress {
  readonly id: string;
  readonly road: string;
  readonly number: string;
  readonly letter: string | null;
  readonly floor: string | null;
  readonly door: string | null;
  readonly postcode: string;
  readonly postcodeName: string;
  readonly municipality: string;
}

export interface SampleCompany {
  readonly number: number;
  readonly unit: string;
  readonly name: string;
  readonly otherNames: readonly string[];
  readonly nameBefore: string | null;
  readonly form: Coded;
  readonly started: string;
  readonly ended: string | null;
  readonly address: SampleAddress;
  readonly branches: readonly Coded[];
  /** null: the register says nothing. */
  readonly isProtected: boolean | null;
}

type Coded = readonly [code: string, text: string];

const FORMS = {
  sole: ['10', 'Enkeltmandsvirksomhed'],
  small: ['15', 'Personligt ejet Mindre Virksomhed'],
  public: ['60', 'Aktieselskab'],
  private: ['80', 'Anpartsselskab'],
} as const satisfies Record<string, Coded>;

const BRANCHES: readonly Coded[] = [
  ['011100', 'Dyrkning af korn'],
  ['433410', 'Malerforretninger'],
  ['620100', 'Computerprogrammering'],
  ['561110', 'Servering af mad i restauranter og på caféer'],
  ['682040', 'Udlejning af erhvervsejendomme'],
];

const COUNT = 260;

/** Numbers from 990 on are not issued. */
const FIRST = 9_900_000;
const WEIGHTS = [2, 7, 6, 5, 4, 3, 2];

/** The next number from a stem on whose check digit is one digit. */
function numberFrom(stem: number): number {
  const digits = Array.from(String(stem), Number);
  const sum = digits.reduce((total, digit, at) => total + digit * (WEIGHTS[at] ?? 0), 0);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? numberFrom(stem + 1) : stem * 10 + check;
}

const number = (n: number): number => numberFrom(FIRST + 7 * n);

export const KNOWN_COMPANY = {
  number: number(0),
  soleNumber: number(1),
  soleName: 'Malerfirma v/Gunhild Opdigtet Prøvedatter',
  endedNumber: number(2),
  protectedNumber: number(3),
  silentNumber: number(4),
  unknownNumber: numberFrom(FIRST - 7),
} as const;

export function sampleCompanies(addresses: AddressTables): readonly SampleCompany[] {
  const random = createRandom('companies');
  const places = placesOf(addresses);
  return Array.from({ length: COUNT }, (_, n) => companyOf(n, random, places));
}

function companyOf(n: number, random: Random, places: readonly SampleAddress[]): SampleCompany {
  const own = number(n);
  const { soleNumber, endedNumber } = KNOWN_COMPANY;
  const isSole = own === soleNumber || (n > 4 && random.chance(0.3));
  const isOver = own === endedNumber || (n > 4 && random.chance(0.2));
  const others = n === 0 ? 2 : Number(random.chance(0.1));
  const year = random.integer(1975, 2022);
  const soleName = n === 1 ? KNOWN_COMPANY.soleName : `Prøvebutik ${n + 1} v/Opdigtet Person`;
  return {
    number: own,
    unit: String(4_000_000_001 + n),
    name: isSole ? soleName : `Opdigtet Virksomhed ${n + 1} ApS`,
    otherNames: Array.from({ length: others }, (_, i) => `Prøvenavn ${i + 1} af ${n + 1} ApS`),
    nameBefore: own === endedNumber || n % 7 === 3 ? `Forhen ${n + 1} A/S` : null,
    form: formOf(n, isSole),
    started: `${year}-0${random.integer(1, 9)}-${random.integer(10, 28)}`,
    ended: isOver ? `2023-0${random.integer(1, 9)}-${random.integer(10, 28)}` : null,
    address: random.pick(places),
    branches: BRANCHES.slice(n % 4, (n % 4) + (n === 0 ? 3 : random.integer(1, 2))),
    isProtected: protectionOf(own, random),
  };
}

function formOf(n: number, isSole: boolean): Coded {
  if (isSole) return FORMS[n % 4 === 3 ? 'small' : 'sole'];
  return FORMS[n % 5 === 3 ? 'public' : 'private'];
}

function protectionOf(own: number, random: Random): boolean | null {
  const { soleNumber, protectedNumber, silentNumber } = KNOWN_COMPANY;
  if (own === silentNumber) return null;
  return own === soleNumber || own === protectedNumber || random.chance(0.3);
}

/** The parts of every unit address in force, on roads that were never renamed. */
function placesOf(tables: AddressTables): readonly SampleAddress[] {
  const [accesses, postcodes] = [byId(tables.Husnummer), byId(tables.Postnummer)];
  const roads = new Map(
    [...Map.groupBy(tables.NavngivenVej, (row) => textIn(row, 'id_lokalId'))].flatMap(
      ([id, rows]) => (rows.length === 1 ? [[id, rows[0]]] : []),
    ),
  );
  return tables.Adresse.flatMap((row): SampleAddress[] => {
    const access = accesses.get(textIn(row, 'husnummer'));
    const road = roads.get(textIn(access, 'navngivenVej'));
    const postcode = postcodes.get(textIn(access, 'postnummer'));
    if (!access || !road || !postcode || row['status'] !== '3') return [];
    const [, digits = '', letter = ''] =
      /^0*(\d+)([A-Z]?)$/.exec(textIn(access, 'husnummertekst')) ?? [];
    return [
      {
        id: textIn(row, 'id_lokalId'),
        road: textIn(road, 'vejnavn'),
        ...{ number: digits, letter: letter === '' ? null : letter },
        floor: row['etagebetegnelse'] ?? null,
        door: row['doerbetegnelse'] ?? null,
        postcode: textIn(postcode, 'postnr'),
        postcodeName: textIn(postcode, 'navn'),
        municipality: textIn(access, 'vejmidte').slice(0, 4),
      },
    ];
  });
}

/** The tables as the Datafordeler has them, with all history. */
export function generateCompanies(
  addresses: AddressTables,
): Readonly<Record<CompanyEntity, readonly TableRow[]>> {
  const companies = sampleCompanies(addresses);
  const tables: Record<CompanyEntity, TableRow[]> = {
    Virksomhed: companies.flatMap(companyRows),
    Navn: companies.flatMap(nameRows),
    Adressering: companies.flatMap(addressRows),
    Branche: companies.flatMap(branchRows),
    Virksomhedsform: companies.map((company) => ofUnit(company, textValue(company.form))),
    Reklamebeskyttelse: companies.flatMap((company) => {
      const { isProtected } = company;
      return isProtected === null ? [] : [ofUnit(company, { vaerdi: String(isProtected) })];
    }),
  };
  addOthers(tables, companies);
  return tables;
}

const REGISTERED = '2024-01-06T01:00:00.000000Z';

function ofUnit({ unit, started, ended }: SampleCompany, values: TableRow): TableRow {
  const times = { ...inForceSince(started, REGISTERED), virkningTil: ended };
  return { CVREnhedsId: unit, ...values, ...times };
}

function textValue([vaerdi, vaerdiTekst]: Coded): TableRow {
  return { vaerdi, vaerdiTekst };
}

/** A corrected row's former content, with a closed registration. */
function corrected(row: TableRow, change: TableRow): TableRow[] {
  const closed = { registreringFra: '2020-01-04T01:00:00.000000Z', registreringTil: REGISTERED };
  return [row, { ...row, ...change, ...closed }];
}

function companyRows(company: SampleCompany): TableRow[] {
  const { number: own, unit, started, ended } = company;
  const { CVREnhedsId: _unit, ...times } = ofUnit(company, {});
  const row = {
    ...{ id: unit, CVRNummer: String(own), status: ended === null ? 'aktiv' : 'ophørt' },
    ...{ virksomhedStartdato: started, virksomhedOphoersdato: ended, ...times },
  };
  return own % 9 === 0 ? corrected(row, { status: 'fejl' }) : [row];
}

const RENAMED = '2022-12-31';

function nameRows(company: SampleCompany): TableRow[] {
  const { name, otherNames, nameBefore } = company;
  const own = ofUnit(company, { sekvens: '0', vaerdi: name });
  const before = { ...own, vaerdi: nameBefore, virkningTil: RENAMED };
  return [
    ...corrected(own, { vaerdi: 'Forkert navn' }),
    ...(nameBefore === null ? [] : [before]),
    ...otherNames.map((vaerdi, n) => ofUnit(company, { sekvens: String(n + 1), vaerdi })),
  ];
}

function addressRows(company: SampleCompany): TableRow[] {
  const { address, number: own } = company;
  const row = ofUnit(company, {
    AdresseringAnvendelse: own % 5 === 0 ? 'POSTADRESSE' : 'beliggenhedsadresse',
    Adresse: address.id,
    CVRAdresse_vejnavn: address.road,
    CVRAdresse_husnummerFra: address.number,
    CVRAdresse_bogstavFra: address.letter,
    CVRAdresse_husnummerTil: null,
    CVRAdresse_etagebetegnelse: address.floor,
    CVRAdresse_doerbetegnelse: address.door,
    CVRAdresse_postnummer: address.postcode,
    CVRAdresse_postdistrikt: address.postcodeName,
    // The register omits the leading zero.
    CVRAdresse_kommunekode: address.municipality.replace(/^0+/, ''),
    CVRAdresse_supplerendeBynavn: null,
    CVRAdresse_adresseFritekst: null,
  });
  const mail = { ...row, AdresseringAnvendelse: 'postadresse', CVRAdresse_vejnavn: 'Postvej' };
  const moved = { ...row, CVRAdresse_vejnavn: 'Fraflyttet Vej', virkningTil: '2010-01-31' };
  return [...(own % 5 === 0 ? [] : [mail]), row, ...(own % 3 === 0 ? [moved] : [])];
}

function branchRows(company: SampleCompany): TableRow[] {
  return company.branches.map((branch, n) =>
    ofUnit(company, { sekvens: String(n), ...textValue(branch) }),
  );
}

export const OTHER_UNIT_NAME = 'Ejer Uden Virksomhed';

function addOthers(
  tables: Record<CompanyEntity, TableRow[]>,
  companies: readonly SampleCompany[],
): void {
  for (const company of companies.slice(0, 60)) {
    const person = { ...company, unit: `5${company.unit}` };
    tables.Navn.push(ofUnit(person, { sekvens: '0', vaerdi: OTHER_UNIT_NAME }));
    tables.Adressering.push(...addressRows(person).slice(-1));
    tables.Branche.push(...branchRows(person).slice(0, 1));
  }
}
