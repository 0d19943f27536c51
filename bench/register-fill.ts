/** Assessments, protection and companies of the generated country, in the store as their mirrors write them. */
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { companyNumber } from '../src/registers/companies/company.ts';
import { ASSESSMENTS, COMPANIES, PROTECTION } from '../src/layers/keys.ts';
import { publish } from './fill.ts';
import { bfeOf } from './national/properties.ts';

const PER_STATEMENT = 10_000;
/** Assessments of one property: 45 M of 2.5 M (issue 19). */
const ASSESSMENTS_EACH = 18;
const NEWEST_YEAR = 2024;
/** One building of so many is in FBB: 350,000 of 4.6 M. */
const PROTECTED_EVERY = 13;
const FIRST_COMPANY = 10_000_000;

/** Eighteen years of each of so many properties. */
export async function fillAssessments(store: Store, count: number): Promise<void> {
  for (let from = 0; from < count; from += PER_STATEMENT) {
    const some = numbersFrom(from, count);
    await sql`
      insert into assessment (bfe, assessments, unresolved, registered_from, valid_from)
      select bfe, assessments, 0, now(), now()
      from unnest(${some.map(bfeOf)}::bigint[], ${some.map(assessmentsOf)}::text[])
        as a(bfe, assessments)`.execute(store.db);
  }
  await publish(store, ASSESSMENTS, count);
}

/** Every so many buildings with a value. */
export async function fillProtection(store: Store): Promise<void> {
  await sql`
    insert into protection_survey (id, status, value, building_id, registered_from, valid_from)
    select n, 3, 1 + n % 9, id, now(), now()
    from (select id, row_number() over (order by id) as n from bbr_building) b
    where n % ${PROTECTED_EVERY} = 0`.execute(store.db);
  await publish(store, PROTECTION);
}

/** So many companies; returns their numbers. */
export async function fillCompanies(store: Store, count: number): Promise<readonly string[]> {
  const digits: string[] = [];
  for (let n = FIRST_COMPANY; digits.length < count; n += 1) {
    if (companyNumber(String(n)) !== null) digits.push(String(n));
  }
  for (let from = 0; from < count; from += PER_STATEMENT) {
    const some = digits.slice(from, from + PER_STATEMENT);
    await sql`
      insert into company (number, record, unresolved, registered_from, valid_from)
      select number, record, 0, now(), now()
      from unnest(${some}::bigint[], ${some.map((_, i) => companyOf(from + i))}::text[])
        as c(number, record)`.execute(store.db);
  }
  await publish(store, COMPANIES, count);
  return digits;
}

function numbersFrom(from: number, count: number): readonly number[] {
  return Array.from({ length: Math.min(PER_STATEMENT, count - from) }, (_, i) => from + i);
}

/** The cells of src/layers/folded-assessments.ts, newest year first. */
function assessmentsOf(n: number): string {
  const ground = 80_000 + (n % 900) * 1_000;
  const value = ground + 200_000 + (n % 3_800) * 1_000;
  const rows = Array.from({ length: ASSESSMENTS_EACH }, (_, i) => {
    const year = NEWEST_YEAR - i;
    const amounts = [value, ground, Math.round(value * 0.8), Math.round(ground * 0.8)];
    const rest = [60 + (n % 1_340), '01', '1', `${year}-10-01`, 4_000_001 + n, '0101', `${n + 1}`];
    return [8_000_001 + n * ASSESSMENTS_EACH + i, year, ...amounts, ...rest];
  });
  return JSON.stringify(rows);
}

/** The cells of src/layers/folded-companies.ts. */
function companyOf(n: number): string {
  const road = ['beliggenhed', 'Opdigtet Alle', `${1 + (n % 200)}`, n % 5 === 0 ? 'A' : null];
  const town = [null, null, 'st', 'th', null, '9990', 'Prøveby', '0093', null, null];
  return JSON.stringify([
    ...['aktiv', '2001-05-01', null],
    [
      [0, `Prøvefirma ${n} ApS`],
      [1, `Prøvefirma ${n} Handel`],
    ],
    [['80', 'Anpartsselskab']],
    [
      [0, '620100', 'Computerprogrammering'],
      [1, '702000', 'Rådgivning'],
    ],
    [[...road, ...town]],
    [n % 3 === 0 ? 'true' : 'false'],
  ]);
}
