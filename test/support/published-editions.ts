/** A loader of two layers whose versions are a number each: the one of the generation that published it. */
import { PublishedLoader } from '../../src/core/loading/published-loader.ts';
import type { Published } from '../../src/layers/published-copy.ts';
import type { MemoryThreads } from '../../src/core/memory-index.ts';

export const EDITED = ['skov', 'dige'] as const;
export type Edited = (typeof EDITED)[number];

export interface Editions {
  readonly generation: number;
  readonly shown: Readonly<Record<Edited, number | undefined>>;
}

/** Each generation publishes the layer whose turn it is; before its first, a layer is published by 0. */
export function editionsAt(generation: number): Editions['shown'] {
  const lastOf = (turn: number): number => {
    const last = generation - ((generation + turn) % EDITED.length);
    return last > 0 ? last : 0;
  };
  return { skov: lastOf(0), dige: lastOf(1) };
}

export function publishedAt(generation: number): Published<Edited> {
  const editions = editionsAt(generation);
  const versions = EDITED.map((layer) => ({
    ...{ layer, version: editions[layer] ?? 0, publishedAtMs: editions[layer] ?? 0 },
    ...{ syncedAtMs: 0, held: false },
  }));
  return { generation, versions, refused: [] };
}

export type EditionsLoader = PublishedLoader<Edited, number, Editions>;

interface Settings {
  readonly directory: string;
  /** The last generation; followers do not ask. */
  readonly generation: () => number;
  readonly threads: MemoryThreads;
}

export function editionsLoader({ directory, generation, threads }: Settings): EditionsLoader {
  const numberIn = (buffer: SharedArrayBuffer): number => new Int32Array(buffer)[0] ?? -1;
  return new PublishedLoader<Edited, number, Editions>(
    {
      ...{ mirrors: EDITED, name: 'editions', manifest: 'editions.json', ending: 'idx' },
      ...{ keepsOlder: false, isAwaited: true },
      readPublished: () => Promise.resolve(publishedAt(generation())),
      build: ({ version }) => {
        const buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
        new Int32Array(buffer)[0] = version;
        return Promise.resolve(buffer);
      },
      open: (_wanted, buffer) => numberIn(buffer),
      copiesOf: () => [],
      serve: (loaded, published) => ({
        generation: published.generation,
        shown: { skov: loaded.get('skov')?.opened, dige: loaded.get('dige')?.opened },
      }),
    },
    { directory, storeName: 'test', log: () => undefined, threads },
  );
}
