/** Puts the memory rung together: published versions from the store, snapshot files, a thread. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { once } from 'node:events';
import type { Kysely } from 'kysely';
import type { Store } from '../db/connect.ts';
import type { Database } from '../db/tables.generated.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import { layerOf } from '../layers/catalogue.ts';
import type { LayerId } from '../layers/keys.ts';
import { isAreaId, isLineKey } from '../layers/keys.ts';
import { SnapshotKeeper } from '../memory/snapshot-keeper.ts';
import type { PublishedVersion } from '../memory/snapshot-keeper.ts';
import { readManifest, saveManifest } from '../memory/snapshot-manifest.ts';
import { readPublished } from '../ops/published.ts';
import { exportFeatures, exportZoneEdges } from '../registers/building-lines/export.ts';
import { exportAreas } from '../registers/dagi/export.ts';
import { SnapshotRefused } from '../snapshot/format.ts';
import { loadSnapshot } from '../snapshot/files.ts';
import type { BuildSnapshotMessage } from '../snapshot/build-task.ts';
import type { Workers } from '../../workers/pool.ts';

export interface SnapshotOptions {
  readonly store: Pick<Store, 'db'>;
  readonly workers: Workers;
  readonly catalogue: Catalogue;
  /** Where snapshot files live. */
  readonly directory: string;
  /** Which store this is, to tell its files from another's. Not secret. */
  readonly storeName: string;
  readonly log: (message: string) => void;
}

export interface Snapshots {
  readonly keeper: SnapshotKeeper;
  /** The FlatGeobuf file of a published version; it may not be there yet. */
  flatGeobufPath(version: PublishedVersion): string;
}

/** The keeper, not yet started. */
export function composeSnapshots(options: SnapshotOptions): Snapshots {
  const { store, workers, catalogue, directory, storeName, log } = options;
  const manifest = { path: join(directory, 'published.json'), store: storeName };
  const pathOf = (wanted: PublishedVersion, ending: string): string =>
    join(directory, `${stem(wanted)}.${ending}`);
  const keeper = new SnapshotKeeper({
    readPublished: () => readPublished(store),
    load: async (wanted) => {
      try {
        return await loadSnapshot(pathOf(wanted, 'idx'));
      } catch (error) {
        if (error instanceof SnapshotRefused) log(`${wanted.layer}: ${error.message}`);
        return null;
      }
    },
    build: async (wanted, signal) => {
      await mkdir(directory, { recursive: true });
      const { port1, port2 } = new MessageChannel();
      const built = workers.buildSnapshot(
        {
          port: port2,
          layer: wanted.layer,
          geometry: layerOf(catalogue, wanted.layer).geometry,
          version: wanted.version,
          files: { flatGeobuf: pathOf(wanted, 'fgb'), engine: pathOf(wanted, 'idx') },
        },
        signal,
      );
      // A task that never began holds the other end: closing ours ends the sending.
      built.catch(() => port1.close());
      const sent = sendRows(store, wanted, port1);
      const [whole, result] = await Promise.allSettled([sent, built]);
      port1.close();
      if (whole.status === 'fulfilled' && !whole.value) return null;
      // Either end failing fails the other: the thread knows why it could not go on.
      if (result.status === 'rejected' && whole.status === 'rejected') {
        throw new Error(`${String(result.reason)} (${String(whole.reason)})`);
      }
      if (result.status === 'rejected') throw result.reason;
      if (whole.status === 'rejected') throw whole.reason;
      return result.value.buffer;
    },
    recall: () => readManifest(manifest, (why) => log(`${manifest.path} is not used: ${why}.`)),
    remember: async (published) => {
      await mkdir(directory, { recursive: true });
      await saveManifest(manifest, published);
    },
    tidy: async (kept) => {
      const stems = new Map<string, string>(kept.map((each) => [each.layer, stem(each)]));
      for (const name of await readdir(directory)) {
        const [, of, layer = ''] = SNAPSHOT_NAME.exec(name) ?? [];
        const wanted = stems.get(layer);
        if (wanted === undefined || wanted === of) continue;
        await rm(join(directory, name), { force: true });
      }
    },
    log,
  });
  return { keeper, flatGeobufPath: (wanted) => pathOf(wanted, 'fgb') };
}

/** Files of a version, unfinished ones included: what it is of, and of which layer. */
const SNAPSHOT_NAME = /^((\w+)-v\d+-\d+)\.(?:idx|fgb)(?:\.\w+\.part)?$/;

function stem({ layer, version, publishedAtMs }: PublishedVersion): string {
  return `${layer}-v${version}-${publishedAtMs}`;
}

/** A name for the store: its address without who asks and how, or the embedded one. */
export function storeNameOf(databaseUrl: string | null): string {
  if (databaseUrl === null) return 'embedded';
  const { hostname, port, pathname, searchParams } = new URL(databaseUrl);
  const where = [searchParams.get('host') ?? hostname, port, pathname];
  return createHash('sha256').update(where.join(' ')).digest('hex').slice(0, 16);
}

/** Sends every row of the version through the port; false when the store holds another version. */
async function sendRows(
  store: Pick<Store, 'db'>,
  wanted: PublishedVersion,
  port: MessagePort,
): Promise<boolean> {
  const failed = once(port, 'close').then(() => {
    throw new Error('The thread ended.');
  });
  failed.catch(() => undefined);
  const send = async (message: BuildSnapshotMessage): Promise<void> => {
    port.postMessage(message);
    await Promise.race([once(port, 'message'), failed]);
  };
  try {
    // A thread may be long in coming, and a transaction must not stand open for it.
    await Promise.race([once(port, 'message'), failed]);
    return await store.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        const now = await readPublished({ db: trx });
        const found = now.versions.find(({ layer }) => layer === wanted.layer);
        const isSame =
          found?.version === wanted.version && found.publishedAtMs === wanted.publishedAtMs;
        if (isSame) await sendLayer(trx, wanted.layer, send);
        port.postMessage({ kind: isSame ? 'end' : 'abort' } satisfies BuildSnapshotMessage);
        return isSame;
      });
  } catch (error) {
    port.postMessage({ kind: 'abort' } satisfies BuildSnapshotMessage);
    throw error;
  }
}

async function sendLayer(
  trx: Kysely<Database>,
  layer: LayerId,
  send: (message: BuildSnapshotMessage) => Promise<void>,
): Promise<void> {
  if (isAreaId(layer)) {
    for await (const rows of exportAreas(trx, layer)) await send({ kind: 'features', rows });
  } else if (isLineKey(layer)) {
    for await (const rows of exportFeatures(trx, layer)) await send({ kind: 'features', rows });
    for await (const edges of exportZoneEdges(trx, layer)) await send({ kind: 'edges', edges });
  }
}
