/** Rooms that import one another, directly or by way of others; and imports that name one register. */
import type { Source } from './tree.ts';

/** `src/<room>/…`, `src/<file>`, or the first folder. */
function roomOf(path: string): string {
  const [first = '', second = ''] = path.split('/');
  return first === 'src' ? second : first;
}

/** Rooms that are part of a circle, by the imports given of each file. */
export function roomsInCircles(
  sources: readonly Source[],
  importsOf: (source: Source) => readonly string[],
): string[] {
  const next = new Map<string, Set<string>>();
  for (const source of sources) {
    const from = roomOf(source.path);
    const targets = next.get(from) ?? new Set();
    for (const target of importsOf(source))
      if (roomOf(target) !== from) targets.add(roomOf(target));
    next.set(from, targets);
  }
  const reached = (room: string): Set<string> => {
    const seen = new Set<string>();
    const waiting = [...(next.get(room) ?? [])];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      waiting.push(...(next.get(at) ?? []));
    }
    return seen;
  };
  return [...next.keys()].filter((room) => reached(room).has(room));
}

/** May name every register: the one list, and what answers clients of DAWA (docs/code-map.md). */
const OF_ALL = /^src\/(registers\.ts$|http\/dawa\/)/;

export function registerImports(sources: readonly Source[]): number {
  const isOfRegister = (path: string): boolean => /^(src|sample)\/registers\/[^/]+\//.test(path);
  return sources
    .filter(({ path }) => !OF_ALL.test(path) && !isOfRegister(path))
    .flatMap(({ imports }) => imports.filter((path) => /^src\/registers\/[^/]+\//.test(path)))
    .length;
}
