/** DAWA's replication over the sample's mirrored registers: extract plus events is the later extract (D230). */
import { describe, expect, test } from 'vitest';
import { ENTITIES } from '../../src/replication/entities.ts';
import { numberReplication } from '../../src/replication/number.ts';
import { createRandom } from '../../sample/data/random.ts';
import type { Random } from '../../sample/data/random.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';
import { SEQUENCES, clientOf, extractOf, ofLines } from './clients.ts';
import type { Client } from './clients.ts';
import { openReplication } from './opened.ts';
import { publish } from './publisher.ts';
import { namedDays, randomDay } from './random-day.ts';
import { opened } from '../support/opened.ts';

const { store, log, app } = await opened(openReplication());

const fetch = async (path: string): Promise<string> => {
  const answer = await app.inject(`/dawa/replikering/${path}`);
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.body}`);
  return answer.body;
};

const DAYS = amountOf({ gate: 2, night: 300 });

test('the clients of DAWA keep true copies over a month of publications', async () => {
  const random = createRandom(`replication ${TEST_SEED}`);
  const clients = SEQUENCES.map((sequence) => clientOf(sequence, fetch));
  const then: { path: string; rows: string }[] = [];
  for (const client of clients) await client.run();
  await passNamedDays(random, clients);
  for (let day = 1; day <= DAYS; day++) {
    for (const [layer, statements] of randomDay(random)) await publish(store, layer, statements);
    // Some days pass unnumbered.
    if (day < DAYS && random.chance(0.3)) continue;
    await numberReplication(store);
    for (const client of clients) if (day === DAYS || random.chance(0.25)) await client.run();
    const { txid } = JSON.parse(await fetch('senestetransaktion')) as { txid: number };
    const path = `udtraek?entitet=${random.pick(ENTITIES).name}&txid=${txid}`;
    then.push({ path, rows: await fetch(path) });
  }
  for (const [n, client] of clients.entries()) {
    for (const [entity, copy] of client.copies) {
      const wanted = await extractOf(SEQUENCES[n]!, entity, fetch);
      expect([...copy].toSorted(), `${client.name} ${entity.name}`).toEqual([...wanted].toSorted());
    }
  }
  for (const { path, rows } of then) expect(await fetch(path), path).toBe(rows);
  await expectNumbers();
});

test('an earlier extract has all rows that have changed twice and ended since', async () => {
  const path = `udtraek?entitet=sogn&txid=${(await log.latest())!.nr}`;
  const rows = await fetch(path);
  const change = `update area set code = code || '1'`;
  for (const each of [change, change, 'delete from area']) {
    await publish(store, 'sogn', [`${each} where theme = 'sogn'`]);
  }
  expect(await fetch(path)).toBe(rows);
});

async function passNamedDays(random: Random, clients: readonly Client[]): Promise<void> {
  for (const [publications, told] of namedDays(random)) {
    for (const [layer, statements] of publications) await publish(store, layer, statements);
    await numberReplication(store);
    expect(JSON.parse(await fetch('senestetransaktion'))).toMatchObject({
      operationer: expect.arrayContaining([expect.objectContaining(told)]) as unknown,
    });
    // The reference each day; the others read several at a time.
    for (const [n, client] of clients.entries())
      if (n === 0 || random.chance(0.25)) await client.run();
  }
}

/** Each number once, in order, within its transaction; and what `transaktioner` says is what there is. */
async function expectNumbers(): Promise<void> {
  const numbers: number[] = [];
  const counted = new Map<string, number>();
  for (const { name } of ENTITIES) {
    const events = ofLines(await fetch(`haendelser?entitet=${name}&ndjson`));
    const own = events.map(({ sekvensnummer }) => sekvensnummer as number);
    expect(own).toEqual(own.toSorted((a, b) => a - b));
    numbers.push(...own);
    for (const { txid, operation } of events) {
      const of = `${String(txid)} ${name} ${String(operation)}s`;
      counted.set(of, (counted.get(of) ?? 0) + 1);
    }
  }
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.length).toBeGreaterThan(50);
  const transactions = JSON.parse(await fetch('transaktioner')) as readonly {
    readonly txid: number;
    readonly operationer: readonly Readonly<Record<string, unknown>>[];
  }[];
  const told = transactions.flatMap(({ txid, operationer }) =>
    operationer.flatMap(({ entitet, ...counts }) =>
      Object.entries(counts).flatMap(([operation, count]) =>
        count === 0 ? [] : [[`${txid} ${String(entitet)} ${operation}`, count] as const],
      ),
    ),
  );
  expect(new Map(told)).toEqual(counted);
}

const statusOf = async (path: string): Promise<number> =>
  (await app.inject(`/dawa/replikering/${path}`)).statusCode;

/** That a release adds, reads in another way or passed over, and of registers that are not here yet (D255). */
describe('entities', () => {
  test('begin at the latest transaction, as at a first copy; the others go on', async () => {
    await publish(store, 'adresser', [`update address_road set name = name || ' ny'`]);
    await numberReplication(store);
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
    for (const entity of ['adresse', 'sted', 'sogn']) {
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
    expect(
      (await app.inject(`/dawa/replikering/${others}`)).json<object[]>().length,
    ).toBeGreaterThan(1);
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
    await store.pool.query(
      `delete from change_transaction where layer in ('stednavne', 'matrikel')`,
    );
    for (const entity of ['sted', 'stednavn', 'jordstykke', 'jordstykketilknytning']) {
      expect(await statusOf(`udtraek?entitet=${entity}`), entity).toBe(503);
      expect(await statusOf(`haendelser?entitet=${entity}`), entity).toBe(503);
    }
    expect(await statusOf('udtraek?entitet=vejstykke')).toBe(200);
  });
});
