import type { Register, Composed, RegisterParts } from '../../core/register.ts';
import type { LineLookups } from './pages.ts';
import { NATUR_SCHEMAS, LINE_QUESTIONS } from './questions.ts';
import { LINES_IN_MEMORY } from './layers.ts';
import { LINE_LAYERS } from './mirror.ts';
import { sourceNameOf } from '../../answers/sources.ts';
import { lineLabels, writtenWith } from './answer.ts';
import { createBuildingLines } from './lookup.ts';
import { createLineOrigin, isLiveWith } from './origin.ts';
import { createLinePages, lineThreads } from './pages.ts';
import { LINE_SOURCES } from './sources.ts';
import { readLines } from './store.ts';
import { MEASURE_WINDOW } from './window.ts';

export const lines: Register<LineLookups> = {
  name: 'lines',
  joins: [],
  mirrors: Object.values(LINE_LAYERS),
  layers: LINES_IN_MEMORY,
  document: {
    tags: [{ name: 'natur', description: 'Building lines and protected nature' }],
    schemas: NATUR_SCHEMAS,
    folder: import.meta.dirname,
  },
  questions: LINE_QUESTIONS,
  compose: composeLines,
};

function composeLines(parts: RegisterParts): Composed<LineLookups> {
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
        measureWindow: (task, signal) => workers.run(MEASURE_WINDOW, task, signal),
      }),
    }),
    linePages: createLinePages({ ...common, threads: lineThreads(workers) }),
  };
  return { lookups };
}
