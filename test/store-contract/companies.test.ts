/** Companies of the sample from the six tables of the register to one row each, and to the answer (D116 to D118). */
import { afterEach, describe, expect, test } from 'vitest';
import { companyText } from '../../src/registers/companies/answer.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { createCompanies } from '../../src/registers/companies/lookup.ts';
import type { Failure } from '../../src/kernel/failures.ts';
import { readCompany } from '../../src/registers/companies/store.ts';
import { syncLayer } from '../../sync/run.ts';
import {
  COMPANY_ENTITIES,
  KNOWN_COMPANY,
  OTHER_UNIT_NAME,
  sampleCompanies,
} from '../../sample/registers/companies/rows.ts';
import type { SampleCompany } from '../../sample/registers/companies/rows.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';
import { expectOneChange } from '../support/whole-registers.ts';

const truth = sampleCompanies();
const bench = await opened(openAddressBench());
afterEach(() => bench.shelf.spoil());

const sync = (catalogue = bench.deps.catalogue) =>
  syncLayer({ ...bench.deps, catalogue }, 'cvr', { trigger: 'command' });
const first = await sync();

function ask(number: number): Promise<Record<string, unknown>> {
  return createCompanies({
    catalogue: bench.deps.catalogue,
    clock: bench.deps.clock,
    read: (asked) => readCompany(bench.store, asked),
    origin: null,
    nameSources: (names) => names.join(),
  })
    .find(String(number))
    .then((answer) => JSON.parse(companyText(answer)) as Record<string, unknown>);
}

const statusOf = (number: number) =>
  ask(number).then(
    () => 200,
    (failure: unknown) => (failure as Failure).status,
  );

/** As the answer must be, put together here from what is true of the company. */
function expected(company: SampleCompany) {
  const { address, form, branches, ended } = company;
  const [main, ...others] = branches.map(([kode, tekst]) => ({ kode, tekst }));
  return {
    cvr_nummer: String(company.number),
    navn: company.name,
    binavne: company.otherNames,
    virksomhedsform: { kode: form[0], tekst: form[1] },
    status: ended === null ? 'aktiv' : 'ophørt',
    startdato: company.started,
    ophoersdato: ended,
    adresse: {
      betegnelse: expect.stringMatching(
        new RegExp(
          `^${address.road} ${address.number}.*, ${address.postcode} ${address.postcodeName}$`,
        ),
      ) as string,
      vejnavn: address.road,
      husnr: `${address.number}${address.letter ?? ''}`,
      etage: address.floor,
      doer: address.door,
      postnr: address.postcode,
      postnrnavn: address.postcodeName,
      kommunekode: address.municipality,
      adresse_id: address.id,
    },
    hovedbranche: main,
    bibrancher: others,
    reklamebeskyttet: company.isProtected,
    personlig: ['10', '15'].includes(form[0]),
    meta: { kilde: 'CVR', service_version: '0.1.0' },
  };
}

test('every company of the sample is answered field by field, and nobody else is kept', async () => {
  expect(told(first)).toBe('published');
  for (const company of truth) {
    expect([company.number, await ask(company.number)]).toEqual([
      company.number,
      expected(company),
    ]);
  }
  expect(await statusOf(KNOWN_COMPANY.unknownNumber)).toBe(404);
  const [kept] = await bench.column(
    `select count(*) from company where record like '%${OTHER_UNIT_NAME}%' or record like '%Forhen%'`,
  );
  expect(Number(kept)).toBe(0);
  const left = await bench.column(
    `select relname::text from pg_class where relkind = 'r' and relname like 'company%' order by 1`,
  );
  expect(left).toEqual(['company', 'company_history', 'company_source']);
});

test('the run tells the forms and statuses it met, and no name or number', () => {
  const notes = first.state === 'published' ? first.counts.notes.join('\n') : '';
  expect(notes).toMatch(/Virksomhedsform 10: Enkeltmandsvirksomhed, \d+ rows/);
  expect(notes).toMatch(/status aktiv: \d+ rows/);
  expect(notes).not.toMatch(/99\d{6}|Opdigtet|Prøve/);
});

describe('another run', () => {
  test('reads no changes of a day; of one new table it reads all six, and is taken back', async () => {
    await expectOneChange(bench, 'cvr', { entity: 'Branche', cells: { vaerdi: '999999' } });
  });

  test('without protection tells null of it, never false; without names nothing is mirrored', async () => {
    const without = (entity: string) =>
      overrideCatalogue(bench.deps.catalogue, {
        cvr: { tables: { [entity]: { source: null } }, guards: { maxChangeShare: 1 } },
      });
    expect(told(await sync(without('Navn')))).toBe('refused: empty');
    for (const each of COMPANY_ENTITIES) bench.shelf.renew(each);
    expect(told(await sync(without('Reklamebeskyttelse')))).toBe('published');
    expect(await ask(KNOWN_COMPANY.protectedNumber)).toMatchObject({ reklamebeskyttet: null });
    expect(await ask(KNOWN_COMPANY.number)).toMatchObject({ reklamebeskyttet: null });
  });

  test('that cannot read a row keeps no key of it on record', async () => {
    for (const each of COMPANY_ENTITIES) bench.shelf.renew(each);
    bench.shelf.spoil({
      rows: (entity, rows) =>
        entity === 'Virksomhed'
          ? rows.map((row, n) => (n === 5 ? { ...row, virkningFra: 'i går' } : row))
          : rows,
    });
    await sync();
    const issues = await bench.column(
      `select coalesce(feature_key, 'none') || ' ' || detail from sync_issue i
        join sync_run r on r.id = i.run_id where r.layer = 'cvr'`,
    );
    expect(issues).not.toEqual([]);
    for (const issue of issues) expect(issue).toMatch(/^none Virksomhed: /);
  });
});
