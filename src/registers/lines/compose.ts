/** Puts the lookups of lines together: memory, the store, and their registers live. */
import { probedClock } from '../../db/store-clock.ts';
import { sourceNameOf } from '../../answers/sources.ts';
import type { Composed, RegisterParts } from '../../core/register.ts';
import { lineLabels, writtenWith } from './answer.ts';
import type { WrittenLines } from './answer.ts';
import { createBuildingLines } from './lookup.ts';
import type { BuildingLines } from './lookup.ts';
import { createLineOrigin, isLiveWith } from './origin.ts';
import { createLinePages, lineThreads } from './pages.ts';
import type { LinePages } from './pages.ts';
import { LINE_SOURCES } from './sources.ts';
import { readLines } from './store.ts';
import { MEASURE_WINDOW } from './window.ts';

export interface LineLookups extends WrittenLines {
  readonly buildingLines: BuildingLines;
  /** Writes large batches in threads; absent: the request thread does. */
  readonly linePages?: LinePages;
}

export function composeLines(parts: RegisterParts): Composed<LineLookups> {
  const { catalogue, clock, onExpired, lands, watcher, searchRadiusM, store, workers } = parts;
  const common = {
    ...{ catalogue, clock, onExpired, lands, watcher, searchRadiusM },
    memory: parts.layers,
    isLive: isLiveWith(parts.keys),
  };
  const labels = lineLabels(catalogue, sourceNameOf(LINE_SOURCES, parts));
  const lookups: LineLookups = {
    ...writtenWith(labels),
    buildingLines: createBuildingLines({
      ...common,
      readStore: (question) => readLines(store, question),
      askOrigin: createLineOrigin({
        ...parts,
        clock: probedClock(store, clock),
        measureWindow: (task, signal) => workers.run(MEASURE_WINDOW, task, signal),
      }),
    }),
    linePages: createLinePages({ ...common, threads: lineThreads(workers) }),
  };
  return {
    lookups,
  };
}
