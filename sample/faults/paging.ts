/** Faults of counting and paging: answers that look whole and are not. */
import type { SampleFeature } from '../data/feature.ts';
import { valueText } from '../data/feature.ts';
import { hashText } from '../data/random.ts';
import type { Fault, FaultContext } from './stages.ts';

export const PAGING_FAULTS = {
  'empty-collection': {
    title: 'no features and numberMatched 0, as from an emptied table',
    operations: ['features', 'hits'],
    all: () => [],
  },
  'empty-page': {
    title: 'pages without features though the count says there are some',
    operations: ['features'],
    page: () => [],
    counts: (counts) => ({ ...counts, returned: 0 }),
  },
  'wrong-count': {
    title: 'numberMatched off by some',
    valueIs: 'features too many (negative: too few)',
    defaultValue: 3,
    operations: ['features', 'hits'],
    counts: (counts, { value }) => ({
      ...counts,
      matched: counts.matched === 'unknown' ? 'unknown' : Math.max(0, counts.matched + value),
    }),
  },
  'wrong-hits': {
    title: 'the hit count says 0 though the pages hold features',
    operations: ['hits'],
    counts: (counts) => ({ ...counts, matched: 0 }),
  },
  'hits-off': {
    title: 'the hit count alone is off by some',
    valueIs: 'features too many (negative: too few)',
    defaultValue: 3,
    operations: ['hits'],
    counts: (counts, { value }) => ({
      ...counts,
      matched: counts.matched === 'unknown' ? 'unknown' : Math.max(0, counts.matched + value),
    }),
  },
  'unknown-count': {
    title: 'numberMatched="unknown", as MapServer says',
    operations: ['features', 'hits'],
    counts: (counts) => ({ ...counts, matched: 'unknown' }),
  },
  'wrong-returned': {
    title: 'numberReturned off by some',
    valueIs: 'features too many (negative: too few)',
    defaultValue: 1,
    operations: ['features'],
    counts: (counts, { value }) => ({ ...counts, returned: counts.returned + value }),
  },
  'repeated-feature': {
    title: 'each page begins with the last feature of the page before; the count stays right',
    operations: ['features'],
    page: (page, _, { all, query }) => {
      const before = query.startIndex > 0 ? all[query.startIndex - 1] : undefined;
      return before === undefined ? page : [before, ...page.slice(0, -1)];
    },
  },
  'doubled-feature': {
    title: 'the first feature of a page stands there twice, the last is left out',
    operations: ['features'],
    page: (page) => {
      const [first] = page;
      return first === undefined || page.length < 2 ? page : [first, ...page.slice(0, -1)];
    },
  },
  'shuffled-order': {
    title: 'another order at each request: duplicates and holes while the count is right',
    operations: ['features'],
    all: (all, { random }) => shuffled(all, random),
  },
  'order-within-page': {
    title: 'sorted only inside each page; the pages are cut from an order of its own',
    operations: ['features'],
    all: (all) => inOwnOrder(all),
    page: (page) => [...page].sort((a, b) => (a.id < b.id ? -1 : 1)),
  },
  'short-pages': {
    title: 'fewer features than asked for, long before the last page',
    valueIs: 'features left out of each page',
    defaultValue: 5,
    operations: ['features'],
    query: (query, { value }) => ({
      ...query,
      count: query.count === null ? null : Math.max(1, query.count - value),
    }),
  },
  'capped-pages': {
    title: 'the server lowers its largest page, and announces it as CountDefault',
    valueIs: 'largest page',
    defaultValue: 10,
    countDefault: ({ value }) => value,
  },
  'start-ignored': {
    title: 'startIndex is ignored: every page is the first',
    operations: ['features'],
    query: (query) => ({ ...query, startIndex: 0 }),
  },
  'count-ignored': {
    title: 'count is ignored: every page is everything from startIndex on',
    operations: ['features'],
    query: (query) => ({ ...query, count: null }),
  },
  'changed-midway': {
    title: 'features vanish between the first page and the next',
    valueIs: 'features that vanish',
    defaultValue: 2,
    operations: ['features', 'hits'],
    all: (all, { value }, query) => (query.startIndex > 0 ? all.slice(value) : all),
  },
  'replaced-midway': {
    title: 'features vanish between the first page and the next, and as many new ones appear',
    valueIs: 'features replaced',
    defaultValue: 2,
    operations: ['features', 'hits'],
    all: (all, { value }, query) =>
      query.startIndex > 0
        ? [...all.slice(value), ...all.slice(-Math.min(value, all.length)).map(renamed)]
        : all,
  },
  'own-order': {
    title: 'sortBy is ignored: features come in an order of the server’s own',
    operations: ['features'],
    all: (all) => inOwnOrder(all),
  },
  'moved-midway': {
    title: 'in an order of its own, rows vanish, and as many others move to where those were',
    valueIs: 'rows that move',
    defaultValue: 1,
    operations: ['features'],
    all: (all, { value }) => {
      const own = inOwnOrder(all);
      const kept = own.slice(value);
      return [...kept.slice(-value), ...kept.slice(0, -value), ...own.slice(0, value).map(renamed)];
    },
  },
  'sudden-drop': {
    title: 'only a share of the features is still there, the same ones every time',
    defaultShare: 0.5,
    operations: ['features', 'hits'],
    all: (all, { share, randomFor }) => all.filter(({ id }) => randomFor(id).next() < share),
  },
  'sudden-growth': {
    title: 'every feature is there once more under a new identity',
    operations: ['features', 'hits'],
    all: (all) => [...all, ...all.map(renamed)],
  },
} as const satisfies Record<string, Fault>;

function inOwnOrder(all: readonly SampleFeature[]): readonly SampleFeature[] {
  return [...all].sort((a, b) => hashText(a.id) - hashText(b.id));
}

function shuffled(
  all: readonly SampleFeature[],
  random: FaultContext['random'],
): readonly SampleFeature[] {
  return all
    .map((feature) => ({ feature, rank: random.next() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ feature }) => feature);
}

/** The same thing under keys of its own: texts get a tail, whole numbers an offset. */
function renamed(feature: SampleFeature): SampleFeature {
  const keys = ['Objekt_id', 'id.lokalId', 'beskyttelse_areal_lbnr'];
  const properties = Object.entries(feature.properties).map(([name, value]) => {
    if (!keys.includes(name)) return [name, value] as const;
    return [
      name,
      typeof value === 'number' ? value + 500_000 : `${valueText(value) ?? ''}-2`,
    ] as const;
  });
  return { ...feature, id: `${feature.id}-2`, properties: Object.fromEntries(properties) };
}
