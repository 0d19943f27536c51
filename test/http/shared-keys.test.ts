/** A front with an empty disk whose database is away: it knows the keys that another front shared (D208). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Composed } from '../../src/start/service.ts';
import { createLogging } from '../../src/kernel/logger.ts';
import { samplePoint } from '../../sample/points.ts';
import { openDatedService } from '../support/dated-service.ts';
import { Door, serverOf, urlThrough } from '../support/door.ts';
import { mintKey } from '../support/keys.ts';
import { openMirroredBench } from '../support/mirrored-store.ts';
import type { SyncBench } from '../support/sync-bench.ts';
import { until } from '../support/until.ts';

const { lon, lat } = samplePoint('forest').wgs84;
const LINES = `/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`;
const SNAPSHOT_KEY = Buffer.alloc(32, 5).toString('base64');

describe.skipIf(process.env['TEST_STORE'] !== 'postgres')('without its database', () => {
  let bench: SyncBench;
  let door: Door;
  let databaseUrl: string;
  let file: string;
  let known: string;
  let revoked: string;
  let fronts = 0;

  async function front(settings: Record<string, string> = {}) {
    fronts += 1;
    const said: string[] = [];
    const stream = { write: (line: string) => void said.push(line) };
    const { log } = createLogging({ level: 'warn', stream });
    const dataDir = join(bench.store.dataDir, `front-${fronts}`);
    const shared = join(bench.store.dataDir, 'shared');
    const service = await openDatedService({
      ...{ deps: bench.deps, store: { ...bench.store, dataDir }, databaseUrl, open: false, log },
      settings: { SNAPSHOT_STORE: shared, SNAPSHOT_KEY, ...settings },
    });
    await until(() => service.memory?.isOpen === true);
    return { service, said: () => said.join(''), dataDir };
  }
  const ask = async ({ app }: Composed, key: string): Promise<number> =>
    (await app.inject({ url: LINES, headers: { authorization: `Bearer ${key}` } })).statusCode;
  const ready = async ({ app }: Composed): Promise<string> => {
    const answer = await app.inject('/readyz');
    return `${answer.statusCode} ${answer.json<{ code?: string }>().code ?? ''}`.trim();
  };

  beforeAll(async () => {
    bench = await openMirroredBench();
    file = join(bench.store.dataDir, 'shared/sample/known/keys.json');
    door = new Door(serverOf(bench.store.databaseUrl ?? ''));
    await door.open();
    databaseUrl = urlThrough(door, bench.store.databaseUrl ?? '');
    const { service } = await front();
    known = await mintKey(service);
    revoked = await mintKey(service);
    expect([await ask(service, known), await ask(service, revoked)]).toEqual([200, 200]);
    const { accountId, keyId } = (await service.accounts.keys.find(revoked))!;
    await service.accounts.keyAdmin.revoke(accountId, keyId);
    await until(async () => (await ask(service, revoked)) === 401);
    const isShared = () => existsSync(file) && !/"ended\\":\[\]/.test(readFileSync(file, 'utf8'));
    await until(isShared);
    const manifest = join(bench.store.dataDir, 'shared/sample/v1/manifests/published.json');
    await until(() => existsSync(manifest));
    await service.close();
    await door.slam();
  });
  afterAll(() => bench.close());

  test('it answers the known, and neither the revoked nor the unknown', async () => {
    const { service, dataDir } = await front();
    expect(await ready(service)).toBe('200');
    expect(await ask(service, known)).toBe(200);
    expect(await ask(service, revoked)).toBe(401);
    expect(await ask(service, known.slice(0, -1) + (known.endsWith('a') ? 'b' : 'a'))).not.toBe(
      200,
    );
    // For the other request threads, and for its next start.
    expect(existsSync(join(dataDir, 'last-known/keys.json'))).toBe(true);
    await service.close();
  });

  test('no secret is in what is shared', () => {
    const text = readFileSync(file, 'utf8');
    for (const key of [known, revoked]) expect(text).not.toContain(key.slice(12));
  });

  test.each<[string, () => void, Record<string, string>]>([
    ['is older than a day', () => bench.advance(25 * 3_600_000), {}],
    ['is without a key of ours', () => bench.advance(-25 * 3_600_000), { SNAPSHOT_KEY: '' }],
    ['is of another store', () => undefined, { DATABASE_URL: 'postgres://a:b@127.0.0.1:9/x' }],
  ])('it believes nothing that %s, and is not ready', async (_, turn, settings) => {
    turn();
    const { service } = await front(settings);
    expect(await ready(service)).toBe('503 keys_unknown');
    expect(await ask(service, known)).toBe(503);
    await service.close();
  });

  test('what was changed on the way is refused and said', async () => {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('business', 'business '));
    const { service, said } = await front();
    expect(await ready(service)).toBe('503 keys_unknown');
    expect(said()).toMatch(/keys\.json as last known in .* is refused/);
    // Mended, it is believed without a start.
    writeFileSync(file, text);
    await until(async () => (await ask(service, known)) === 200);
    expect(await ready(service)).toBe('200');
    await service.close();
  });
});
