/** Rows of the matrix: the eight toxics of a network, and answers that are not what was asked for. */
import type { MatrixRow } from './matrix-terms.ts';
import { FATAL, FAILED, HARMLESS, MIRRORED, ANSWERED, UNAVAILABLE } from './matrix-terms.ts';
import { PARTLY_FATAL, row } from './matrix-terms.ts';

/** Bytes into a body: most strike early, where the window of a point still has bytes. */
const STRIKE = { least: 0, most: 4_000 };
/** Milliseconds and bytes a second that no hasty time-out bears. */
const TOO_LATE_MS = 2_000;
const TOO_THIN = 40;
const HASTY = { hasty: true, ...FATAL } as const;
const ONCE_OF_KEYS = {
  sync: { others: FAILED, cadastre: MIRRORED, dagi: MIRRORED },
  line: { others: UNAVAILABLE, cadastre: ANSWERED },
  area: ANSWERED,
} as const;

export const NETWORK_ROWS: readonly MatrixRow[] = [
  row('no-fault', 'Nothing is wrong; page links repeat the API key, as the registers do', HARMLESS),
  row('latency', 'The answer begins within the time-out', HARMLESS, (draw) => [
    { fault: 'slow', value: draw.integer(1, 30) },
  ]),
  row('latency-past-timeout', 'The answer begins after the time-out', HASTY, {
    fault: 'slow',
    value: TOO_LATE_MS,
  }),
  row('down', 'Every connection is reset before an answer', FATAL, { fault: 'down' }),
  row('down-once', 'The first connection is reset', HARMLESS, { fault: 'down', times: 1 }),
  row('not-listening', 'Nobody listens at the address', { deaf: true, ...FATAL }),
  row('bandwidth', 'The answer trickles within the time-out', HARMLESS, (draw) => [
    { fault: 'bandwidth', value: draw.integer(500_000, 4_000_000), times: 3 },
  ]),
  row('bandwidth-past-timeout', 'The answer trickles past the time-out', HASTY, {
    fault: 'bandwidth',
    value: TOO_THIN,
  }),
  row('slow-close', 'All bytes arrive; the end comes within the time-out', HARMLESS, (draw) => [
    { fault: 'slow-close', value: draw.integer(1, 30) },
  ]),
  row('slow-close-past-timeout', 'All bytes arrive; the end comes after the time-out', HASTY, {
    fault: 'slow-close',
    value: TOO_LATE_MS,
  }),
  row('timeout', 'No answer', HASTY, { fault: 'hang' }),
  row(
    'stall',
    'The answer stops midway; the connection stays open',
    { hasty: true, ...PARTLY_FATAL },
    (draw) => [{ fault: 'stall', value: draw.integer(STRIKE.least, STRIKE.most) }],
  ),
  row('reset', 'The connection is reset midway', PARTLY_FATAL, (draw) => [
    { fault: 'reset', value: draw.integer(STRIKE.least, STRIKE.most) },
  ]),
  row('reset-once', 'The connection is reset midway once', HARMLESS, (draw) => [
    { fault: 'reset', value: draw.integer(STRIKE.least, STRIKE.most), times: 1 },
  ]),
  row('slicing', 'The answer comes in small slices', HARMLESS, (draw) => [
    { fault: 'slicing', value: draw.integer(40, 400), times: 3 },
  ]),
  row('data-limit', 'The connection closes before the announced length', PARTLY_FATAL, (draw) => [
    { fault: 'data-limit', value: draw.integer(STRIKE.least, STRIKE.most) },
  ]),
  row(
    'data-limit-unframed',
    'The same without a length: a cut looks like the end',
    PARTLY_FATAL,
    (draw) => [{ fault: 'unframed-cut', value: draw.integer(STRIKE.least, STRIKE.most) }],
  ),
];

const SERVER_ERRORS = ['http-500', 'http-502', 'http-503', 'http-504'] as const;

export const REPLY_ROWS: readonly MatrixRow[] = [
  row('http-404', 'HTTP 404', FATAL, { fault: 'http-404' }),
  row('http-5xx', 'HTTP 500, 502, 503 or 504', FATAL, (draw) => [
    { fault: draw.pick(SERVER_ERRORS) },
  ]),
  row('http-5xx-once', 'HTTP 500, 502, 503 or 504 once', HARMLESS, (draw) => [
    { fault: draw.pick(SERVER_ERRORS), times: 1 },
  ]),
  row('unauthorized', 'HTTP 401 although the key is right', FATAL, { fault: 'unauthorized' }),
  row('unauthorized-once', 'HTTP 401 once: hosts with keys are known to do so', ONCE_OF_KEYS, {
    fault: 'unauthorized',
    times: 1,
  }),
  row('rate-limited', 'HTTP 429 with Retry-After, every time', FATAL, (draw) => [
    { fault: 'rate-limited', value: draw.integer(0, 120) },
  ]),
  row('rate-limited-once', 'HTTP 429 with Retry-After, once', HARMLESS, (draw) => [
    { fault: 'rate-limited', value: draw.integer(0, 120), times: 1 },
  ]),
  row(
    'large-pages-refused',
    'HTTP 400 for pages above a size: a sync halves them, a window is one page',
    { ...FATAL, sync: MIRRORED },
    (draw) => [{ fault: 'bad-request-above', value: draw.integer(10, 45) }],
  ),
  row('moved', 'HTTP 308 to a web page; never followed', FATAL, { fault: 'moved-to-html' }),
  row('not-modified', 'HTTP 304 without a conditional request', FATAL, { fault: 'not-modified' }),
  row('html-200', 'A web page with HTTP 200', FATAL, { fault: 'html-200' }),
  row('exception-200', 'An OGC exception report with HTTP 200, either form', FATAL, (draw) => [
    { fault: draw.pick(['exception-200', 'service-exception-200'] as const) },
  ]),
  row('exception-200-once', 'An OGC exception report with HTTP 200, once', HARMLESS, {
    fault: 'exception-200',
    operation: 'features',
    times: 1,
  }),
  row('exception-midway', 'An exception report amid the features', FATAL, (draw) => [
    { fault: 'report-after-members', share: draw.between(0.02, 0.98) },
  ]),
  row('key-echoed', 'An exception report that repeats the URL with the API key', FATAL, (draw) => [
    { fault: 'echoed-key', value: draw.pick([200, 403, 500]) },
  ]),
  row('empty-body', 'HTTP 200 without a byte', FATAL, { fault: 'empty-body' }),
  row('truncated', 'A body that ends early, its length to match', FATAL, (draw) => [
    { fault: 'truncated-body', share: draw.between(0.01, 0.99) },
  ]),
  row('garbled', 'A stretch of bytes overwritten', FATAL, (draw) => [
    { fault: 'garbled-body', value: draw.integer(1, 80), seed: draw.integer(1, 1e6) },
  ]),
  row('declared-entities', 'Nested entities instead of any answer: never expanded', FATAL, {
    fault: 'declared-entities',
  }),
  row('declared-entities-count', 'The same as hit count', FATAL, {
    fault: 'declared-entities',
    operation: 'hits',
  }),
  row(
    'declared-entities-description',
    'The same as description of the columns: what was seen before holds',
    HARMLESS,
    { fault: 'declared-entities', operation: 'schema' },
  ),
  row('nested-elements', 'Elements nested over 200 deep', FATAL, (draw) => [
    { fault: 'nested-elements', value: draw.pick([201, 1_000, 100_000]) },
  ]),
  row('wrong-content-type', 'The right body as `text/html`', HARMLESS, {
    fault: 'wrong-content-type',
  }),
];
