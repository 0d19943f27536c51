/** Puts the lookups of lines together: memory, the store, and their registers live. */
import { sourceNameOf } from '../../answers/sources.ts';
import type { RegisterParts, ServedRegister } from '../../core/register.ts';
import { lineLabels } from './answer.ts';
import { LINES_DOCUMENT } from './document.ts';
import { createBuildingLines } from './lookup.ts';
import type { BuildingLines } from './lookup.ts';
import { createLineOrigin } from './origin.ts';
import { createLinePages, lineThreads } from './pages.ts';
import type { LinePages } from './pages.ts';
import { naturRoutes } from './routes.ts';
import { LINE_SOURCES } from './sources.ts';
import { readLines } from './store.ts';
import { MEASURE_WINDOW } from './window.ts';

export interface LineLookups {
  readonly buildingLines: BuildingLines;
  readonly linePages: LinePages;
}

export function composeLines(parts: RegisterParts): ServedRegister<LineLookups> {
  const { catalogue, clock, onExpired, lands, watcher, searchRadiusM, store, workers } = parts;
  const common = {
    ...{ catalogue, clock, onExpired, lands, watcher, searchRadiusM },
    memory: parts.layers,
  };
  const lookups = {
    buildingLines: createBuildingLines({
      ...common,
      readStore: (question) => readLines(store, question),
      askOrigin: createLineOrigin({
        ...parts,
        measureWindow: (task, signal) => workers.run(MEASURE_WINDOW, task, signal),
      }),
    }),
    linePages: createLinePages({ ...common, threads: lineThreads(workers) }),
  };
  const labels = lineLabels(catalogue, sourceNameOf(LINE_SOURCES, parts));
  return {
    name: 'lines',
    lookups,
    document: LINES_DOCUMENT,
    routes: (app, plain) => naturRoutes(app, { ...lookups, labels }, plain),
    hosts: [],
    stop: () => Promise.resolve(),
  };
}
