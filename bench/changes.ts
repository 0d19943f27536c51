/**
 * What the log of changes costs a publication of a table (`--rows`, of which a tenth changes), and how fast one reader
 * gets events, beside `COPY` of the same rows.
 */
import pg from 'pg';
import { sql } from 'kysely';
import { readFeed } from '../src/changes/feed.ts';
import { CHANGE_LIMITS } from '../src/changes/limits.ts';
import { latestChange } from '../src/changes/log.ts';
import type { Store } from '../src/db/connect.ts';
import { ADDRESSES } from '../src/layers/keys.ts';
import { REGISTERS_CATALOGUE } from '../src/registers.ts';
import { feedLines } from '../src/http/v1/aendringer/render.ts';
import { logChanges } from '../sync/changes.ts';
import { openStep } from '../sync/history.ts';
import { advance, queueUp } from '../sync/version.ts';
import { interleave, median } from './harness/measure.ts';
import { numberOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openMigrated, openPostgres } from './harness/store.ts';

const ROWS = 200_000;
/** One in so many rows changes. */
const SHARE = 20;
const ROUNDS = 5;

/** Rows for the table of `npm run bench`. */
export async function benchChanges(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const data = await openPostgres(cleanup);
  const store = await openMigrated(cleanup, data);
  await fill(store, numberOption('rows', ROWS));
  const { withLog, without } = await interleave(
    {
      withLog: (round) => publish(store, round, true),
      without: (round) => publish(store, round, false),
    },
    { rounds: ROUNDS, warmUps: 1 },
  );
  const each = row('a publication of a table, its changes logged', median(withLog), 'ms', {
    beside: ['the same without the log', median(without)],
    ratioGate: '<= 1.15 (goal 1.03)',
  });
  // The log began anew with the last publication that logged nothing.
  for (let round = 0; round < ROUNDS; round += 1) await publish(store, 100 + round, true);
  return [each, await readingRow(store, data.databaseUrl)];
}

async function fill({ db }: Store, count: number): Promise<void> {
  await sql`
    insert into address_unit (id, status, access_id, floor, door, designation, registered_from, valid_from)
    select md5('u' || n)::uuid, 3, md5('a' || n / 4)::uuid, (n % 5)::text, 'tv',
      'Opdigtergade ' || n / 4 || ', ' || n % 5 || '. tv, 0093 Midtprøve', now(), now()
    from generate_series(1, ${count}::integer) n`.execute(db);
  await db.transaction().execute((trx) => stepTo(trx, true, null));
  await sql`analyze`.execute(db);
}

const counted = sql`select count(*)::integer as row_count, 0 as area_m2 from address_unit`;

async function stepTo(trx: Store['db'], isLogged: boolean, step: number | null): Promise<void> {
  const nowMs = Date.now();
  const publication = await advance(trx, ADDRESSES, {
    ...{ nowMs, syncedAtMs: nowMs, heldBy: null, sourceRows: null, counted },
  });
  const register = REGISTERS_CATALOGUE.registers[ADDRESSES];
  if (isLogged) await logChanges(trx, { publication, step, nowMs, register });
}

/** As a total does it: a new table, what it replaces, and one transaction. Milliseconds. */
async function publish({ db }: Store, round: number, isLogged: boolean): Promise<number> {
  const beganMs = performance.now();
  const door = `${isLogged ? 'l' : 'u'}${round + ROUNDS}`;
  await sql`create table next (like address_unit including constraints)`.execute(db);
  await sql`
    insert into next select * from address_unit`.execute(db);
  await sql`
    update next set door = ${door} where hashtext(id::text) % ${SHARE}::integer = 0`.execute(db);
  await sql`alter table next add primary key (id)`.execute(db);
  await sql`create index next_access on next (access_id)`.execute(db);
  await sql`
    create table undo as select n.id, l::text as was from address_unit l join next n on n.id = l.id
    where row(l.*) is distinct from row(n.*)`.execute(db);
  await db.transaction().execute(async (trx) => {
    await queueUp(trx);
    const step = await openStep(trx, ADDRESSES);
    await sql`
      insert into address_history (version, entity, id, was)
      select ${step}::bigint, 'Adresse', id::text, was from undo`.execute(trx);
    await sql`drop table address_unit`.execute(trx);
    await sql`alter table next rename to address_unit`.execute(trx);
    await sql`alter index next_pkey rename to address_unit_pkey`.execute(trx);
    await sql`alter index next_access rename to address_unit_access`.execute(trx);
    await stepTo(trx, isLogged, step);
  });
  await sql`drop table undo`.execute(db);
  return performance.now() - beganMs;
}

/** Events of the last logged publications, beside the rows that they are made of. */
async function readingRow({ db }: Store, databaseUrl: string): Promise<BenchRow> {
  const { schema } = REGISTERS_CATALOGUE.registers[ADDRESSES];
  const source = { db, schemas: new Map([[ADDRESSES, schema]]), naming: 'told' as const };
  const { event: last } = await latestChange(db);
  const rates: number[] = [];
  const copies: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.push(await eventsPerSecond(source, last));
    copies.push(await copiedPerSecond(databaseUrl));
  }
  return row('events a second to one reader', median(rates), '/s', {
    beside: ['COPY of the same rows', median(copies)],
    ratioGate: '>= 0.2 (goal 0.5)',
  });
}

async function eventsPerSecond(
  source: Parameters<typeof readFeed>[0],
  last: number,
): Promise<number> {
  const beganMs = performance.now();
  let [events, chars] = [0, 0];
  for (let afterEvent = 1; afterEvent < last;) {
    const feed = await readFeed(source, {
      ...{ registers: [ADDRESSES], afterEvent, limit: CHANGE_LIMITS.events.max },
    });
    chars += feedLines(feed).length;
    events += feed.events;
    afterEvent = feed.next;
  }
  if (chars === 0) throw new Error('There are no events.');
  return (1_000 * events) / (performance.now() - beganMs);
}

/** The row before and the row after of each event, as `COPY` gives them. */
async function copiedPerSecond(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const beganMs = performance.now();
    const { rowCount } = await client.query(
      `copy (select e.event, e.operation, e.key, h.was, t::text from change_event e
         join address_history h on h.version = e.version and h.entity = e.entity and h.id = e.key
         join address_unit t on t.id = e.key::uuid) to '/dev/null'`,
    );
    return (1_000 * (rowCount ?? 0)) / (performance.now() - beganMs);
  } finally {
    await client.end();
  }
}
