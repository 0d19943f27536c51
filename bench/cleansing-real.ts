/**
 * Addresses as people write them, over the real ones and the invented country, beside a plain SQL
 * search over the same texts in one run: `npm run bench -- wash-real --each=60 --seed=1
 * --scale=0.02 --misses --families`. `--seed=random` for another draw.
 */
import type pg from 'pg';
import type { AddressFinder, IndexRows } from '../src/registers/addresses/addresses.ts';
import { openAddressIndex } from '../src/registers/addresses/index/address-index.ts';
import { buildAddressIndex } from '../src/registers/addresses/index/build-index.ts';
import { createAddressFinder } from '../src/registers/addresses/index/finder.ts';
import { answererOf, suggesterOf } from '../test/addresses/answerers.ts';
import { FAMILIES } from '../test/addresses/writing.ts';
import { questions, score } from '../test/addresses/score.ts';
import type { Answerer, KindScore, Question } from '../test/addresses/score.ts';
import { hardRows } from '../test/addresses/hard-roads.ts';
import { Truth, realRows } from '../test/addresses/truth.ts';
import type { Plain } from '../test/addresses/truth.ts';
import { scoreTyping } from '../test/addresses/typing.ts';
import type { TypingScore } from '../test/addresses/typing.ts';
import { findPostgres } from '../test/support/postgres-binaries.ts';
import { realDataProblem } from '../test/support/real-data.ts';
import { drawnSeed, seedFrom } from '../test/support/run-settings.ts';
import { threadCpuUs } from './harness/measure.ts';
import { flag, numberOption, option, scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openClient, openPostgres } from './harness/store.ts';
import { nationalAddresses } from './national/addresses.ts';
import { Land } from './national/land.ts';

const TYPED = 300;

export async function benchCleansingReal(): Promise<readonly BenchRow[]> {
  const scale = scaleOption(0.02);
  const problem = realDataProblem();
  if (problem !== null) console.log(`  the real addresses are left out: ${problem}`);
  const real = problem === null ? await benchRows('real', realRows()) : [];
  const made = nationalAddresses(new Land(scale));
  const invented = { ...made, accesses: [...made.accesses] };
  return [
    ...real,
    ...(await benchRows(`invented, ${scale} of national size`, invented)),
    ...(await benchRows('roads that are hard to read', hardRows())),
  ];
}

async function benchRows(name: string, rows: IndexRows): Promise<readonly BenchRow[]> {
  const each = numberOption('each', 60);
  const given = option('seed') ?? '1';
  const seed = given === 'random' ? drawnSeed() : seedFrom(given);
  const truth = new Truth(rows);
  const addressIndex = openAddressIndex(buildAddressIndex(1, rows), { verified: true });
  const finder = createAddressFinder(addressIndex);
  const asked = [...questions(truth, each, seed)];
  const ours = await score(asked, answererOf(finder));
  const sql = await scoreSql(truth, asked);
  const typing = scoreTyping(truth, suggesterOf(finder), { count: TYPED, seed });
  if (flag('misses')) showMisses(ours, typing);
  return [
    row(`${name}: access addresses`, addressIndex.accessCount, 'addresses'),
    row('unit addresses', addressIndex.unitCount, 'addresses'),
    row('seed', seed, ''),
    row('spellings', asked.length, `of ${ours.length} kinds`),
    ...totals(ours),
    ...families(ours, sql),
    ...typingRows(typing),
    rate(finder, asked),
  ];
}

type Counted = Exclude<keyof KindScore, 'kind' | 'misses'>;
const sum = (scores: readonly KindScore[], of: Counted): number =>
  scores.reduce((total, each) => total + each[of], 0);
const percent = (scores: readonly KindScore[], of: Counted): number =>
  (100 * sum(scores, of)) / Math.max(1, sum(scores, 'count'));

function totals(all: readonly KindScore[]): readonly BenchRow[] {
  const none = { gate: '0' };
  const falseB = sum(all, 'falseB');
  const houses = all.filter(({ kind }) => kind.name === 'house as registered');
  const houseMisses = sum(houses, 'count') - sum(houses, 'first');
  return [
    row('right first, all kinds', percent(all, 'first'), '%', { gate: '>= 98 (goal 99)' }),
    row('… in the first three', percent(all, 'inThree'), '%', { gate: '>= 99 (goal 99.5)' }),
    row('wrong A', sum(all, 'wrongA'), 'spellings', none),
    row('wrong B', sum(all, 'wrongB'), 'spellings', none),
    row('B for a road that is not there', falseB, 'spellings', none),
    row('other B', sum(all, 'b') - falseB, 'spellings'),
    row('houses of several units that are not first', houseMisses, 'houses', none),
  ];
}

function families(
  ours: readonly KindScore[],
  sql: readonly KindScore[] | null,
): readonly BenchRow[] {
  return FAMILIES.flatMap((family) => {
    const mine = ours.filter(({ kind }) => kind.family === family);
    if (mine.length === 0) return [];
    const value = percent(mine, 'first');
    const what = `${family}: right first`;
    const unit = `% of ${sum(mine, 'count')}`;
    const theirs = sql?.filter(({ kind }) => kind.family === family && kind.isAbsent !== true);
    if (theirs === undefined || theirs.length === 0) return [row(what, value, unit)];
    const judged = mine.filter(({ kind }) => kind.isAbsent !== true);
    const other = percent(theirs, 'first');
    const isNotBehind = percent(judged, 'first') >= other;
    return [
      row(what, value, unit, {
        beside: ['plain SQL search', other],
        gate: ['not behind', isNotBehind],
      }),
    ];
  });
}

function typingRows(typing: TypingScore): readonly BenchRow[] {
  const { medianLetters, never, strayed, caretFound, caretCount } = typing;
  const found = (100 * caretFound) / Math.max(1, caretCount);
  return [
    row('autocomplete: in the first five by letter, median', medianLetters, 'letters', {
      gate: '<= 13 (goal 12)',
    }),
    row(`autocomplete: never in the first five, of ${TYPED}`, never, 'addresses', { gate: '0' }),
    row('autocomplete: another suggested behind a whole one', strayed, 'keystrokes an address', {
      gate: '<= 0.05 (goal 0)',
    }),
    row(
      'autocomplete: back in the road name, found in the first five',
      found,
      `% of ${caretCount}`,
    ),
  ];
}

/** Spellings a second by the processor time of two cores. */
function rate(finder: AddressFinder, asked: readonly Question[]): BenchRow {
  const texts = asked.map(({ written }) => textOf(written));
  for (const text of texts.slice(0, 500)) finder.cleanse({ text }, 'unit', 5);
  const cpuUs = threadCpuUs(() => {
    for (const text of texts) finder.cleanse({ text }, 'unit', 5);
  });
  const value = (2 * texts.length * 1e6) / cpuUs;
  return row('these spellings, by the processor time of two cores', value, 'rows/s', {
    gate: '>= 1,000 (goal 5,000)',
  });
}

/** tsvector first; where no address has all the words, pg_trgm. null: there is no PostgreSQL. */
async function scoreSql(
  truth: Truth,
  asked: readonly Question[],
): Promise<readonly KindScore[] | null> {
  if (flag('no-sql') || findPostgres() === null) return null;
  await using cleanup = new AsyncDisposableStack();
  const { databaseUrl } = await openPostgres(cleanup);
  const client = await openClient(cleanup, databaseUrl);
  await client.query('create extension pg_trgm');
  await fillTable(client, 'house', truth.houses);
  await fillTable(client, 'flat', truth.units);
  return await score(sampled(asked), sqlAnswerer(client));
}

/** Its nearest neighbours take it a tenth of a second a text: the first few of each kind. */
function* sampled(asked: readonly Question[]): Generator<Question> {
  const most = numberOption('sql', 20);
  const counts = new Map<unknown, number>();
  for (const question of asked) {
    const count = (counts.get(question.kind) ?? 0) + 1;
    counts.set(question.kind, count);
    if (count <= most) yield question;
  }
}

async function fillTable(
  client: pg.Client,
  table: string,
  addresses: readonly Plain[],
): Promise<void> {
  await client.query(`create table ${table} (id text, text text)`);
  for (let i = 0; i < addresses.length; i += 10_000) {
    const some = addresses.slice(i, i + 10_000);
    const texts = some.map(({ road, number, floor, door, town, code, post }) => {
      const unit = [floor === null ? null : `${floor}.`, door].filter(Boolean).join(' ');
      return [`${road} ${number}`, unit, town, `${code} ${post}`].filter(Boolean).join(', ');
    });
    await client.query(`insert into ${table} select * from unnest($1::text[], $2::text[])`, [
      some.map(({ id }) => id),
      texts,
    ]);
  }
  await client.query(`create index on ${table} using gin (to_tsvector('simple', text))`);
  await client.query(`create index on ${table} using gist (text gist_trgm_ops)`);
  await client.query(`vacuum analyze ${table}`);
}

function sqlAnswerer(client: pg.Client): Answerer {
  return async (written, asks) => {
    const text = textOf(written);
    const table = asks === 'unit' ? 'flat' : 'house';
    const exact = await client.query<{ id: string }>({
      name: `words of a ${table}`,
      text: `select id from ${table}, plainto_tsquery('simple', $1) q
             where to_tsvector('simple', text) @@ q order by length(text), id limit 5`,
      values: [text],
    });
    if (exact.rows.length > 0) return { category: null, ids: exact.rows.map(({ id }) => id) };
    const alike = await client.query<{ id: string }>({
      name: `a ${table} that is alike`,
      text: `select id from ${table} order by text <-> $1 limit 5`,
      values: [text],
    });
    return { category: null, ids: alike.rows.map(({ id }) => id) };
  };
}

function showMisses(scores: readonly KindScore[], typing: TypingScore): void {
  for (const { kind, count, first, inThree, a, b, wrongA, misses } of scores) {
    if (first === count && wrongA === 0 && !flag('all')) continue;
    console.log(
      `  ${kind.family} / ${kind.name}: ${first} (${inThree}) of ${count}, A ${a} B ${b} wrong A ${wrongA}`,
    );
    for (const miss of misses) console.log(`      ${miss.replaceAll('\n', ' | ')}`);
  }
  for (const miss of typing.misses) console.log(`      ${miss}`);
}

/** One text of a spelling, for those who know no parts. */
function textOf(written: Question['written']): string {
  if (typeof written === 'string') return written;
  const { postcode, town } = written;
  const place = [postcode, town].filter(Boolean).join(' ');
  if ('text' in written) return [written.text, place].filter(Boolean).join(', ');
  const { road, houseNumber, floor, door } = written;
  const unit = [floor === null ? null : `${floor}.`, door].filter(Boolean).join(' ');
  return [[road, houseNumber].filter(Boolean).join(' '), unit, place].filter(Boolean).join(', ');
}
