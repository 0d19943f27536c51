/** Faults of counting and paging: answers that look whole and are not. */
import type { Features, SampleFeature, SampleValue } from '../data/feature.ts';
import { valueText } from '../data/feature.ts';
import { hashText } from '../data/random.ts';
import { KEYS } from './stages.ts';
import type { Counts, Fault, FaultContext, Operation } from './stages.ts';

/** Both what is counted and what is sent. */
const ALL: readonly Operation[] = ['features', 'hits'];
const OFF = { valueIs: 'features too many (negative: too few)', defaultValue: 3 };

export const PAGING_FAULTS = {
  'empty-collection': {
    title: 'no features and numberMatched 0, as from an emptied table',
    operations: ALL,
    all: () => [],
  },
  'empty-page': onPages('pages without features though the count says there are some', {
    page: () => [],
    counts: (counts) => ({ ...counts, returned: 0 }),
  }),
  'wrong-count': { title: 'numberMatched off by some', ...OFF, operations: ALL, counts: countOff },
  'wrong-hits': {
    title: 'the hit count says 0 though the pages hold features',
    operations: ['hits'],
    counts: (counts) => ({ ...counts, matched: 0 }),
  },
  'hits-off': {
    ...{ title: 'the hit count alone is off by some', ...OFF, operations: ['hits'] },
    counts: countOff,
  },
  'unknown-count': {
    title: 'numberMatched="unknown", as MapServer says',
    operations: ALL,
    counts: (counts) => ({ ...counts, matched: 'unknown' }),
  },
  'wrong-returned': onPages('numberReturned off by some', {
    ...OFF,
    defaultValue: 1,
    counts: (counts, { value }) => ({ ...counts, returned: counts.returned + value }),
  }),
  'repeated-feature': onPages(
    'each page begins with the last feature of the page before; the count stays right',
    {
      page: (page, _, { all, query }) => {
        const before = query.startIndex > 0 ? all[query.startIndex - 1] : undefined;
        return before === undefined ? page : [before, ...page.slice(0, -1)];
      },
    },
  ),
  'doubled-feature': onPages(
    'the first feature of a page stands there twice, the last is left out',
    { page: (page) => [...page.slice(0, 1), ...page.slice(0, -1)] },
  ),
  'shuffled-order': onPages(
    'another order at each request: duplicates and holes while the count is right',
    { all: (all, { random }) => shuffled(all, random) },
  ),
  'order-within-page': onPages(
    'sorted only inside each page; the pages are cut from an order of its own',
    { all: inOwnOrder, page: (page) => [...page].sort((a, b) => (a.id < b.id ? -1 : 1)) },
  ),
  'short-pages': onPages('fewer features than asked for, long before the last page', {
    valueIs: 'features left out of each page',
    defaultValue: 5,
    query: (query, { value }) => ({
      ...query,
      count: query.count === null ? null : Math.max(1, query.count - value),
    }),
  }),
  'capped-pages': {
    title: 'the server lowers its largest page, and announces it as CountDefault',
    valueIs: 'largest page',
    defaultValue: 10,
    countDefault: ({ value }) => value,
  },
  'start-ignored': onPages('startIndex is ignored: every page is the first', {
    query: (query) => ({ ...query, startIndex: 0 }),
  }),
  'count-ignored': onPages('count is ignored: every page is everything from startIndex on', {
    query: (query) => ({ ...query, count: null }),
  }),
  'changed-midway': {
    title: 'features vanish between the first page and the next',
    valueIs: 'features that vanish',
    defaultValue: 2,
    operations: ALL,
    all: (all, { value }, query) => (query.startIndex > 0 ? all.slice(value) : all),
  },
  'replaced-midway': {
    title: 'features vanish between the first page and the next, and as many new ones appear',
    valueIs: 'features replaced',
    defaultValue: 2,
    operations: ALL,
    all: (all, { value }, query) =>
      query.startIndex > 0
        ? [...all.slice(value), ...all.slice(-Math.min(value, all.length)).map(renamed)]
        : all,
  },
  'own-order': onPages('sortBy is ignored: features come in an order of the server’s own', {
    all: inOwnOrder,
  }),
  'moved-midway': onPages(
    'in an order of its own, rows vanish, and as many others move to where those were',
    {
      valueIs: 'rows that move',
      defaultValue: 1,
      all: (all, { value }) => {
        const own = inOwnOrder(all);
        const kept = own.slice(value);
        const moved = [...kept.slice(-value), ...kept.slice(0, -value)];
        return [...moved, ...own.slice(0, value).map(renamed)];
      },
    },
  ),
  'sudden-drop': {
    title: 'only a share of the features is still there, the same ones every time',
    defaultShare: 0.5,
    operations: ALL,
    all: (all, { share, randomFor }) => all.filter(({ id }) => randomFor(id).next() < share),
  },
  'sudden-growth': {
    title: 'every feature is there once more under a new identity',
    operations: ALL,
    all: (all) => [...all, ...all.map(renamed)],
  },
} as const satisfies Record<string, Fault>;

function onPages(title: string, hooks: Omit<Fault, 'title' | 'operations'>): Fault {
  return { title, operations: ['features'], ...hooks };
}

function countOff({ matched, returned }: Counts, { value }: FaultContext): Counts {
  return { matched: matched === 'unknown' ? matched : Math.max(0, matched + value), returned };
}

function inOwnOrder(all: Features): Features {
  return [...all].sort((a, b) => hashText(a.id) - hashText(b.id));
}

function shuffled(all: Features, random: FaultContext['random']): Features {
  const ranks = new Map(all.map((feature) => [feature, random.next()]));
  return [...all].sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

/** The same thing under keys of its own: texts get a tail, whole numbers an offset. */
function renamed(feature: SampleFeature): SampleFeature {
  const properties = Object.entries(feature.properties).map(
    ([name, value]): [string, SampleValue] => {
      if (!KEYS.includes(name)) return [name, value];
      return [name, typeof value === 'number' ? value + 500_000 : `${valueText(value) ?? ''}-2`];
    },
  );
  return { ...feature, id: `${feature.id}-2`, properties: Object.fromEntries(properties) };
}
