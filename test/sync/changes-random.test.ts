/**
 * Days at the register by chance, and two readers at once: a slow one, and one that is killed between pages and goes on
 * from what it kept. An extract and the events after it are the store, at any later transaction.
 */
import { expect, test } from 'vitest';
import { latestChange } from '../../src/changes/log.ts';
import type { ChangeEvent } from '../../src/changes/types.ts';
import { readEvents } from '../../src/changes/events.ts';
import { ADDRESSES } from '../../src/layers/keys.ts';
import { ADDRESS_SCHEMA } from '../../src/registers/addresses/tables.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { AddressDays } from '../support/address-days.ts';
import { applyEvent, expectAllWays, extracted, rowsInService } from '../support/change-copy.ts';
import type { Copy } from '../support/change-copy.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';
import { openAddressBench } from './addresses-bench.ts';
import { opened } from '../support/opened.ts';

const DAYS = Number(process.env['CHANGE_ROUNDS'] ?? amountOf({ gate: 10, night: 200 }));
const SLOW_EVENTS = 20;
const PAGE_EVENTS = 50;

const bench = await opened(openAddressBench());

const source = () => ({ db: bench.store.db, schemas: new Map([[ADDRESSES, ADDRESS_SCHEMA]]) });

/** A copy, and the last event in it: both or neither are kept. */
class Reader {
  #copy: Copy = new Map();
  #last = 0;
  #kept = '';

  async begin(): Promise<void> {
    const { transaction, event } = await latestChange(bench.store.db);
    this.#copy = await extracted(source(), ADDRESSES, transaction);
    this.#last = event;
    this.#keep();
  }

  #keep(): void {
    this.#kept = JSON.stringify([this.#last, [...this.#copy]]);
  }

  /** What it applied and did not keep is lost. */
  kill(): void {
    const [last, rows] = JSON.parse(this.#kept) as [number, [string, string][]];
    [this.#last, this.#copy] = [last, new Map(rows)];
  }

  /** How many there were. */
  async page(limit: number, random: () => number): Promise<number> {
    const events: ChangeEvent[] = [];
    const range = { registers: [ADDRESSES], afterEvent: this.#last, limit };
    for await (const event of readEvents(source(), range)) events.push(event);
    const isKilled = random() < 0.3;
    for (const event of isKilled ? events.slice(0, events.length / 2) : events) {
      expect(event.nr).toBe(this.#last + 1);
      applyEvent(this.#copy, event);
      this.#last = event.nr;
    }
    if (isKilled) this.kill();
    else this.#keep();
    return events.length;
  }

  async expectEqual(): Promise<void> {
    while ((await this.page(1_000, () => 1)) > 0);
    expect(this.#copy).toEqual(await rowsInService(source(), ADDRESSES));
  }
}

test(`${DAYS} days with the seed ${TEST_SEED}: extract and events are the store`, async () => {
  const random = randomFrom(TEST_SEED);
  const days = new AddressDays(bench, random);
  const [slow, killed] = [new Reader(), new Reader()];
  const states = new Map<number, Copy>();
  for (let day = 0; day <= DAYS; day += 1) {
    const fate = day === 0 ? (await bench.sync(), 'begun') : await days.next();
    if (day === 0) await Promise.all([slow.begin(), killed.begin()]);
    const { transaction } = await latestChange(bench.store.db);
    const now = await rowsInService(source(), ADDRESSES);
    // What was refused, or found nothing new, has left no event.
    if (states.has(transaction)) expect(now, fate).toEqual(states.get(transaction));
    states.set(transaction, now);
    await slow.page(SLOW_EVENTS, () => 1);
    while ((await killed.page(PAGE_EVENTS, random)) > 0 && random() < 0.8);
  }
  expect(states.size).toBeGreaterThan(DAYS / 3);
  expect(days.seen.size).toBe(Math.min(DAYS, 10));
  await Promise.all([slow.expectEqual(), killed.expectEqual()]);
  await expectAllWays(source(), ADDRESSES, states);
}, 7_200_000);
