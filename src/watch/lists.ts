/** What an account does with its watch-lists (D234). */
import { setImmediate as otherRequests } from 'node:timers/promises';
import { withAccount } from '../account/accounts.ts';
import { newId } from '../account/ids.ts';
import { latestChange } from '../changes/log.ts';
import type { Store } from '../db/connect.ts';
import type { PointWgs84 } from '../geo/point.ts';
import { RingSink, readWkb } from '../geo/wkb.ts';
import { Failure } from '../kernel/failures.ts';
import { storableText } from '../kernel/text.ts';
import type { MirrorId } from '../layers/keys.ts';
import { drawnPlace } from '../core/land/drawn-area.ts';
import type { SentArea } from '../core/land/drawn-area.ts';
import { KEY_BYTES, hexesOf, objectOf } from './keys.ts';
import { coveredBy } from './kinds.ts';
import type { KeyKind, WatchKind } from './kinds.ts';
import { WATCH_LIMITS } from './limits.ts';
import {
  countReceivers,
  countTests,
  deleteWatch,
  emitChange,
  firstCrossing,
  insertWatch,
  listWatches,
  readAreas,
  readKeyPage,
  readPolygonPage,
  readWatch,
  updateWatch,
} from './list-store.ts';
import type { ObjectPage, WatchName, WatchRow, WatchedObjects } from './list-store.ts';
import { PACK_OBJECTS } from './tasks.ts';
import { testOf } from './payload.ts';
import type { ComparerOptions } from './comparer.ts';

/** A UUID, a BFE number, `<ejerlav>-<matrikelnummer>`; a polygon as WKT or GeoJSON. */
export type SentObject = string | number | NonNullable<SentArea['geometri']>;

export interface NewWatch {
  readonly name: string;
  readonly kind: WatchKind;
  readonly objects: readonly SentObject[];
}

export interface ChangedWatch {
  readonly name?: string;
  readonly paused?: boolean;
  readonly objects?: readonly SentObject[];
}

export interface WatchList extends WatchRow {
  /** Registers of the kind that the account's keys may read. */
  readonly registers: readonly MirrorId[];
  /** Endpoints subscribed to its changes. */
  readonly receivers: number;
}

export type WatchLists = ReturnType<typeof createWatchLists>;

export type WatchListDeps = Pick<ComparerOptions, 'store' | 'clock' | 'workers' | 'onDue'>;

/** Each throws `not_found` for another account's list, `invalid_request` for objects. */
export function createWatchLists(deps: WatchListDeps) {
  const { store, clock } = deps;
  const { db } = store;
  const shown = async (accountId: string, rows: readonly WatchRow[]) => {
    const areas = (await readAreas(db, [accountId], clock.nowMs())).get(accountId) ?? new Set();
    const receivers = await countReceivers(db, accountId);
    return rows.map((row) => ({ ...row, registers: coveredBy(row.kind, areas), receivers }));
  };
  const one = async (name: WatchName, row: WatchRow | null): Promise<WatchList> => {
    const [list] = row === null ? [] : await shown(name.accountId, [row]);
    if (list === undefined) throw noSuchList();
    return list;
  };
  const found = async (name: WatchName) => await one(name, await readWatch(db, name));
  return {
    create: async (accountId: string, wanted: NewWatch) => {
      const id = await create(deps, accountId, wanted);
      return await found({ accountId, listId: id });
    },
    list: async (accountId: string): Promise<readonly WatchList[]> =>
      await shown(accountId, await listWatches(db, accountId)),
    read: async (name: WatchName, page: ObjectPage) => {
      const list = await found(name);
      return { list, objects: await objectsOf(deps, list, page) };
    },
    change: async (name: WatchName, { objects: sent, name: called, paused }: ChangedWatch) => {
      const { kind, paused: wasPaused } = await found(name);
      const objects = sent && (await readObjects(deps, kind, sent));
      const goesOn = wasPaused && paused === false;
      const atMs = clock.nowMs();
      const row = await db.transaction().execute(
        async (trx) =>
          await updateWatch(trx, name, {
            ...(called !== undefined && { name: storableText(called) }),
            ...(paused !== undefined && { paused }),
            ...(objects !== undefined && { objects }),
            ...(goesOn && { compared: (await latestChange(trx)).transaction }),
            atMs,
          }),
      );
      return await one(name, row);
    },
    remove: async (name: WatchName): Promise<void> => {
      if (!(await deleteWatch(db, name))) throw noSuchList();
    },
    /** Returns the number of receivers. Throws `conflict` when there are none. */
    test: async (name: WatchName) => await test(deps, await found(name)),
  };
}

async function create(
  deps: WatchListDeps,
  accountId: string,
  { name, kind, objects: sent }: NewWatch,
): Promise<string> {
  const { store, clock } = deps;
  const objects = await readObjects(deps, kind, sent);
  const id = newId('watch');
  await withAccount(store, accountId, async (db) => {
    const { perAccount } = WATCH_LIMITS;
    if ((await listWatches(db, accountId)).length >= perAccount) {
      throw new Failure('conflict', {
        code: 'watch_limit',
        error: `An account has at most ${perAccount} watch-lists: remove one first.`,
        errorDa: `En konto har højst ${perAccount} overvågningslister: fjern en først.`,
      });
    }
    const { transaction: compared } = await latestChange(db);
    const row = { id, accountId, name: storableText(name), kind, compared, atMs: clock.nowMs() };
    await insertWatch(db, row, objects);
  });
  return id;
}

const FORMS: Readonly<Record<KeyKind, readonly [en: string, da: string]>> = {
  adresse: ['the UUID of an address or a house number', 'en adresses eller et husnummers UUID'],
  bfe: ['a BFE number, 1 to 2147483647', 'et BFE-nummer, 1 til 2147483647'],
  jordstykke: [
    'a parcel as the code of its district and its number, such as 2000155-12a',
    'et jordstykke som ejerlavskode og matrikelnummer, for eksempel 2000155-12a',
  ],
};

/** Throws `invalid_request` with the first that cannot be read. */
async function readObjects(
  { workers, store }: WatchListDeps,
  kind: WatchKind,
  sent: readonly SentObject[],
): Promise<WatchedObjects> {
  const { objects, polygons } = WATCH_LIMITS;
  const most = kind === 'polygon' ? polygons : objects;
  if (sent.length > most) {
    throw refused(
      `objekter: ${sent.length} objects; a list of ${kind} may have ${most}`,
      `objekter: ${sent.length} objekter; en liste af ${kind} må have ${most}`,
    );
  }
  if (sent.length === 0) {
    throw refused(
      'objekter: a list has at least 1 object',
      'objekter: en liste har mindst 1 objekt',
    );
  }
  if (kind === 'polygon') return await readPolygons(store, sent);
  const texts = sent.map((each) => (typeof each === 'object' ? '' : each));
  const { keys, bad } = await workers.run(PACK_OBJECTS, { kind, objects: texts });
  if (bad === null) return { keys, count: keys.length / KEY_BYTES };
  const shown = JSON.stringify(sent[bad]).slice(0, 60);
  const [en, da] = FORMS[kind];
  throw refused(
    `objekter[${bad}] is not ${en}: ${shown}`,
    `objekter[${bad}] er ikke ${da}: ${shown}`,
  );
}

async function readPolygons(
  { db }: Pick<Store, 'db'>,
  sent: readonly SentObject[],
): Promise<WatchedObjects> {
  const wkbs: Uint8Array[] = [];
  const sink = new RingSink();
  for (const [at, each] of sent.entries()) {
    const wkb = polygonOf(each, at);
    readWkb(wkb, sink);
    if (sink.xy.length > 2 * WATCH_LIMITS.positions) throw tooManyPositions();
    wkbs.push(wkb);
    await otherRequests();
  }
  const crossing = await firstCrossing(db, wkbs);
  if (crossing === null) return { sent, wkbs };
  const { number, why } = crossing;
  throw refused(
    `objekter[${number - 1}]: the polygon crosses itself (${why})`,
    `objekter[${number - 1}]: polygonen krydser sig selv (${why})`,
  );
}

/** A frame of the country has its corners in the sea. */
function isWithin({ lon, lat }: PointWgs84): boolean {
  return lon > 0 && lon < 20 && lat > 50 && lat < 62;
}

function polygonOf(sent: SentObject, at: number): Uint8Array {
  try {
    const area = typeof sent === 'object' ? { geometri: sent } : { wkt: String(sent) };
    return drawnPlace(area, { areaM2: Infinity, isWithin }).wkb;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw refused(
      `objekter[${at}]: ${error.message}`,
      `objekter[${at}]: ${error.errorDa ?? error.message}`,
    );
  }
}

function tooManyPositions(): Failure {
  const { positions } = WATCH_LIMITS;
  return refused(
    `objekter: the polygons of a list may have ${positions} positions together`,
    `objekter: polygonerne på en liste må have ${positions} positioner tilsammen`,
  );
}

function refused(error: string, errorDa: string): Failure {
  const end = (text: string) => (text.endsWith('.') ? text : `${text}.`);
  const code = 'watch_object';
  return new Failure('invalid_request', { code, error: end(error), errorDa: end(errorDa) });
}

async function objectsOf(
  { store }: WatchListDeps,
  { id, kind }: WatchRow,
  page: ObjectPage,
): Promise<readonly unknown[]> {
  if (kind === 'polygon') return await readPolygonPage(store.db, id, page);
  const keys = await readKeyPage(store.db, id, page);
  return hexesOf(keys).map((hex) => objectOf(kind, hex));
}

async function test({ store, clock, onDue }: WatchListDeps, list: WatchList): Promise<number> {
  const { limit, windowMs } = WATCH_LIMITS.tests;
  const { accountId } = list;
  const nowMs = clock.nowMs();
  let made = 0;
  await withAccount(store, accountId, async (db) => {
    if ((await countTests(db, accountId, nowMs - windowMs)) >= limit) {
      throw new Failure('rate_limited', {
        error: `At most ${limit} tests of an account in ${windowMs / 1000} seconds.`,
        errorDa: `Højst ${limit} prøver fra en konto på ${windowMs / 1000} sekunder.`,
        retryAfterS: windowMs / 1000,
      });
    }
    made = await emitChange(db, accountId, testOf(list, nowMs), nowMs);
  });
  if (made === 0) {
    throw new Failure('conflict', {
      code: 'watch_without_webhook',
      error:
        'No enabled webhook of the account hears of changes on watch-lists: register one first.',
      errorDa:
        'Ingen aktiv webhook på kontoen får besked om overvågningslister: registrér en først.',
    });
  }
  onDue();
  return made;
}

export function noSuchList(): Failure {
  return new Failure('not_found', {
    error: 'The account has no such watch-list.',
    errorDa: 'Kontoen har ingen sådan overvågningsliste.',
  });
}
