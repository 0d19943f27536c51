/** Entities that a release adds, reads in another way or passed over, and registers that are not here yet (D255). */
import { expect, test } from 'vitest';
import { numberReplication } from '../../src/replication/number.ts';
import { openReplication } from './opened.ts';
import { publish } from './publisher.ts';
import { opened } from '../support/opened.ts';

const { store, log, app } = await opened(openReplication());
await publish(store, 'adresser', [`update address_road set name = name || ' ny'`]);
await numberReplication(store);

const statusOf = async (path: string): Promise<number> =>
  (await app.inject(`/dawa/replikering/${path}`)).statusCode;
const ENTITIES = ['adresse', 'sted', 'sogn'];

test('begin at the latest transaction, as at a first copy; the others go on', async () => {
  const before = (await log.latest())!;
  await store.pool.query(`
    update replication_entity set until = until - 1 where entity = 'adresse';
    update replication_entity set definition = 'another' where entity = 'sted';
    delete from replication_entity where entity = 'sogn'`);
  for (const entity of ['sted', 'sogn']) {
    expect(await statusOf(`udtraek?entitet=${entity}`)).toBe(503);
    expect(await statusOf(`haendelser?entitet=${entity}`)).toBe(503);
  }
  expect(await numberReplication(store)).toBe(0);
  const { nr, lastEvent } = (await log.latest())!;
  expect([nr, lastEvent]).toEqual([before.nr, before.lastEvent + 2]);
  for (const entity of ENTITIES) {
    for (const [path, status] of [
      [`udtraek?entitet=${entity}&txid=${nr - 1}`, 400],
      [`udtraek?entitet=${entity}&txid=${nr}`, 200],
      [`udtraek?entitet=${entity}&sekvensnummer=${lastEvent}`, 200],
      [`haendelser?entitet=${entity}&txidfra=${nr}`, 400],
      [`haendelser?entitet=${entity}&txidfra=${nr + 1}`, 200],
      [`haendelser?entitet=${entity}&sekvensnummerfra=${before.lastEvent + 1}`, 400],
      [`haendelser?entitet=${entity}&sekvensnummerfra=${lastEvent + 1}`, 200],
    ] as const) {
      expect(await statusOf(path), path).toBe(status);
    }
  }
  const others = `haendelser?entitet=vejstykke&txidfra=${nr}&sekvensnummertil=${before.lastEvent}`;
  expect((await app.inject(`/dawa/replikering/${others}`)).json<object[]>().length).toBeGreaterThan(
    1,
  );
  await numberReplication(store);
  expect((await log.latest())!.lastEvent).toBe(lastEvent);
});

test('that were numbered before there were definitions keep their events', async () => {
  const { lastEvent } = (await log.latest())!;
  await store.pool.query('update replication_entity set definition = null, since = 0');
  await numberReplication(store);
  expect((await log.latest())!.lastEvent).toBe(lastEvent);
  const { rows } = await store.pool.query(
    'select distinct since, definition is null as unknown from replication_entity',
  );
  expect(rows).toEqual([{ since: 0, unknown: false }]);
});

test('whose register is not mirrored yet are 503, never an empty list', async () => {
  await store.pool.query(`delete from change_transaction where layer in ('stednavne', 'matrikel')`);
  for (const entity of ['sted', 'stednavn', 'jordstykke', 'jordstykketilknytning']) {
    expect(await statusOf(`udtraek?entitet=${entity}`), entity).toBe(503);
    expect(await statusOf(`haendelser?entitet=${entity}`), entity).toBe(503);
  }
  expect(await statusOf('udtraek?entitet=vejstykke')).toBe(200);
});
