/**
 * A key in an address is seen by nobody: everything a whole service says while its registers fail and
 * when they are mended, searched for it. The registers here repeat the address they were asked.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allLayers } from '../../src/layers/catalogue.ts';
import { REGISTER_IDS } from '../../src/layers/keys.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { samplePoint } from '../../sample/points.ts';
import type { SampleUpstream } from '../../sample/server.ts';
import { startSampleUpstream } from '../../sample/server.ts';
import { ownFolder } from '../support/opened.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import { startProgram } from '../support/whole-service.ts';
import type { StartedProgram } from '../support/whole-service.ts';

const KEY = 'Hemmelig-Nøgle/4711';
const TOKEN = 'operator-token-of-this-test';

let store: TestStore;
let upstream: SampleUpstream;
const dir = ownFolder('secrets');
let service: StartedProgram;
const said: string[] = [];
let base = '';

beforeAll(async () => {
  [store, upstream] = await Promise.all([openTestStore(), startSampleUpstream()]);
  const catalogue = sampleCatalogue(upstream.url, { files: true });
  const { adresser, fbb } = catalogue.registers;
  const [table, pages] = [adresser.tables['Husnummer']?.source, fbb.tables['alle']?.source];
  if (table?.kind !== 'files' || pages?.kind !== 'wfs')
    throw new Error('The sample has no sources.');
  const { listUrl, fetchUrl } = table;
  const files = { listUrl, fetchUrl, tries: 1, minBytes: 1_000 };
  const registers = Object.fromEntries(
    REGISTER_IDS.map((id) => [id, { files: id === 'fbb' ? { url: pages.url, tries: 1 } : files }]),
  );
  const overrides = Object.fromEntries(
    allLayers(catalogue).map((layer) => [
      layer.id,
      {
        source: { url: layer.source.url, tries: 1, pageSize: 200 },
        files: layer.files && {
          listUrl: layer.files.listUrl,
          fetchUrl: layer.files.fetchUrl,
          format: layer.files.format,
          minBytes: 1_000,
          tries: 1,
        },
        guards: layer.guards,
      },
    ]),
  );
  const file = join(dir, 'sources.json');
  writeFileSync(file, JSON.stringify({ ...overrides, ...registers }));
  upstream.faults.set([{ fault: 'echoed-key', value: 500 }]);
  service = startProgram({
    SOURCES: 'live',
    SOURCES_FILE: file,
    DATAFORDELER_API_KEY: KEY,
    OPERATOR_TOKEN: TOKEN,
    DATABASE_URL: store.databaseUrl ?? '',
    DATA_DIR: store.dataDir,
    LOG_LEVEL: 'debug',
  });
  base = await service.base();
});

afterAll(async () => {
  await service.kill();
  await upstream.close();
  await store.close();
});

const come = (holds: () => Promise<boolean>) =>
  service.until(async () => ((await holds()) ? true : undefined));

async function ask(path: string, body?: string): Promise<string> {
  const response = await fetch(`${base}${path}`, {
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body }),
  });
  const text = `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`;
  said.push(text);
  return text;
}

async function lookAround(): Promise<void> {
  const { lon, lat } = samplePoint('middle').wgs84;
  const paths = [
    `/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`,
    `/v1/dagi/reverse?lon=${lon}&lat=${lat}`,
    '/v1/dagi/kommune/0093',
    '/v1/status',
    '/v1/drift/lag',
    ...['region', 'kommune', 'sogn', 'strandbeskyttelse'].map(
      (layer) => `/v1/drift/lag/${layer}/koersler`,
    ),
    '/metrics',
    '/openapi.json',
    '/readyz',
    '/startupz',
  ];
  for (const path of paths) await ask(path);
}

const runs = (layer: string) => ask(`/v1/drift/lag/${layer}/koersler`);

test('a key in an address is in nothing the service says, while all fails and when all is well', async () => {
  // Both ways of a theme failed, and what the register repeated is on record without the key.
  await come(async () => /Failed|500/.test(await runs('kommune')));
  await come(async () => /500/.test(await runs('klitfredning')));
  await come(async () => /500/.test(await runs('adresser')));
  await lookAround();

  upstream.faults.clear();
  for (const layer of ['region', 'kommune', 'klitfredning']) {
    await ask(`/v1/drift/lag/${layer}/synk`, '{}');
  }
  const published = async (layer: string) => {
    const { rows } = await store.pool.query('select from layer_state where layer = $1', [layer]);
    return rows.length > 0;
  };
  await come(async () => (await published('kommune')) && (await published('klitfredning')));
  await lookAround();

  const { rows } = await store.pool.query<{ everything: string }>(
    `select (select coalesce(jsonb_agg(r), '[]') from sync_run r)::text ||
       (select coalesce(jsonb_agg(i), '[]') from sync_issue i)::text ||
       (select coalesce(jsonb_agg(s), '[]') from layer_state s)::text as everything`,
  );
  expect(upstream.requests().some(({ host }) => host === 'datafordeler-files')).toBe(true);
  const everything = service.said() + said.join('\n') + (rows[0]?.everything ?? '');
  expect(/answered 500|\b500\b/.test(everything)).toBe(true);
  // The key is searched by its first letters, which no way of writing it in an address changes.
  for (const secret of [/.{0,80}Hemmelig-N.{0,20}/i, new RegExp(`.{0,80}${TOKEN}`)]) {
    expect(secret.exec(everything)?.[0]).toBeUndefined();
  }
});
