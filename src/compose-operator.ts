/** Puts together what operators see and do: the desk, the counts of lookups, snapshot files. */
import type { Clock } from './kernel/clock.ts';
import type { Store } from './db/connect.ts';
import type { Services } from './http/services.ts';
import { allLayers } from './layers/catalogue.ts';
import type { Catalogue } from './layers/catalogue.ts';
import type { Watcher } from './lookups/answers.ts';
import type { AuditView } from './lookups/snapshot-audit.ts';
import type { KeeperView, PublishedVersion } from './lookups/snapshot-keeper.ts';
import { ADDRESSES } from './layers/keys.ts';
import { createOperatorDesk } from './ops/desk.ts';
import type { LookupTally } from './ops/metrics.ts';
import type { Operations } from './ops/operations.ts';
import type { MemoryView } from './ops/overview.ts';
import { readPublished } from './ops/published.ts';
import type { HostGate } from './wfs/hosts.ts';
import { UpstreamFailure } from './wfs/failure.ts';

export interface OperatorParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly keys: Readonly<Partial<Record<string, string>>>;
  readonly tally: LookupTally;
  readonly gate: HostGate;
  /** null: no sync runs in this process. */
  readonly operations: Operations | null;
  /** null: lookups do not answer from memory here. */
  readonly memory: { view(): KeeperView } | null;
  /** The book of addresses in service; null: none is. */
  readonly addresses: () => { readonly buffer: SharedArrayBuffer } | null;
  /** What holds memory against the store; null: nothing does. */
  readonly audit: { view(): AuditView } | null;
  readonly flatGeobufPath: ((version: PublishedVersion) => string) | null;
}

export function composeOperator(parts: OperatorParts): Pick<Services, 'operator' | 'snapshotFile'> {
  const { store, clock, catalogue, keys, tally, gate, operations, flatGeobufPath } = parts;
  const hosts = [...new Set(allLayers(catalogue).map(({ source }) => source.host))];
  const operator = createOperatorDesk({
    store,
    catalogue,
    clock,
    tally,
    operations,
    keyedHosts: new Set(Object.keys(keys)),
    hosts: () => hosts.map((host) => ({ host, ...gate.view(host) })),
    memory: () => memoryView(parts),
  });
  if (flatGeobufPath === null) return { operator };
  return {
    operator,
    snapshotFile: async (layer) => {
      const { versions } = await readPublished(store);
      const found = versions.find((each) => each.layer === layer);
      return found === undefined ? null : { path: flatGeobufPath(found), version: found.version };
    },
  };
}

/** Snapshots and the book of addresses: what answers without the store. */
function memoryView({ memory, addresses, audit }: OperatorParts): MemoryView | null {
  if (memory === null) return null;
  const view = memory.view();
  const book = addresses();
  return {
    ...view,
    layers: book === null ? view.layers : [...view.layers, ADDRESSES],
    bytes: view.bytes + (book?.buffer.byteLength ?? 0),
    audit: audit?.view() ?? null,
  };
}

/** Counts for operators what lookups tell. */
export function watcherOf(tally: LookupTally): Watcher {
  return {
    answered: (layer, by, times) => tally.answered(layer, by, times),
    originFailed: (layer, error) => {
      tally.originFailed(layer, error instanceof UpstreamFailure ? error.kind : 'other');
    },
  };
}
