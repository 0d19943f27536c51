/** What is asked live: dry runs of the terrain's WCS and Virk's search, `npm run config -- --ask`, and no secret of it. */
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { askVirkOnce } from '../../src/registers/companies/register.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { askWcsOnce } from '../../src/registers/terrain/register.ts';
import { UpstreamFailure } from '../../src/wfs/failure.ts';
import { askKeys } from '../../src/start/key-checks.ts';
import { openSources } from '../../sync/open.ts';
import { sampleLive } from '../../sample/catalogue.ts';
import { KNOWN_COMPANY } from '../../sample/registers/companies/rows.ts';
import { TERRAIN_PATH } from '../../sample/registers/terrain/answer.ts';
import { SEARCH_PATH } from '../../sample/registers/companies/search.ts';
import { opened } from '../support/opened.ts';
import { listening } from '../support/free-port.ts';

const KEY = 'Hemmelig-9876';
const LOGIN = { user: 'Bruger-1234', password: 'Kodeord-5678', isPlainAllowed: true };
const clock = systemClock;

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const here = { virkLogin: null, dataDir: tmpdir() };
const unset = { sourcesFile: null, dhmDir: null, datafordelerKey: null };
const sources = await opened(openSources({ ...unset, ...here, sources: 'sample' }));
const sampleUrl = sources.sampleUrl ?? '';
let reply: Reply = { status: 500 };
const server = createServer((_, response) => {
  response.writeHead(reply.status, reply.headers).end(reply.body);
});
const url = `http://127.0.0.1:${await listening(server)}`;
afterAll(() => void server.close());

const askTerrain = (source: string, more: object = {}) =>
  askWcsOnce({
    ...{ catalogue: REGISTERS_CATALOGUE, clock, login: null, keys: { terrain: KEY } },
    settings: { live: { dhm: { url: source, tries: 1, ...more } } },
  });

const NONE = { keys: {}, settings: { live: {} } };
const askSearch = async (address: string, more: object = {}) => {
  const search = { url: address, tries: 1, leastCompanies: 10, ...more };
  const catalogue = overrideCatalogue(REGISTERS_CATALOGUE, { cvr: { search } });
  return (await askVirkOnce({ ...NONE, catalogue, login: LOGIN, clock }))[0]!;
};

test.each<readonly ['dhm' | 'cvr', string, Reply, string]>([
  [
    'dhm',
    'a code of its own',
    { status: 401, body: `{"errors":[{"code":"DAF-AUTH-0001","message":"Key ${KEY} refused"}]}` },
    'answered 401: DAF-AUTH-0001: Key … refused',
  ],
  [
    'dhm',
    'a redirect',
    { status: 302, headers: { location: `https://new.example/wcs?apikey=${KEY}` } },
    'answered 302, a redirect to https://new.example/wcs',
  ],
  [
    'dhm',
    'a page',
    { status: 200, body: '<html><head><title>Driftsstop</title></head></html>' },
    'answered 200 with an HTML page: Driftsstop',
  ],
  [
    'dhm',
    'a report',
    {
      status: 200,
      body: '<ServiceExceptionReport><ServiceException code="CoverageNotDefined">No dhm_terraen</ServiceException></ServiceExceptionReport>',
    },
    'answered 200 with an exception report: CoverageNotDefined: No dhm_terraen',
  ],
  [
    'cvr',
    'a code of its own, and none of its words',
    {
      status: 404,
      body: '{"error":{"type":"index_not_found_exception","reason":"12345678 Jens Hansen"}}',
    },
    'answered 404: index_not_found_exception',
  ],
  ['cvr', 'an empty answer', { status: 200, body: '{}' }, 'no whole answer of a search'],
  [
    'cvr',
    'an emptied index',
    {
      status: 200,
      body: '{"timed_out":false,"_shards":{"failed":0},"hits":{"total":0,"hits":[]}}',
    },
    'holds 0 companies in all, of at least 10',
  ],
])('a dry run of %s tells %s', async (layer, _about, given, wanted) => {
  reply = given;
  const outcome = layer === 'dhm' ? (await askTerrain(url))[0] : await askSearch(url);
  expect(outcome).toMatchObject({ layer, state: 'failed' });
  expect(outcome?.detail).toContain(wanted);
  expect(outcome?.detail).not.toMatch(/Hemmelig|Jens|12345678|Bruger|Kodeord/);
});

test('a live source whose host takes no connection is not asked', async () => {
  const refused = new UpstreamFailure('connection', 'wcs.example.dk:443 takes no connection');
  const question = {
    ...{ ...NONE, clock, catalogue: REGISTERS_CATALOGUE, keys: { terrain: KEY }, login: LOGIN },
    reach: () => Promise.reject(refused),
  };
  const outcomes = [...(await askWcsOnce(question)), ...(await askVirkOnce(question))];
  expect(outcomes.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
  for (const { detail } of outcomes) expect(detail).toContain(refused.message);
});

describe('the terrain', () => {
  test('tells heights of both models', async () => {
    const outcomes = await askTerrain(
      `${sampleUrl}${TERRAIN_PATH}`,
      sampleLive(sampleUrl, {})['dhm'],
    );
    expect(outcomes.map(({ layer, state }) => [layer, state])).toEqual([
      ['dhm', 'answered'],
      ['dhm', 'answered'],
    ]);
    expect(outcomes[0]?.detail).toMatch(
      /^terraen \(dhm_terraen\): [\d.]+ to [\d.]+ m in 4 cells of 0\.4 m/,
    );
  });

  test('without a key is not asked, and says which setting is missing', async () => {
    const outcomes = await askWcsOnce({
      ...{ catalogue: REGISTERS_CATALOGUE, clock, login: null, keys: {} },
      settings: { live: {} },
    });
    expect(outcomes).toMatchObject([{ state: 'not-asked' }]);
    expect(outcomes[0]?.detail).toContain('DATAFORDELER_API_KEY');
  });
});

describe('the search for companies', () => {
  test('has the company that is known', async () => {
    const outcome = await askSearch(`${sampleUrl}${SEARCH_PATH}`, {
      knownCompany: KNOWN_COMPANY.number,
    });
    expect(outcome).toMatchObject({ layer: 'cvr', state: 'answered' });
    expect(outcome.detail).toMatch(/has company 99000007, with name, form/);
  });

  test('that has not is a failure', async () => {
    const outcome = await askSearch(`${sampleUrl}${SEARCH_PATH}`);
    expect(outcome).toMatchObject({ state: 'failed' });
    expect(outcome.detail).toContain('no company 34051178');
  });

  test('without a login is not asked', async () => {
    const question = {
      ...NONE,
      ...{ catalogue: REGISTERS_CATALOGUE, login: null, clock, isSample: false },
    };
    const [outcome] = await askVirkOnce(question);
    expect(outcome).toMatchObject({ state: 'not-asked' });
  });
});

describe('the keys', () => {
  test('are taken by each host that wants one', async () => {
    const checks = await askKeys(sources, here, clock);
    const names = [`key at ${new URL(sampleUrl).host}`, 'live dhm', 'live dhm', 'live cvr'];
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    expect(checks.filter(({ isGood }) => !isGood)).toEqual([]);
  });

  test('that are refused are named, and not shown', async () => {
    const keys = Object.fromEntries(Object.keys(sources.keys).map((host) => [host, KEY]));
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify([{ fault: 'unauthorized' }]);
    await fetch(`${sampleUrl}/_faults`, { method: 'POST', headers, body });
    const checks = await askKeys({ ...sources, keys }, here, clock);
    const failed = checks.filter(({ isGood }) => !isGood);
    expect(failed.map(({ name }) => name)).toEqual(expect.arrayContaining(['live dhm']));
    expect(failed.length).toBeGreaterThan(2);
    for (const { says } of failed) expect(says).toContain('the register refused access');
    expect(JSON.stringify(checks)).not.toContain(KEY);
  });
});
