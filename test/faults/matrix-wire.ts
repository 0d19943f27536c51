/** Rows of the matrix: the eight toxics of a network, and answers that are not what was asked for. */
import type { MatrixRow } from './matrix-terms.ts';
import { FATAL, FAILED, HARMLESS, MIRRORED, ANSWERED, UNAVAILABLE } from './matrix-terms.ts';
import { PARTLY_FATAL } from './matrix-terms.ts';

/** Bytes into a body: most strike early, where the window of a point still has bytes. */
const STRIKE = { least: 0, most: 4_000 };
/** Milliseconds and bytes a second that no hasty time-out bears. */
const TOO_LATE_MS = 2_000;
const TOO_THIN = 40;

export const NETWORK_ROWS: readonly MatrixRow[] = [
  {
    id: 'no-fault',
    about: 'Nothing is wrong; page links repeat the API key, as the registers do',
    rules: () => [],
    ...HARMLESS,
  },
  {
    id: 'latency',
    about: 'The answer begins within the time-out',
    rules: (draw) => [{ fault: 'slow', value: draw.integer(1, 30) }],
    ...HARMLESS,
  },
  {
    id: 'latency-past-timeout',
    about: 'The answer begins after the time-out',
    rules: () => [{ fault: 'slow', value: TOO_LATE_MS }],
    hasty: true,
    ...FATAL,
  },
  {
    id: 'down',
    about: 'Every connection is reset before an answer',
    rules: () => [{ fault: 'down' }],
    ...FATAL,
  },
  {
    id: 'down-once',
    about: 'The first connection is reset',
    rules: () => [{ fault: 'down', times: 1 }],
    ...HARMLESS,
  },
  {
    id: 'not-listening',
    about: 'Nobody listens at the address',
    rules: () => [],
    deaf: true,
    ...FATAL,
  },
  {
    id: 'bandwidth',
    about: 'The answer trickles within the time-out',
    rules: (draw) => [{ fault: 'bandwidth', value: draw.integer(500_000, 4_000_000), times: 3 }],
    ...HARMLESS,
  },
  {
    id: 'bandwidth-past-timeout',
    about: 'The answer trickles past the time-out',
    rules: () => [{ fault: 'bandwidth', value: TOO_THIN }],
    hasty: true,
    ...FATAL,
  },
  {
    id: 'slow-close',
    about: 'All bytes arrive; the end comes within the time-out',
    rules: (draw) => [{ fault: 'slow-close', value: draw.integer(1, 30) }],
    ...HARMLESS,
  },
  {
    id: 'slow-close-past-timeout',
    about: 'All bytes arrive; the end comes after the time-out',
    rules: () => [{ fault: 'slow-close', value: TOO_LATE_MS }],
    hasty: true,
    ...FATAL,
  },
  {
    id: 'timeout',
    about: 'No answer',
    rules: () => [{ fault: 'hang' }],
    hasty: true,
    ...FATAL,
  },
  {
    id: 'stall',
    about: 'The answer stops midway; the connection stays open',
    rules: (draw) => [{ fault: 'stall', value: draw.integer(STRIKE.least, STRIKE.most) }],
    hasty: true,
    ...PARTLY_FATAL,
  },
  {
    id: 'reset',
    about: 'The connection is reset midway',
    rules: (draw) => [{ fault: 'reset', value: draw.integer(STRIKE.least, STRIKE.most) }],
    ...PARTLY_FATAL,
  },
  {
    id: 'reset-once',
    about: 'The connection is reset midway once',
    rules: (draw) => [{ fault: 'reset', value: draw.integer(STRIKE.least, STRIKE.most), times: 1 }],
    ...HARMLESS,
  },
  {
    id: 'slicing',
    about: 'The answer comes in small slices',
    rules: (draw) => [{ fault: 'slicing', value: draw.integer(40, 400), times: 3 }],
    ...HARMLESS,
  },
  {
    id: 'data-limit',
    about: 'The connection closes before the announced length',
    rules: (draw) => [{ fault: 'data-limit', value: draw.integer(STRIKE.least, STRIKE.most) }],
    ...PARTLY_FATAL,
  },
  {
    id: 'data-limit-unframed',
    about: 'The same without a length: a cut looks like the end',
    rules: (draw) => [{ fault: 'unframed-cut', value: draw.integer(STRIKE.least, STRIKE.most) }],
    ...PARTLY_FATAL,
  },
];

const SERVER_ERRORS = ['http-500', 'http-502', 'http-503', 'http-504'] as const;

export const REPLY_ROWS: readonly MatrixRow[] = [
  {
    id: 'http-404',
    about: 'HTTP 404',
    rules: () => [{ fault: 'http-404' }],
    ...FATAL,
  },
  {
    id: 'http-5xx',
    about: 'HTTP 500, 502, 503 or 504',
    rules: (draw) => [{ fault: draw.pick(SERVER_ERRORS) }],
    ...FATAL,
  },
  {
    id: 'http-5xx-once',
    about: 'HTTP 500, 502, 503 or 504 once',
    rules: (draw) => [{ fault: draw.pick(SERVER_ERRORS), times: 1 }],
    ...HARMLESS,
  },
  {
    id: 'unauthorized',
    about: 'HTTP 401 although the key is right',
    rules: () => [{ fault: 'unauthorized' }],
    ...FATAL,
  },
  {
    id: 'unauthorized-once',
    about: 'HTTP 401 once: hosts with keys are known to do so',
    rules: () => [{ fault: 'unauthorized', times: 1 }],
    sync: { others: FAILED, cadastre: MIRRORED, dagi: MIRRORED },
    line: { others: UNAVAILABLE, cadastre: ANSWERED },
    area: ANSWERED,
  },
  {
    id: 'rate-limited',
    about: 'HTTP 429 with Retry-After, every time',
    rules: (draw) => [{ fault: 'rate-limited', value: draw.integer(0, 120) }],
    ...FATAL,
  },
  {
    id: 'rate-limited-once',
    about: 'HTTP 429 with Retry-After, once',
    rules: (draw) => [{ fault: 'rate-limited', value: draw.integer(0, 120), times: 1 }],
    ...HARMLESS,
  },
  {
    id: 'large-pages-refused',
    about: 'HTTP 400 for pages above a size: a sync halves them, a window is one page',
    rules: (draw) => [{ fault: 'bad-request-above', value: draw.integer(10, 45) }],
    sync: MIRRORED,
    line: UNAVAILABLE,
    area: UNAVAILABLE,
  },
  {
    id: 'moved',
    about: 'HTTP 308 to a web page; never followed',
    rules: () => [{ fault: 'moved-to-html' }],
    ...FATAL,
  },
  {
    id: 'not-modified',
    about: 'HTTP 304 without a conditional request',
    rules: () => [{ fault: 'not-modified' }],
    ...FATAL,
  },
  {
    id: 'html-200',
    about: 'A web page with HTTP 200',
    rules: () => [{ fault: 'html-200' }],
    ...FATAL,
  },
  {
    id: 'exception-200',
    about: 'An OGC exception report with HTTP 200, either form',
    rules: (draw) => [{ fault: draw.pick(['exception-200', 'service-exception-200'] as const) }],
    ...FATAL,
  },
  {
    id: 'exception-200-once',
    about: 'An OGC exception report with HTTP 200, once',
    rules: () => [{ fault: 'exception-200', operation: 'features', times: 1 }],
    ...HARMLESS,
  },
  {
    id: 'exception-midway',
    about: 'An exception report amid the features',
    rules: (draw) => [{ fault: 'report-after-members', share: draw.between(0.02, 0.98) }],
    ...FATAL,
  },
  {
    id: 'key-echoed',
    about: 'An exception report that repeats the URL with the API key',
    rules: (draw) => [{ fault: 'echoed-key', value: draw.pick([200, 403, 500]) }],
    ...FATAL,
  },
  {
    id: 'empty-body',
    about: 'HTTP 200 without a byte',
    rules: () => [{ fault: 'empty-body' }],
    ...FATAL,
  },
  {
    id: 'truncated',
    about: 'A body that ends early, its length to match',
    rules: (draw) => [{ fault: 'truncated-body', share: draw.between(0.01, 0.99) }],
    ...FATAL,
  },
  {
    id: 'garbled',
    about: 'A stretch of bytes overwritten',
    rules: (draw) => [
      { fault: 'garbled-body', value: draw.integer(1, 80), seed: draw.integer(1, 1e6) },
    ],
    ...FATAL,
  },
  {
    id: 'declared-entities',
    about: 'Nested entities instead of any answer: never expanded',
    rules: () => [{ fault: 'declared-entities' }],
    ...FATAL,
  },
  {
    id: 'declared-entities-count',
    about: 'The same as hit count',
    rules: () => [{ fault: 'declared-entities', operation: 'hits' }],
    ...FATAL,
  },
  {
    id: 'declared-entities-description',
    about: 'The same as description of the columns: what was seen before holds',
    rules: () => [{ fault: 'declared-entities', operation: 'schema' }],
    ...HARMLESS,
  },
  {
    id: 'nested-elements',
    about: 'Elements nested over 200 deep',
    rules: (draw) => [{ fault: 'nested-elements', value: draw.pick([201, 1_000, 100_000]) }],
    ...FATAL,
  },
  {
    id: 'wrong-content-type',
    about: 'The right body as `text/html`',
    rules: () => [{ fault: 'wrong-content-type' }],
    ...HARMLESS,
  },
];
