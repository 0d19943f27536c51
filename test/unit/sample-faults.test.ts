/** The switches of the sample upstream: each fault of the table spoils what it says, no more. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { FaultName } from '../../sample/faults.ts';
import { FAULT_NAMES, FAULTS } from '../../sample/faults.ts';
import { startSampleUpstream } from '../../sample/server.ts';
import { opened } from '../support/opened.ts';

const upstream = await opened(startSampleUpstream());
afterEach(() => {
  upstream.faults.clear();
});

const ADDRESSES = {
  page: 'portal/wfs?request=GetFeature&typeNames=dai:bes_naturtyper&count=50&startIndex=50',
  sorted: 'portal/wfs?request=GetFeature&typeNames=dai:bes_naturtyper&sortBy=Objekt_id&count=9',
  hits: 'portal/wfs?request=GetFeature&typeNames=dai:bes_naturtyper&resultType=hits',
  schema: 'portal/wfs?request=DescribeFeatureType&typeNames=dai:bes_naturtyper',
  capabilities: 'portal/wfs?request=GetCapabilities',
  coverage:
    'terrain/wcs?request=GetCoverage&coverage=dhm_terraen&crs=EPSG:25832&format=GTiff&apikey=key' +
    '&bbox=650000,6314000,650064,6314064&width=64&height=64',
} as const;
type AddressName = keyof typeof ADDRESSES;

interface Seen {
  readonly status: number;
  readonly type: string | null;
  readonly body: string;
}

/** What a client gets; null when the connection or the wait breaks. */
async function look(asked: AddressName, waitMs = 20_000): Promise<Seen | null> {
  try {
    const response = await fetch(`${upstream.url}/${ADDRESSES[asked]}`, {
      signal: AbortSignal.timeout(waitMs),
      redirect: 'manual',
    });
    const type = response.headers.get('content-type');
    return { status: response.status, type, body: await response.text() };
  } catch {
    return null;
  }
}

/** Faults that change when bytes arrive but not which; they are timed instead. */
const LATE: readonly FaultName[] = ['slow', 'bandwidth', 'slicing', 'slow-close'];
const askedFor = (fault: FaultName): AddressName => {
  if (fault === 'wrong-hits' || fault === 'hits-off') return 'hits';
  if (FAULTS[fault].operations?.join() === 'coverage') return 'coverage';
  return fault === 'sort-refused' ? 'sorted' : 'page';
};

describe('each fault', () => {
  it.each(FAULT_NAMES.filter((fault) => !LATE.includes(fault)))(
    '%s spoils what it says and ends when it is switched off',
    async (fault) => {
      const asked = askedFor(fault);
      const right = await look(asked);
      expect(right?.status).toBe(200);
      upstream.faults.set([{ fault }]);
      // A hang must not cost the whole wait of a patient client.
      const wrong = await look(asked, fault === 'hang' || fault === 'stall' ? 300 : 5_000);
      expect(wrong).not.toEqual(right);
      expect(FAULTS[fault].title).not.toBe('');
      upstream.faults.clear();
      expect(await look(asked)).toEqual(right);
    },
  );

  it.each([
    ['slow', 300, 280],
    ['slow-close', 300, 280],
    ['bandwidth', 400_000, 100],
    ['slicing', 1_000, 0],
  ] as const)('%s delivers the right bytes late', async (fault, value, atLeastMs) => {
    const right = await look('page');
    upstream.faults.set([{ fault, value }]);
    const started = performance.now();
    expect(await look('page', 10_000)).toEqual(right);
    expect(performance.now() - started).toBeGreaterThanOrEqual(atLeastMs);
  });

  it('breaks a connection whose answer before has not ended yet', async () => {
    upstream.faults.set([
      { fault: 'stall', times: 1 },
      { fault: 'down', skip: 1 },
    ]);
    const socket = connect({ port: Number(new URL(upstream.url).port), host: '127.0.0.1' });
    const request = `GET /${ADDRESSES.page} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    socket.resume().write(request + request);
    await expect(once(socket, 'close')).rejects.toThrow('ECONNRESET');
  });
});

const idsOf = (text: string): string[] =>
  [...text.matchAll(/gml:id="(bes_naturtyper\.[0-9a-f-]+)"/g)].map(([, id]) => id!);

it('a shuffled order is another at each request, the same for a seed', async () => {
  upstream.faults.set([{ fault: 'shuffled-order', seed: 7 }]);
  const [first, second] = [(await look('page'))!.body, (await look('page'))!.body];
  expect(idsOf(first)).not.toEqual(idsOf(second));
  upstream.faults.set([{ fault: 'shuffled-order', seed: 7 }]);
  expect((await look('page'))!.body).toBe(first);
});

describe('a rule', () => {
  it('can be narrowed to a host, a layer, an operation, later pages, some requests', async () => {
    const works = async (asked: AddressName): Promise<boolean> =>
      (await look(asked))?.status === 200;
    upstream.faults.set([{ fault: 'http-503', host: 'dagi' }]);
    expect(await works('page')).toBe(true);
    upstream.faults.set([{ fault: 'http-503', layer: 'skov' }]);
    expect(await works('page')).toBe(true);
    upstream.faults.set([{ fault: 'http-503', host: 'portal', layer: 'natur' }]);
    expect(await works('page')).toBe(false);
    upstream.faults.set([{ fault: 'http-503', operation: 'hits' }]);
    expect([await works('page'), await works('hits')]).toEqual([true, false]);
    upstream.faults.set([{ fault: 'http-503', fromIndex: 10 }]);
    expect([await works('sorted'), await works('page')]).toEqual([true, false]);
    upstream.faults.set([{ fault: 'unauthorized', skip: 1, times: 1 }]);
    expect([await works('page'), await works('page'), await works('page')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(upstream.faults.list()).toMatchObject([{ seen: 3, applied: 1 }]);
  });

  it('leaves alone, and does not count, what somebody else asks', async () => {
    const asks = async (asker: string): Promise<number> =>
      (await fetch(`${upstream.url}/${ADDRESSES.page}&asker=${asker}`)).status;
    upstream.faults.set([{ fault: 'unauthorized', times: 1, asker: '2' }]);
    expect(await asks('1')).toBe(200);
    expect(upstream.faults.list()).toMatchObject([{ seen: 0, applied: 0 }]);
    expect([await asks('2'), await asks('2')]).toEqual([401, 200]);
  });

  it('can stand beside another: both take effect', async () => {
    upstream.faults.set([{ fault: 'unknown-count' }]);
    upstream.faults.add({ fault: 'empty-page' });
    const seen = await look('page');
    expect(seen?.body).toContain('numberMatched="unknown" numberReturned="0"');
  });
});

describe('the switches over HTTP', () => {
  const address = (): string => `${upstream.url}/_faults`;
  const post = (body: string, type = 'application/json'): Promise<Response> =>
    fetch(address(), { method: 'POST', body, headers: { 'content-type': type } });

  it('list what there is, take a plan, and mend everything', async () => {
    const taken = await post(JSON.stringify([{ fault: 'html-200', host: 'portal' }]));
    expect(taken.status).toBe(200);
    const state = (await taken.json()) as { active: unknown[]; available: unknown[] };
    expect(state.active).toEqual([{ fault: 'html-200', host: 'portal', seen: 0, applied: 0 }]);
    expect(state.available).toHaveLength(FAULT_NAMES.length);
    expect((await look('page'))?.body).toContain('<html>');
    expect((await fetch(address(), { method: 'DELETE' })).status).toBe(200);
    expect((await look('page'))?.status).toBe(200);
    const listed = (await (await fetch(address())).json()) as { active: unknown[] };
    expect(listed.active).toEqual([]);
  });

  it.each([
    ['an unknown fault', '{"fault":"nothing"}', 'fault must be one of'],
    ['no fault', '{}', 'fault must be one of'],
    ['an unknown field', '{"fault":"down","when":1}', 'no field when'],
    ['a field every object has', '{"fault":"down","constructor":1}', 'no field constructor'],
    ['an unknown layer', '{"fault":"down","layer":"hav"}', 'layer must be one of'],
    ['a share above one', '{"fault":"down","share":2}', 'share must be between'],
    ['half a time', '{"fault":"down","times":0.5}', 'times must be a whole number'],
    ['a list of lists', '[[]]', 'must be an object'],
    ['what is not JSON', '{', 'JSON'],
  ])('refuse %s and keep the plan', async (_, body, message) => {
    upstream.faults.set([{ fault: 'unknown-count' }]);
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(message);
    expect(upstream.faults.list()).toHaveLength(1);
  });

  it('refuse what a web page could send without asking', async () => {
    expect((await post('[]', 'text/plain')).status).toBe(415);
    expect((await fetch(address(), { method: 'PUT' })).status).toBe(405);
  });
});
