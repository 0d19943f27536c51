/** What a real sync publishes and an operator reverts, as replication tells it. */
import { expect, test } from 'vitest';
import { ADDRESSES } from '../../src/layers/keys.ts';
import { numberReplication } from '../../src/replication/number.ts';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { revertLayer } from '../../sync/revert.ts';
import { openAddressService } from '../support/address-service.ts';
import type { Event } from './clients.ts';
import { opened } from '../support/opened.ts';

const service = await opened(openAddressService());

const { accessId, unitId, houseNumber } = KNOWN_ADDRESS;

async function eventsAfter(txid: number, entity: string): Promise<readonly Event[]> {
  await numberReplication(service.store);
  const path = `/dawa/replikering/haendelser?entitet=${entity}&txidfra=${txid + 1}`;
  const answer = await service.app.inject(path);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

const latest = async (): Promise<number> =>
  (await service.app.inject('/dawa/replikering/senestetransaktion')).json<{ txid: number }>().txid;

test('a delta is events, its revert is events back, and what confirms is none', async () => {
  const { shelf, deps } = service;
  const begin = await latest();
  const find = (entity: 'Husnummer' | 'Adresse', id: string) => {
    const row = shelf.rows(entity).find((each) => each['id_lokalId'] === id);
    if (row === undefined) throw new Error(`${id} is not there`);
    return row;
  };
  const at = new Date(deps.clock.nowMs()).toISOString();
  const house = find('Husnummer', accessId);
  shelf.change('Husnummer', { at, close: [house], open: [{ ...house, husnummertekst: '14C' }] });
  shelf.change('Adresse', { at, close: [find('Adresse', unitId)] });
  const synced = await service.sync();
  expect(synced.state, JSON.stringify(synced)).toBe('published');
  expect(await eventsAfter(begin, 'adgangsadresse')).toMatchObject([
    { operation: 'update', data: { id: accessId, husnr: '14C' } },
  ]);
  expect(await eventsAfter(begin, 'adresse')).toMatchObject([
    { operation: 'delete', data: { id: unitId, adgangsadresseid: accessId } },
  ]);
  const middle = await latest();
  const { state } = await revertLayer(deps, ADDRESSES, {
    by: 'a test',
    signal: new AbortController().signal,
  });
  expect(state).toBe('published');
  expect(await eventsAfter(middle, 'adgangsadresse')).toMatchObject([
    { operation: 'update', data: { id: accessId, husnr: houseNumber } },
  ]);
  expect(await eventsAfter(middle, 'adresse')).toMatchObject([
    { operation: 'insert', data: { id: unitId } },
  ]);
  const end = await latest();
  expect(end).toBeGreaterThan(middle);
  expect(await eventsAfter(end, 'adresse')).toEqual([]);
});
