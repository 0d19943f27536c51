/** The operator's routes and metrics: who gets in, what they show, what they set going. */
import { readdirSync, readlinkSync, realpathSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { FEATURE_IDS } from '../../src/layers/mirror-ids.ts';
import type { FailureType } from '../../src/kernel/failures.ts';
import type { Board } from '../../src/web/drift/types.ts';
import type { OperatorService } from '../../src/ops/operator-service.ts';
import { operationsOf, requestOf } from './documented.ts';
import { expectError, memoryApp, sharedApp, testApp } from './edge.ts';
import { AUTHORIZED, TOKEN, memoryOperator } from './operator.ts';
import { linesInto } from '../support/log.ts';
import { testFolder } from '../support/opened.ts';

const operator = memoryOperator();
const app = await sharedApp({ operator }, { operatorToken: TOKEN });
const PATHS = operationsOf(app.swagger())
  .filter(({ security }) => 'operator' in (security[0] ?? {}))
  .map((operation) => ({
    method: operation.method.toUpperCase() as 'GET' | 'POST' | 'DELETE',
    url: requestOf(operation).url.replace(/\?.*/, '').replace('strandbeskyttelse', 'soe'),
  }));
/** Without a token in the configuration, and without anybody who operates. */
const off = await sharedApp({ operator });
const bare = await sharedApp({}, { operatorToken: TOKEN });

const as = (request: InjectOptions) => ({ ...request, headers: AUTHORIZED });

const changing = memoryOperator();
const changed = await sharedApp({ operator: changing }, { operatorToken: TOKEN });

beforeEach(() => {
  operator.asked.length = 0;
  Object.assign(changing, memoryOperator());
});

/** Where operators are answered otherwise, until the next test. */
function appWith(change: Partial<OperatorService>): FastifyInstance {
  Object.assign(changing, change);
  return changed;
}

describe.each(PATHS)('$method $url', (request) => {
  test('is off without a token in the configuration, and says which setting is missing', async () => {
    const body = expectError(await off.inject(as(request)), 'forbidden');
    expect(body['error']).toContain('OPERATOR_TOKEN');
    expect(body['message']).toContain('OPERATOR_TOKEN');
    expect(operator.asked).toEqual([]);
  });

  test.each([
    ['no token', {}, 'operator_token_missing'],
    ['another scheme', { authorization: `Basic ${TOKEN}` }, 'operator_token_missing'],
    ['an empty token', { authorization: 'Bearer ' }, 'operator_token_missing'],
    ['two tokens', { authorization: `Bearer x ${TOKEN}` }, 'operator_token_missing'],
    ['a wrong token', { authorization: `Bearer ${TOKEN}x` }, 'operator_token_invalid'],
    [
      'the beginning of it',
      { authorization: `Bearer ${TOKEN.slice(0, -1)}` },
      'operator_token_invalid',
    ],
    ['a cookie', { cookie: `token=${TOKEN}` }, 'operator_token_missing'],
  ])('refuses %s', async (_name, headers, code) => {
    const response = await app.inject({ ...request, headers });
    expect(expectError(response, 'unauthorized')['code']).toBe(code);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="drift"');
    expect(operator.asked).toEqual([]);
  });

  test('refuses before it looks at anything else of the request', async () => {
    const url = `${request.url.replace('soe', 'nothing')}?more=1`;
    expectError(await app.inject({ ...request, url, payload: '{' }), 'unauthorized');
  });

  test('knows no query it has not named', async () => {
    const url = `${request.url}?more=1`;
    expectError(await app.inject(as({ ...request, url })), 'invalid_request');
  });

  test('is 503 where nobody operates', async () => {
    expectError(await bare.inject(as(request)), 'upstream_unavailable');
  });
});

describe('the token', () => {
  test('is in no log line, however it was sent', async () => {
    const lines: string[] = [];
    const logStream = linesInto(lines);
    const logging = await testApp(
      { operator: memoryOperator({ overview: () => Promise.reject(new Error(`token=${TOKEN}`)) }) },
      { operatorToken: TOKEN, logLevel: 'debug', logStream },
    );
    for (const request of PATHS) {
      await logging.inject(as(request));
      await logging.inject({ ...request, url: `${request.url}?token=${TOKEN}` });
      await logging.inject({ ...request, headers: { authorization: `Bearer ${TOKEN}!` } });
    }
    const log = lines.join('');
    expect(log).toContain('/v1/drift/lag/soe/synk');
    expect(log).toContain('operator asked for a sync');
    expect(log).not.toContain(TOKEN);
  });

  test('may be written with any case of the scheme', async () => {
    const headers = { authorization: `bearer  ${TOKEN}` };
    expect((await app.inject({ url: '/v1/drift/lag', headers })).statusCode).toBe(200);
  });
});

describe('GET /v1/drift/lag', () => {
  test('shows every layer with its copy, runs, refusals and fallbacks', async () => {
    const response = await app.inject(as({ url: '/v1/drift/lag' }));
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-service-generation': '12',
    });
    const body = response.json<Board>();
    expect(body).toMatchObject({
      generation: 12,
      kan: { synke: true, fortryde: true, snapshot: false },
      vaerter: [{ vaert: 'portal', afbryder: 'halvaaben', i_gang: 1, i_koe: 2 }],
      hukommelse: {
        generation: 12,
        lag: ['soe'],
        trukket_tilbage: ['aa'],
        bytes: 4096,
        filer: null,
        kontrol: {
          sammenlignet: 288,
          afvigelser: 1,
          seneste: null,
          alarmer: [{ lag: 'aa', version: 3, tidspunkt: '1970-01-01T00:00:00.000Z', art: 'svar' }],
        },
      },
      handlinger: [{ lag: 'soe', handling: 'frigiv', vaern: ['empty'], af: 'Opdigtet Person' }],
    });
    expect(body.lag.map(({ lag }) => lag)).toEqual(FEATURE_IDS);
    const layer = (id: string) => body.lag.find(({ lag }) => lag === id);
    expect(layer('aa')).toMatchObject({
      ...{ tilstand: 'mangler', svarer: false, antal: null, alder_s: null },
      koerer: { tavs: true, koersel: { tilstand: 'koerer', fase: 'fetch', varighed_ms: null } },
    });
    expect(layer('kirke')).toMatchObject({ tilstand: 'fejlet', fejl: { fejl: 'cut off' } });
    expect(layer('soe')).toMatchObject({
      kan_fortrydes: true,
      holdt: { siden: '2026-02-03T04:05:06.000Z', af: 'Opdigtet Person' },
      svar: { snapshot: 0, lager: 1, register: 0, gammel_kopi: 1, utilgaengelig: 0 },
      registerfejl: { timeout: 1 },
      seneste_noedsvar: { fra: 'gammel_kopi', tidspunkt: '2026-02-03T04:05:06.000Z' },
    });
  });

  test('tells a refusal with its guards and numbers in words, and which can be released', async () => {
    const { lag } = (await app.inject(as({ url: '/v1/drift/lag' }))).json<Board>();
    expect(lag.find((each) => each.lag === 'soe')?.afvisning).toMatchObject({
      staar: true,
      koersel: {
        tilstand: 'afvist',
        afvist_af: [
          {
            vaern: 'empty',
            tekst: 'Laget kom tomt; den nuværende kopi har 58 rækker.',
            text: 'The layer came empty.',
            kan_frigives: true,
            tal: [
              { navn: 'rows', tekst: 'rækker', vaerdi: 0 },
              { navn: 'lastGoodRows', tekst: 'rækker i nuværende kopi', vaerdi: 58 },
            ],
          },
          { vaern: 'staged', kan_frigives: false },
          // A guard this page does not know is told as it was recorded.
          {
            vaern: 'new-guard',
            tekst: 'A guard of tomorrow.',
            kan_frigives: false,
            tal: [{ navn: 'sheep', tekst: 'sheep', vaerdi: 7 }],
          },
        ],
      },
    });
  });

  test('is 503 when the store cannot be reached: nothing is claimed', async () => {
    const away = appWith({ overview: () => Promise.reject(new Error('ECONNREFUSED')) });
    expectError(await away.inject(as({ url: '/v1/drift/lag' })), 'overloaded');
  });
});

describe('GET /v1/drift/lag/:lag/koersler', () => {
  test('lists runs with their issues, by pages', async () => {
    const response = await app.inject(as({ url: '/v1/drift/lag/soe/koersler?antal=5&foer=77' }));
    expect(response.json()).toMatchObject({
      lag: 'soe',
      ulaeste: [
        {
          noegle: 'soe.1',
          objekt_id: '1',
          grund: 'a ring that is not closed',
          kasse: [650_000, 6_314_000, 650_060, 6_314_060],
          raa: '{"type":"Polygon"}',
        },
      ],
      koersler: [
        {
          id: '42',
          tal: { sider: 2, modtaget: 60, raekker: 58, nye: 1, aendrede: 2, fjernede: 3 },
          problemer: 1,
          eksempler: [{ noegle: null, art: 'geometry', detalje: 'no ring' }],
        },
      ],
      naeste: '42',
    });
    await app.inject(as({ url: '/v1/drift/lag/soe/koersler' }));
    expect(operator.asked).toEqual(['runs soe 5 77', 'runs soe 20 null']);
  });
});

test.each([
  ['lag/soe/koersler', ['antal=0', 'antal=101', 'antal=x', 'foer=-1', 'foer=07', 'foer=1e3']],
  ['lag/soe/koersler', ['foer=', `foer=${'9'.repeat(19)}`]],
  ['lag/soe/historik', ['dage=0', 'dage=91', 'dage=x', 'dage=1.5']],
  ['dage', ['dage=0', 'dage=91', 'dage=x', 'dage=1.5']],
  ['lag/soe/forskel', ['fra=-1', 'til=x', 'fra=2147483648']],
])('of %s a number that is none, or out of its limits, is refused: %j', async (path, queries) => {
  for (const query of queries) {
    const { error } = expectError(
      await app.inject(as({ url: `/v1/drift/${path}?${query}` })),
      'invalid_request',
    );
    expect(error, query).toContain(query.split('=')[0]);
  }
});

describe('GET /v1/drift/lag/:lag/historik', () => {
  test('knows no area of a register, whose tables have none', async () => {
    const url = '/v1/drift/lag/adresser/historik';
    const registers = await testApp(
      { operator: memoryOperator(), catalogue: REGISTERS_CATALOGUE },
      { operatorToken: TOKEN },
    );
    const { koersler } = (await registers.inject(as({ url }))).json<{
      koersler: { areal_m2: number | null }[];
    }>();
    expect(koersler.map(({ areal_m2: areaM2 }) => areaM2)).toEqual([null, null]);
  });

  test('is of thirty days, or of those asked for', async () => {
    await app.inject(as({ url: '/v1/drift/lag/soe/historik' }));
    await app.inject(as({ url: '/v1/drift/lag/soe/historik?dage=7' }));
    expect(operator.asked).toEqual(['history soe 30', 'history soe 7']);
  });
});

describe('GET /v1/drift/lag/:lag/forskel', () => {
  test('is of the versions asked for, or of the last two', async () => {
    const response = await app.inject(as({ url: '/v1/drift/lag/soe/forskel?fra=2&til=3' }));
    // A number that is none is 0, and what is gone has no shape.
    expect(response.json()).toMatchObject({
      tal: { nye: 0, fjernede: 4_000, flyttede: 1, aendrede: 0 },
      objekter: [{}, { art: 'fjernede', efter: null }],
    });
    await app.inject(as({ url: '/v1/drift/lag/soe/forskel' }));
    expect(operator.asked).toEqual(['difference soe 2 3', 'difference soe null null']);
  });

  test('names the versions that are kept, and says when there is nothing to compare', async () => {
    const unknown = { state: 'unknown', version: 9, known: [3, 2] } as const;
    const gone = appWith({ difference: () => Promise.resolve(unknown) });
    const body = expectError(
      await gone.inject(as({ url: '/v1/drift/lag/soe/forskel?fra=9' })),
      'not_found',
    );
    expect(body['error']).toBe('The content of version 9 is not kept. Kept: 3, 2.');
    const first = appWith({ difference: () => Promise.resolve({ state: 'nothing' }) });
    expectError(await first.inject(as({ url: '/v1/drift/lag/soe/forskel' })), 'conflict');
    expectError(await app.inject(as({ url: '/v1/drift/lag/bbr/forskel' })), 'not_found');
  });
});

describe('POST /v1/drift/lag/:lag/synk', () => {
  const sync = (payload?: object, of = app, layer = 'soe') =>
    of.inject({
      method: 'POST',
      url: `/v1/drift/lag/${layer}/synk`,
      headers: AUTHORIZED,
      ...(payload === undefined ? {} : { payload }),
    });

  test('puts a run in the queue, with a body or without', async () => {
    for (const body of [undefined, {}, { frigiv: [] }]) {
      const response = await sync(body);
      expect(response.statusCode).toBe(202);
      expect(response.json()).toEqual({ lag: 'soe', svar: 'i_koe', frigivet: [] });
    }
    expect(operator.asked).toEqual(Array(3).fill('sync soe  OPERATOR_TOKEN'));
  });

  test('is kept under the name of a personal token, whoever the caller says to be', async () => {
    const operatorTokens = [{ name: 'Anna', token: 'the-own-token-of-anna' }];
    const named = await testApp({ operator }, { operatorTokens });
    const response = await named.inject({
      ...{ method: 'POST', url: '/v1/drift/lag/soe/synk', payload: { af: 'Bo' } },
      headers: { authorization: 'Bearer the-own-token-of-anna' },
    });
    expect(response.statusCode).toBe(202);
    expect(operator.asked.at(-1)).toBe('sync soe  Anna');
  });

  test('releases guards by name, once each, for whoever says so', async () => {
    const response = await sync({ frigiv: ['empty', 'change-share', 'empty'], af: 'MGK' });
    expect(response.json()).toMatchObject({ frigivet: ['empty', 'change-share'] });
    expect(operator.asked).toEqual(['sync soe empty+change-share MGK']);
  });

  test('refuses a guard that cannot be released, naming it and those that can', async () => {
    for (const guard of ['staged', 'nothing', '']) {
      const body = expectError(await sync({ frigiv: ['empty', guard] }), 'invalid_request');
      expect(body['error']).toContain(`"${guard}" cannot be released`);
      expect(body['error']).toContain('empty, change-share');
    }
    expect(operator.asked).toEqual([]);
  });

  test.each([
    ['too many', { frigiv: Array(33).fill('empty') }],
    ['an empty name', { af: '' }],
    ['a long name', { af: 'x'.repeat(61) }],
  ])('refuses %s', async (_name, body) => {
    expectError(await sync(body), 'invalid_request');
    expect(operator.asked).toEqual([]);
  });

  test('says when one runs already, but never drops a release without a word', async () => {
    const busy = appWith({ requestSync: () => Promise.resolve('running') });
    expect((await sync({}, busy)).json()).toMatchObject({ svar: 'koerer_allerede' });
    expectError(await sync({ frigiv: ['empty'] }, busy), 'conflict');
  });
});

describe('what cannot be done', () => {
  const synced = (answer: Awaited<ReturnType<OperatorService['requestSync']>>) => ({
    requestSync: () => Promise.resolve(answer),
  });
  const reverted = (answer: Awaited<ReturnType<OperatorService['revert']>>) => ({
    revert: () => Promise.resolve(answer),
  });
  test.each<[act: string, type: FailureType, change: Partial<OperatorService>]>([
    ['synk', 'conflict', synced('unconfigured')],
    ['synk', 'overloaded', synced('full')],
    ['synk', 'upstream_unavailable', synced('stopped')],
    ['fortryd', 'conflict', reverted({ state: 'nothing' })],
    ['fortryd', 'conflict', reverted({ state: 'busy' })],
    ['fortryd', 'upstream_unavailable', reverted({ state: 'unavailable' })],
    ['fortryd', 'internal_error', reverted({ state: 'failed', reason: 'The history is short.' })],
  ])('%s is refused as %s: %#', async (act, type, change) => {
    const other = appWith(change);
    const url = `/v1/drift/lag/soe/${act}`;
    expectError(await other.inject(as({ method: 'POST', url, payload: {} })), type);
  });
});

describe('an unknown layer', () => {
  test.each(PATHS.filter(({ url }) => url.includes('soe')))('is 404: $url', async (request) => {
    for (const name of ['nothing', 'SOE', '__proto__', 'soe%20', '%3Cb%3E']) {
      const url = request.url.replace('soe', name);
      expectError(await app.inject(as({ ...request, url })), 'not_found');
    }
    expect(operator.asked).toEqual([]);
  });
});

describe('GET /v1/drift/lag/:lag/snapshot.fgb', () => {
  /** null: it is closed again. */
  const linkOf = (path: string): string | null => {
    try {
      return readlinkSync(path);
    } catch {
      return null;
    }
  };

  test('sends the file of the published version, and tells the length of one that it does not read', async () => {
    const dir = testFolder('drift');
    const pathOf = (layer: string) => join(dir, `${layer}.fgb`);
    const LONG = 2 ** 40;
    writeFileSync(pathOf('soe'), 'fgb\u0003bytes');
    writeFileSync(pathOf('skov'), '');
    truncateSync(pathOf('skov'), LONG);
    const snapshotFile = (layer: string) =>
      Promise.resolve(layer === 'kirke' ? null : { path: pathOf(layer), version: 4 });
    const serving = await testApp({ operator, snapshotFile }, { operatorToken: TOKEN });
    const url = (layer: string) => `/v1/drift/lag/${layer}/snapshot.fgb`;
    const response = await serving.inject(as({ url: url('soe') }));
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="soe-v4.fgb"',
      'content-length': '9',
    });
    expect(response.body).toBe('fgb\u0003bytes');
    // Gone, and never there.
    for (const layer of ['aa', 'kirke']) {
      expectError(await serving.inject(as({ url: url(layer) })), 'upstream_unavailable');
    }
    expectError(await serving.inject(as({ url: url('adresser') })), 'not_found');

    const base = await serving.listen({ host: '127.0.0.1', port: 0 });
    const head = { method: 'HEAD', headers: AUTHORIZED };
    const long = await fetch(base + url('skov'), head);
    expect([long.status, long.headers.get('content-length')]).toEqual([200, String(LONG)]);
    // Linux tells what is open: a file that is read in vain is so for minutes.
    const open = readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`));
    expect(open).not.toContain(realpathSync(pathOf('skov')));
  });
});

describe('GET /metrics', () => {
  test('is read by a token that opens nothing else, and with that alone in the configuration', async () => {
    const metricsToken = 'metrics-token-of-a-test';
    const headers = { authorization: `Bearer ${metricsToken}` };
    const [both, alone] = await Promise.all([
      memoryApp({ operator }, { operatorToken: TOKEN, metricsToken }),
      memoryApp({ operator }, { metricsToken }),
    ]);
    for (const served of [both, alone]) {
      expect((await served.inject({ url: '/metrics', headers })).statusCode).toBe(200);
    }
    for (const { method, url } of PATHS.filter(({ url }) => url !== '/metrics')) {
      const given = { method, url, headers };
      expectError(await both.inject(given), 'unauthorized');
      expectError(await alone.inject(given), 'forbidden');
    }
    await Promise.all([both.close(), alone.close()]);
  });

  test('tells layers, runs, lookups, hosts, requests and the event loop', async () => {
    await app.inject('/healthz');
    await app.inject('/no/such/path');
    const response = await app.inject(as({ url: '/metrics' }));
    expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    for (const line of [
      'geoopslag_store_up 1',
      'geoopslag_generation 12',
      'geoopslag_layer_age_seconds{layer="soe"} 60',
      'geoopslag_layer_age_limit_seconds{layer="soe"} 172800',
      'geoopslag_layer_rows{layer="soe"} 58',
      'geoopslag_layer_health{layer="soe",state="failed"} 1',
      'geoopslag_layer_health{layer="aa",state="missing"} 1',
      'geoopslag_layer_refused{layer="soe"} 1',
      'geoopslag_layer_in_memory{layer="soe"} 1',
      'geoopslag_memory_bytes 4096',
      'geoopslag_property_records{which="written"} 2',
      'geoopslag_memory_audit_compared_total 288',
      'geoopslag_memory_audit_differences_total 1',
      'geoopslag_memory_audit_scrubbed_bytes_total 1024',
      'geoopslag_memory_audit_skipped_total{why="store_away"} 3',
      'geoopslag_memory_audit_alarms_total{layer="aa",kind="answer"} 1',
      'geoopslag_layer_running{layer="aa"} 1',
      'geoopslag_layer_last_success_duration_seconds{layer="soe"} 1.25',
      'geoopslag_upstream_breaker{host="portal",state="half_open"} 1',
      'geoopslag_upstream_queued{host="portal"} 2',
      'geoopslag_http_requests_total{method="GET",route="none",status="404"}',
      'geoopslag_http_requests_total{method="GET",route="/healthz",status="200"}',
      'nodejs_eventloop_lag_p99_seconds ',
    ]) {
      expect(response.body).toContain(line);
    }
    // No copy: no age, which is not an age of 0.
    expect(response.body).not.toContain('geoopslag_layer_age_seconds{layer="aa"}');
    expect(response.body).not.toContain('/no/such');
  });

  test('still answers when the store does not, and says so', async () => {
    const away = appWith({ overview: () => Promise.reject(new Error('ECONNREFUSED')) });
    const response = await away.inject(as({ url: '/metrics' }));
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('geoopslag_store_up 0');
    expect(response.body).toContain('geoopslag_http_requests_total');
    expect(response.body).not.toContain('geoopslag_layer_');
  });
});

describe('the page', () => {
  const pages = [
    ['/drift', [/^web\/base-\w+\.css$/, /^web\/drift-\w+\.css$/, /^web\/drift-\w+\.js$/]],
    ['/docs', [/^web\/docs-\w+\.css$/, /^web\/docs-\w+\.js$/]],
  ] as const;
  test.each(pages)(
    '%s is served to be asked for again, its files for ever, and may load nothing else',
    async (url, names) => {
      const page = await app.inject(url);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      const csp = String(page.headers['content-security-policy']);
      expect(csp).toContain("default-src 'none'");
      expect(csp).not.toMatch(/unsafe|https?:/);
      expect(page.headers['cache-control']).toBe('no-cache');
      const files = [...page.body.matchAll(/(?:href|src)="(web\/[^"]+)"/g)].map(([, file]) => file);
      for (const name of names) expect(files).toContainEqual(expect.stringMatching(name));
      for (const file of files) {
        const url = `/${String(file)}`;
        const response = await app.inject(url);
        expect([file, response.statusCode]).toEqual([file, 200]);
        expect(response.headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'cache-control': 'public, max-age=31536000, immutable',
        });
        const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
        expect(gunzipSync(packed.rawPayload).equals(response.rawPayload)).toBe(true);
        const headers = { 'if-none-match': String(response.headers['etag']) };
        expect((await app.inject({ url, headers })).statusCode).toBe(304);
      }
      // Whatever its script imports is loaded beside it, and nothing is inline.
      const script = files.find((file) => file?.startsWith(`web${url}-`) && file.endsWith('.js'));
      const imported = [...(await app.inject(`/${script}`)).body.matchAll(/from"\.\/([^"]+)"/g)];
      expect(imported.length).toBeGreaterThan(0);
      for (const [, name] of imported) expect(files).toContain(`web/${String(name)}`);
      expect(page.body).not.toMatch(/<script(?![^>]*src=)[^>]*>|<style|style="|onclick=/);
    },
  );

  test('says that operations are off instead of asking for a token nobody has', async () => {
    const off = await testApp();
    expect((await off.inject('/drift')).body).toContain('<body data-drift="off">');
    expect((await app.inject('/drift')).body).toContain('<body data-drift="on">');
  });
});
