/** Folding and the processes that count together, over a real store. */
import { appendFileSync, copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import type { Principal } from '../../src/account/principal.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { announceLiveness } from '../../src/metering/liveness.ts';
import { monthOf } from '../../src/metering/calendar.ts';
import { composeMetering } from '../../src/start/metering.ts';
import type { Metering } from '../../src/metering/metering.ts';
import { UsageFlusher } from '../../src/metering/usage-flusher.ts';
import { localLimiters } from '../../src/kernel/limiters.ts';
import type { ShareBoard } from '../../src/kernel/limiter-boards.ts';
import { Instances } from '../../src/metering/instances.ts';
import { Journal } from '../../src/metering/journal.ts';
import { readBillLines, readUsage, recomputeBill } from '../../src/metering/usage.ts';
import { sharedStore } from '../support/store.ts';
import {
  addAccount,
  answered,
  newDataDir,
  plansOf,
  principalOf,
  tallyOf,
} from '../metering/metering-fixture.ts';

const ending: (() => unknown)[] = [];
const log = { error: () => undefined };
const clock = systemClock;

const store = await sharedStore();
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
  await sql`delete from usage_instance`.execute(store.db);
});

function directory(): string {
  const { dataDir, remove } = newDataDir();
  ending.push(remove);
  return dataDir;
}

function journalOf(dataDir: string, instance: string, accountId: string) {
  const journal = new Journal({ directory: dataDir, instance, log });
  ending.push(() => journal.close());
  let n = 0;
  const write = (count: number, more: { environment?: string; atMs?: number } = {}): void => {
    for (let i = 0; i < count; i++) {
      journal.append({
        atMs: Date.parse('2026-03-29T00:30:00Z') + n,
        date: '2026-03-29',
        keyId: i % 2 === 0 ? 'key_a' : 'key_b',
        accountId,
        operation: 'lines',
        environment: 'live',
        units: 2,
        generation: i % 3 === 0 ? null : 5,
        requestId: `${instance}-r${n++}`,
        ...more,
      });
    }
  };
  return { journal, write };
}

async function oneJournal(instance: string) {
  const [accountId, dataDir] = [await addAccount(store), directory()];
  return { accountId, dataDir, ...journalOf(dataDir, instance, accountId) };
}

const folderOf = (dataDir: string): UsageFlusher =>
  new UsageFlusher({ store, directory: dataDir, plans: plansOf(1_000_000), clock, log });

describe('folding', () => {
  test('takes each line once when several fold the same journal at once', async () => {
    const { accountId, dataDir, journal, write } = await oneJournal('aa01');
    write(5000);
    journal.close();
    const folders = [folderOf(dataDir), folderOf(dataDir), folderOf(dataDir)];
    await Promise.allSettled(folders.map((folder) => folder.foldLeft('aa01')));
    await folderOf(dataDir).foldLeft('aa01');
    expect(await tallyOf(store, accountId)).toMatchObject({
      lines: 5000,
      units: 10_000,
      used: 10_000,
      days: 10_000,
    });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('keeps the lines that were added to a file while it was folded, and sealed before it was done', async () => {
    const { accountId, dataDir, journal, write } = await oneJournal('aa20');
    write(10);
    const folder = folderOf(dataDir);
    const folding = folder.foldOwn(journal, 'aa20');
    write(7);
    journal.close();
    expect(await folding).toBe(true);
    expect(await tallyOf(store, accountId)).toMatchObject({ lines: 10 });
    expect(await folder.foldOwn(journal, 'aa20')).toBe(true);
    expect(await tallyOf(store, accountId)).toMatchObject({ lines: 17, used: 34 });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('takes nothing twice from a journal that comes back from a copy', async () => {
    const { accountId, dataDir, journal, write } = await oneJournal('aa02');
    write(10);
    journal.close();
    const file = join(dataDir, 'aa02-1.journal');
    copyFileSync(file, `${file}.copy`);
    await folderOf(dataDir).foldLeft('aa02');
    expect(existsSync(file)).toBe(false);
    copyFileSync(`${file}.copy`, file);
    await folderOf(dataDir).foldLeft('aa02');
    expect(await tallyOf(store, accountId)).toMatchObject({ lines: 10, used: 20 });
  });

  test('ignores what a dead process had not finished writing', async () => {
    const { accountId, dataDir, journal, write } = await oneJournal('aa03');
    write(10);
    journal.close();
    appendFileSync(join(dataDir, 'aa03-1.journal'), '11\t17000');
    expect(await folderOf(dataDir).foldLeft('aa03')).toBe(true);
    expect(await tallyOf(store, accountId)).toMatchObject({ lines: 10, used: 20 });
  });

  test('follows a journal that grows, and removes whole files', async () => {
    const { accountId, dataDir, journal, write } = await oneJournal('aa04');
    const folder = folderOf(dataDir);
    for (let round = 1; round <= 5; round++) {
      write(100);
      journal.roll(true);
      write(1);
      await folder.foldOwn(journal, 'aa04');
      expect((await tallyOf(store, accountId)).lines).toBe(101 * round);
      expect(readdirSync(dataDir)).toHaveLength(1);
    }
  });

  test('keeps what was used readable by day and key, and line by line', async () => {
    const { accountId, dataDir, journal, write } = await oneJournal('aa05');
    write(2500);
    write(7, { environment: 'test' });
    await folderOf(dataDir).foldOwn(journal, 'aa05');
    const month = monthOf(Date.parse('2026-03-29T00:30:00Z'));
    const { pro: plan } = plansOf(1000);
    const usage = await readUsage(store, { accountId, month, plan, capUnits: null });
    expect(usage).toMatchObject({
      month: '2026-03',
      live: { units: 5000, requests: 2500, allowance: 1000, ceiling: 10_000, overageUnits: 4000 },
      test: { units: 14, requests: 7, allowance: 1000, ceiling: 1000, overageUnits: 0 },
    });
    expect(usage.rows).toContainEqual({
      day: '2026-03-29',
      keyId: 'key_a',
      operation: 'lines',
      environment: 'live',
      units: 2500,
      requests: 1250,
    });
    let units = 0;
    const ids = new Set<string>();
    let lastMs = 0;
    for await (const line of readBillLines(store, { accountId, month })) {
      units += line.units;
      ids.add(line.requestId);
      expect(line.atMs).toBeGreaterThanOrEqual(lastMs);
      lastMs = line.atMs;
    }
    expect([units, ids.size]).toEqual([5000, 2500]);
    expect(await recomputeBill(store, { accountId, month })).toEqual({
      lines: 2500,
      unitsOfLines: 5000,
      unitsOfDays: 5000,
      unitsOfMonth: 5000,
      agrees: true,
    });
    const before = monthOf(month.startMs - 1);
    expect(await recomputeBill(store, { accountId, month: before })).toMatchObject({
      lines: 0,
      agrees: true,
    });
  });

  test('tells of a threshold once however many fold across it', async () => {
    const accountId = await addAccount(store);
    const dataDir = directory();
    const journals = ['aa06', 'aa07', 'aa08', 'aa09'].map((id) =>
      journalOf(dataDir, id, accountId),
    );
    const plans = plansOf(100);
    const told = async () => {
      const { rows } = await sql<{ dedupe: string }>`
        select dedupe from account_event where account_id = ${accountId} order by dedupe`.execute(
        store.db,
      );
      return rows.map(({ dedupe }) => dedupe);
    };
    for (let round = 0; round < 5; round++) {
      for (const { write } of journals) write(3);
      await Promise.all(
        journals.map(({ journal }, i) =>
          new UsageFlusher({ store, directory: dataDir, plans, clock, log }).foldOwn(
            journal,
            `aa0${6 + i}`,
          ),
        ),
      );
      if (round === 2) expect(await told()).toEqual([]);
    }
    expect(await told()).toEqual([
      `usage.threshold:${accountId}:2026-03:100`,
      `usage.threshold:${accountId}:2026-03:80`,
    ]);
  });
});

function shareOf(): { readonly share: ShareBoard; readonly divides?: boolean } {
  return { share: localLimiters().share };
}

describe('processes that count together', () => {
  function instances(id: string, { share: board, divides = true } = shareOf()) {
    const time = { nowMs: 1_000_000 };
    const member = { id, place: 'here', host: 'h' };
    const all = new Instances({ store, member, monotonicMs: () => time.nowMs, board, divides });
    return { all, time, fraction: () => all.share.fraction };
  }

  test('divide the bursts, and a new one waits until the others have made room', async () => {
    const [a, b, c] = [instances('bb01'), instances('bb02'), instances('bb03')];
    await a.all.beat();
    expect(a.fraction()).toBe(1);
    await b.all.beat();
    expect(b.fraction()).toBe(0);
    await a.all.beat();
    expect(a.fraction()).toBe(0.5);
    await b.all.beat();
    expect(b.fraction()).toBe(0.5);
    await c.all.beat();
    await a.all.beat();
    await c.all.beat();
    expect([a.fraction(), b.fraction(), c.fraction()]).toEqual([1 / 3, 0.5, 0]);
    await b.all.beat();
    await c.all.beat();
    expect([a.fraction(), b.fraction(), c.fraction()]).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });

  test('are one where their threads share limits: only the first divides', async () => {
    const { share } = shareOf();
    const first = instances('bb11', { share });
    const second = instances('bb12', { share, divides: false });
    const other = instances('bb13');
    await second.all.beat();
    expect([second.all.isRegistered, second.fraction()]).toEqual([true, 0]);
    await first.all.beat();
    expect([first.fraction(), second.fraction()]).toEqual([1, 1]);
    for (let n = 0; n < 2; n++) for (const { all } of [other, first, second]) await all.beat();
    expect([first, second, other].map(({ fraction }) => fraction())).toEqual([0.5, 0.5, 0.5]);
    await sql`delete from usage_instance where id = 'bb12'`.execute(store.db);
    await expect(second.all.beat()).rejects.toThrow('forgotten');
    await second.all.beat();
    expect(second.all.isRegistered).toBe(true);
  });

  test('take over the share of one that is silent for ten seconds, which joins anew when it comes back', async () => {
    const [a, b] = [instances('bb04'), instances('bb05')];
    for (let i = 0; i < 2; i++) for (const { all } of [a, b]) await all.beat();
    await a.all.beat();
    expect([a.fraction(), b.fraction()]).toEqual([0.5, 0.5]);
    for (let second = 0; second < 10; second++) {
      expect(a.fraction()).toBe(0.5);
      a.time.nowMs += 1000;
      await a.all.beat();
    }
    await a.all.beat();
    expect(a.fraction()).toBe(1);
    await b.all.beat();
    expect(b.fraction()).toBe(0);
    await a.all.beat();
    await b.all.beat();
    expect([a.fraction(), b.fraction()]).toEqual([0.5, 0.5]);
  });

  async function started(dataDir: string, plans = plansOf(1000)): Promise<Metering> {
    const metering = composeMetering({ store, dataDir, clock, plans, log });
    await metering.start();
    ending.push(() => metering.stop());
    return metering;
  }

  async function refusal({ meter }: Metering, principal: Principal): Promise<Failure | null> {
    try {
      meter.admit(principal, '192.0.2.1');
      await meter.reserve(principal, 1);
      meter.settle(principal, 1, answered(1));
      return null;
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  }

  test('never pass the ceiling when three serve its last units', async () => {
    const accountId = await addAccount(store);
    const one = () => started(directory(), plansOf(200));
    const meters = [await one(), await one(), await one()];
    const principal = principalOf(accountId);
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, i) => refusal(meters[i % 3]!, principal)),
    );
    const refused = answers.filter((answer) => answer !== null);
    expect(new Set(refused.map(({ type }) => type))).toEqual(new Set(['quota_exceeded']));
    expect(400 - refused.length).toBeLessThanOrEqual(200);
    for (const metering of meters) await metering.stop();
    const tally = await tallyOf(store, accountId);
    expect(tally).toMatchObject({ used: 400 - refused.length, outstanding: 0 });
    // What was left unused can be had by the next.
    const last = await one();
    let more = 0;
    while ((await refusal(last, principal)) === null) more++;
    expect(tally.used + more).toBe(200);
  });

  test('leave nothing behind when they stop', async () => {
    const dataDir = directory();
    const accountId = await addAccount(store);
    const metering = await started(dataDir);
    const principal = principalOf(accountId);
    metering.meter.admit(principal, '');
    await metering.meter.reserve(principal, 3);
    metering.meter.settle(principal, 3, answered(2));
    await metering.stop();
    expect(await tallyOf(store, accountId)).toMatchObject({ used: 2, lines: 1, outstanding: 0 });
    expect(readdirSync(join(dataDir, 'usage'))).toEqual(['place']);
    const { rows } = await sql`select settled from usage_instance`.execute(store.db);
    expect(rows).toEqual([{ settled: true }]);
  });

  test('keep the grants of a dead one counted until its journal is folded', async () => {
    const accountId = await addAccount(store);
    const dataDir = directory();
    const usage = join(dataDir, 'usage');
    // Whatever it had written lies in the directory; its socket answers nobody.
    const { journal, write } = journalOf(usage, 'cc01', accountId);
    write(5);
    journal.close();
    const alive = await announceLiveness(usage, 'cc02');
    const late = journalOf(usage, 'cc02', accountId);
    late.write(1);
    const metering = composeMetering({ store, dataDir, clock, plans: plansOf(1000), log });
    const place = await placeIn(metering, usage);
    await sql`
      insert into usage_instance (id, place, host, heartbeat_at)
      select id, place, 'another boot', now() - interval '1 hour'
      from unnest(array['cc01', 'cc02', 'cc03'], array['an older name', ${place}, 'elsewhere'])
        as r (id, place)`.execute(store.db);
    await sql`
      insert into usage_grant (account_id, environment, month, instance_id, granted, revision)
      select ${accountId}, 'live', '2026-03-01', id, 100, 1
      from unnest(array['cc01', 'cc02']) as id`.execute(store.db);
    await expect.poll(() => tallyOf(store, accountId)).toMatchObject({ outstanding: 100 });
    // The dead one's is free, the living one's stays.
    expect(await tallyOf(store, accountId)).toMatchObject({ used: 10, lines: 5, outstanding: 100 });
    expect(existsSync(join(usage, 'cc02-1.journal'))).toBe(true);
    await alive.close();
    late.journal.close();
    await expect.poll(() => tallyOf(store, accountId)).toMatchObject({ outstanding: 0 });
    expect(await tallyOf(store, accountId)).toMatchObject({ used: 12, lines: 6, outstanding: 0 });
    // What lies elsewhere may not be folded: nobody here says that it is.
    const { rows } = await sql`
      select id from usage_instance where not settled and id like 'cc%'`.execute(store.db);
    expect(rows).toEqual([{ id: 'cc03' }]);
  });

  async function placeIn(metering: Metering, usage: string): Promise<string> {
    await metering.start();
    ending.push(() => metering.stop());
    const { rows } = await sql<{ place: string }>`
      select place from usage_instance where not settled`.execute(store.db);
    expect(existsSync(join(usage, 'place'))).toBe(true);
    return rows[0]!.place;
  }
});
