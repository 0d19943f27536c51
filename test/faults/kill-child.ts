/**
 * A sync in a process of its own that dies where it is told: at a phase, at a statement, or whenever
 * its parent pleases. Kill -9 on itself: nothing of the product is asked to help.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openStore } from '../../src/db/connect.ts';
import type { Store } from '../../src/db/connect.ts';
import { storeNameOf } from '../../src/db/store-name.ts';
import { createDownloads } from '../../src/downloads/client.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createPropertyLoader } from '../../src/registers/property/load.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import { syncLayer } from '../../sync/run.ts';
import { SAMPLE_API_KEY, sampleCatalogue } from '../../sample/catalogue.ts';
import { createWorkers } from '../../workers/pool.ts';
import type { Workers } from '../../src/core/tasks/workers.ts';
import type { ParsePageTask } from '../../src/wfs/page.ts';
import { OVER, RECORDS } from './kill-terms.ts';
import type { ChildOrder, ChildReport, KillAt } from './kill-terms.ts';

const log = { error: () => undefined, warn: () => undefined, info: () => undefined };

const say = (report: ChildReport): void => {
  process.send?.(report);
};

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal is on its way: nothing else may happen meanwhile.
  for (;;);
}

function watchStatements(at: KillAt): () => number {
  let sent = 0;
  const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown;
  const watched = function (this: pg.Client, ...args: unknown[]): unknown {
    sent += 1;
    const isIt = at.kind === 'statement' && at.number === sent;
    if (isIt && at.moment === 'before') die();
    const result = query.apply(this, args);
    if (isIt) die();
    return result;
  };
  Reflect.set(pg.Client.prototype, 'query', watched);
  return () => sent;
}

async function run(order: ChildOrder, workers: Workers): Promise<void> {
  const { layer, upstreamUrl, databaseUrl, dataDir, trace, at } = order;
  const statements = watchStatements(at);
  const store = await openStore({ databaseUrl, dataDir, purpose: 'sync', log });
  const startedMs = performance.now();
  let reports = 0;
  writeFileSync(trace, 'claim');
  say({ kind: 'begun' });
  const outcome = await syncLayer(
    {
      store,
      workers,
      wfs: createWfsClient(),
      downloads: createDownloads({
        dir: mkdtempSync(join(dataDir, 'downloads-')),
        clock: systemClock,
      }),
      catalogue: sampleCatalogue(upstreamUrl),
      keys: {
        ...{ cadastre: SAMPLE_API_KEY, dagi: SAMPLE_API_KEY },
        'datafordeler-files': SAMPLE_API_KEY,
      },
      clock: systemClock,
      log,
    },
    layer,
    {
      trigger: 'command',
      onProgress: ({ phase }) => {
        writeFileSync(trace, phase);
        reports += 1;
        if (at.kind === 'phase' && at.phase === phase) die();
        if (at.kind === 'report' && at.number === reports) die();
      },
    },
  );
  if (order.records !== null) {
    writeFileSync(trace, RECORDS);
    if (at.kind === 'records') setTimeout(die, at.afterMs);
    await buildRecords(order.records, { store, workers, databaseUrl });
  }
  writeFileSync(trace, OVER);
  const ms = performance.now() - startedMs;
  say({ kind: 'ended', state: outcome.state, statements: statements(), reports, ms });
}

/** As the service does when it is told of a publication. */
async function buildRecords(
  directory: string,
  {
    databaseUrl,
    ...by
  }: Pick<ChildOrder, 'databaseUrl'> & { readonly store: Store; readonly workers: Workers },
): Promise<void> {
  const place = { directory, storeName: storeNameOf(databaseUrl), log: () => undefined };
  await createPropertyLoader({ clock: systemClock, ...by, ...place }).refresh();
}

/** The thread has read its code before a run begins: its start is not what is tried. */
async function warmWorkers(): Promise<Workers> {
  const workers = createWorkers({ threads: 1 });
  const page: ParsePageTask = {
    layer: 'soe',
    mapping: 'portal',
    geometryKind: 'area',
    format: 'geojson',
    typeName: 'none',
    geometryProperty: 'Shape',
    keyProperty: 'Objekt_id',
    srsName: 'EPSG:25832',
    dagiScale: null,
    bytes: Buffer.from('<not a page/>'),
  };
  await workers.parsePage(page).catch(() => undefined);
  return workers;
}

const workers = await warmWorkers();
process.on('message', (order: ChildOrder) => {
  run(order, workers).catch((error: unknown) => {
    say({ kind: 'broken', reason: String(error) });
  });
});
// The only good end: what was compiled is kept for the children that follow.
process.on('disconnect', () => {
  void workers.close().then(() => process.exit());
});
say({ kind: 'ready' });
