/**
 * The island's invented companies, with persons and production units in the same tables, former names,
 * corrected rows and ended companies.
 */
import { readCsv } from '../../data/read-csv.ts';
import { entitiesOf, inForceSince, textIn } from '../../data/table-row.ts';
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

type SampleAddress = Readonly<
  Record<'id' | 'road' | 'number' | 'postcode' | 'postcodeName' | 'municipality', string> &
    Record<'letter' | 'floor' | 'door', string | null>
>;

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

/** Of forms and branches. */
const TEXTS = new Map(
  readCsv(import.meta.dirname, 'codes').map((row) => [textIn(row, 'code'), textIn(row, 'text')]),
);

/** Numbers from 990 on are not issued. */
export const KNOWN_COMPANY = {
  number: 99_000_007,
  soleNumber: 99_000_074,
  soleName: 'Malerfirma v/Gunhild Opdigtet Prøvedatter',
  endedNumber: 99_000_147,
  protectedNumber: 99_000_228,
  silentNumber: 99_000_287,
  unknownNumber: 98_999_930,
} as const;

export function sampleCompanies(): readonly SampleCompany[] {
  return readCsv(import.meta.dirname, 'companies').map((row): SampleCompany => {
    const { letter = null, floor = null, door = null } = row;
    const address = {
      ...{ id: textIn(row, 'address'), road: textIn(row, 'road'), number: textIn(row, 'house') },
      ...{ letter, floor, door },
      ...{ postcode: textIn(row, 'postcode'), postcodeName: textIn(row, 'postcodeName') },
      municipality: textIn(row, 'municipality'),
    };
    return {
      number: Number(row['number']),
      ...{ unit: textIn(row, 'unit'), name: textIn(row, 'name') },
      otherNames: row['otherNames']?.split('|') ?? [],
      nameBefore: row['nameBefore'] ?? null,
      form: coded(textIn(row, 'form')),
      ...{ started: textIn(row, 'started'), ended: row['ended'] ?? null, address },
      branches: textIn(row, 'branches').split(' ').map(coded),
      isProtected: row['isProtected'] === null ? null : row['isProtected'] === 'true',
    };
  });
}

function coded(code: string): Coded {
  return [code, TEXTS.get(code) ?? ''];
}

export const OTHER_UNIT_NAME = 'Ejer Uden Virksomhed';

/** The tables as the Datafordeler has them, with all history, and persons among the units. */
export function generateCompanies(): Readonly<Record<CompanyEntity, readonly TableRow[]>> {
  const companies = sampleCompanies();
  const persons = companies.slice(0, 60).map((each) => ({ ...each, unit: `5${each.unit}` }));
  const nameOf = (person: SampleCompany) =>
    ofUnit(person, { sekvens: '0', vaerdi: OTHER_UNIT_NAME });
  return {
    Virksomhed: companies.flatMap(companyRows),
    Navn: [...companies.flatMap(nameRows), ...persons.map(nameOf)],
    Adressering: [
      ...companies.flatMap(addressRows),
      ...persons.flatMap((each) => addressRows(each).slice(-1)),
    ],
    Branche: [
      ...companies.flatMap(branchRows),
      ...persons.flatMap((each) => branchRows(each).slice(0, 1)),
    ],
    Virksomhedsform: companies.map((company) => ofUnit(company, textValue(company.form))),
    Reklamebeskyttelse: companies.flatMap((company) => {
      const { isProtected } = company;
      return isProtected === null ? [] : [ofUnit(company, { vaerdi: String(isProtected) })];
    }),
  };
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
