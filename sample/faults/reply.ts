/** Faults of the answer as a whole: status codes, bodies that are not what was asked for. */
import { exceptionReport, WfsException } from '../wfs/exception.ts';
import { replyOf, textReply } from '../http.ts';
import type { Reply } from '../http.ts';
import type { Fault } from './stages.ts';

export const REPLY_FAULTS = {
  'http-500': statusFault(500, 'Internal Server Error'),
  'http-502': statusFault(502, 'Bad Gateway'),
  'http-503': statusFault(503, 'Service Unavailable'),
  'http-504': statusFault(504, 'Gateway Time-out'),
  'http-404': statusFault(404, 'Not Found'),
  unauthorized: {
    title: '401 although the key is right (the cadastre does so now and then; use times: 1)',
    answer: () => textReply(401, 'DAF-AUTH-0005 Unauthorized'),
  },
  'rate-limited': {
    title: '429 with Retry-After',
    valueIs: 'Retry-After, seconds',
    defaultValue: 1,
    answer: ({ value }) =>
      withHeader(textReply(429, 'Too Many Requests'), 'retry-after', String(value)),
  },
  'bad-request-above': {
    title: '400 for a page larger than a limit',
    valueIs: 'largest count accepted',
    defaultValue: 20,
    operations: ['features'],
    answer: ({ value }, query) =>
      query !== null && (query.count ?? Infinity) > value
        ? report(400, new WfsException('NoApplicableCode', 'Request failed'))
        : null,
  },
  'natural-order-refused': {
    title: '400 for a page without sortBy, as from a table without a primary key',
    operations: ['features'],
    answer: (_, query) =>
      query !== null && query.startIndex > 0 && query.sortBy.length === 0
        ? report(400, new WfsException('NoApplicableCode', NATURAL_ORDER))
        : null,
  },
  'sort-refused': {
    title: '400 for any sortBy',
    operations: ['features'],
    answer: (_, query) =>
      query !== null && query.sortBy.length > 0
        ? report(400, new WfsException('InvalidParameterValue', 'Cannot sort', 'sortBy'))
        : null,
  },
  'html-200': {
    title: 'an HTML page with status 200',
    answer: () => html(200, '<h1>Driftsmeddelelse</h1><p>Tjenesten er midlertidigt lukket.</p>'),
  },
  'moved-to-html': {
    title: '308 to an HTML page, as a dead host answers',
    answer: () => withHeader(html(308, '<p>Flyttet</p>'), 'location', '/flyttet.html'),
  },
  'not-modified': {
    title: '304 with a tag, to a question that names none',
    answer: () => ({ status: 304, headers: { etag: '"fra-foer"' }, body: Buffer.alloc(0) }),
  },
  'exception-200': {
    title: 'an OWS ExceptionReport with status 200',
    answer: () => report(200, new WfsException('NoApplicableCode', DATABASE_DOWN)),
  },
  'service-exception-200': {
    title: 'an old ServiceExceptionReport with status 200',
    answer: () => xml(200, SERVICE_EXCEPTION),
  },
  'echoed-key': {
    title: 'an ExceptionReport that repeats the address asked for, the key included',
    valueIs: 'HTTP status',
    defaultValue: 200,
    answer: ({ value }, _, url) =>
      report(value, new WfsException('NoApplicableCode', `Failed: ${url.href}`)),
  },
  'empty-body': {
    title: 'status 200 and not one byte',
    answer: () => replyOf(200, '', { 'content-type': 'text/xml' }),
  },
  'truncated-body': {
    title: 'a body that ends early, with a length to match',
    defaultShare: 0.6,
    reply: (reply, { share }) => ({
      ...reply,
      body: reply.body.subarray(0, Math.floor(reply.body.length * share)),
    }),
  },
  'garbled-body': {
    title: 'a body with a stretch of bytes overwritten',
    valueIs: 'bytes overwritten',
    defaultValue: 40,
    reply: (reply, { value, random }) => {
      const body = Buffer.from(reply.body);
      const from = Math.floor(random.next() * Math.max(1, body.length - value));
      return { ...reply, body: body.fill(0x00, from, from + value) };
    },
  },
  arcs: {
    title: 'GML rings and lines drawn as parts of ellipses through their vertices',
    operations: ['features'],
    reply: (reply) =>
      rewritten(reply, [
        [/<gml:LinearRing>(<gml:posList>[^<]*<\/gml:posList>)<\/gml:LinearRing>/g, ARC_RING],
        [/<gml:LineStringSegment>/g, ELLIPTICAL],
        [/<\/gml:LineStringSegment>/g, '</gml:ArcString>'],
      ]),
  },
  'gml-coordinates': {
    title: 'GML positions in the old way: pairs with commas in gml:coordinates',
    operations: ['features'],
    reply: (reply) =>
      rewritten(reply, [[/srsDimension="(\d)"[^]*?(?=srsDimension|$)/g, withTuples]]),
  },
  'declared-entities': {
    title: 'XML of under a kilobyte that declares entities of entities: gigabytes once expanded',
    answer: () => xml(200, declaredEntities()),
  },
  'nested-elements': {
    title: 'XML with elements inside one another',
    valueIs: 'elements',
    defaultValue: 100_000,
    answer: ({ value }) => xml(200, '<a>'.repeat(value) + '</a>'.repeat(value)),
  },
  'wrong-content-type': {
    title: 'the right body under the content type of a web page',
    reply: (reply) => withHeader(reply, 'content-type', 'text/html;charset=UTF-8'),
  },
  'report-after-members': {
    title: 'an ExceptionReport in the midst of the collection, as when a cursor breaks',
    operations: ['features'],
    defaultShare: 0.5,
    reply: (reply, { share }) => ({
      ...reply,
      body: Buffer.concat([
        reply.body.subarray(0, Math.floor(reply.body.length * share)),
        Buffer.from(exceptionReport(new WfsException('NoApplicableCode', DATABASE_DOWN))),
      ]),
    }),
  },
} as const satisfies Record<string, Fault>;

const NATURAL_ORDER =
  'Cannot do natural order without a primary key, please add it or specify a manual sort';
const DATABASE_DOWN = 'java.io.IOException: Error occured calculating bounds: connection refused';
const SERVICE_EXCEPTION =
  '<?xml version="1.0" ?>\n<ServiceExceptionReport version="1.2.0"' +
  ' xmlns="http://www.opengis.net/ogc"><ServiceException>' +
  'Error occurred getting features</ServiceException></ServiceExceptionReport>\n';

/** Ten of ten of ten …: "lol" a billion times. */
function declaredEntities(): string {
  const entities = Array.from({ length: 10 }, (_, n) => {
    const of = n === 0 ? 'lol' : `&lol${n - 1};`.repeat(10);
    return `<!ENTITY lol${n} "${of}">`;
  });
  const features = '<FeatureCollection><member><a>&lol9;</a></member></FeatureCollection>';
  return `<?xml version="1.0"?>\n<!DOCTYPE lolz [${entities.join('\n')}]>\n${features}\n`;
}

function statusFault(status: number, words: string): Fault {
  return { title: `HTTP ${status} ${words}`, answer: () => textReply(status, words) };
}

const ELLIPTICAL = '<gml:ArcString interpolation="elliptical">';
const ARC_RING =
  `<gml:Ring><gml:curveMember><gml:Curve><gml:segments>${ELLIPTICAL}$1</gml:ArcString>` +
  '</gml:segments></gml:Curve></gml:curveMember></gml:Ring>';

/** A geometry of one dimension, its position lists as tuples. */
function withTuples(geometry: string, dimension = '2'): string {
  const tuple = dimension === '3' ? /(\S+) (\S+) (\S+)/g : /(\S+) (\S+)/g;
  const commas = dimension === '3' ? '$1,$2,$3' : '$1,$2';
  return geometry.replace(
    /<gml:posList>([^<]*)<\/gml:posList>/g,
    (_, list: string) => `<gml:coordinates>${list.replace(tuple, commas)}</gml:coordinates>`,
  );
}

type Rewriting = readonly [RegExp, string | ((match: string, ...groups: string[]) => string)];

/** The same reply with stretches of its XML written otherwise; JSON holds none of them. */
function rewritten(reply: Reply, rewritings: readonly Rewriting[]): Reply {
  const body = rewritings.reduce(
    // The two kinds of replacement are two overloads.
    (text, [pattern, by]) =>
      typeof by === 'string' ? text.replace(pattern, by) : text.replace(pattern, by),
    reply.body.toString('utf8'),
  );
  return { ...reply, body: Buffer.from(body) };
}

function html(status: number, content: string): Reply {
  const body = `<!DOCTYPE html><html><head><title>Prøve</title></head><body>${content}</body></html>`;
  return textReply(status, body, 'text/html');
}

function withHeader(reply: Reply, name: string, value: string): Reply {
  return { ...reply, headers: { ...reply.headers, [name]: value } };
}

const xml = (status: number, body: string): Reply => textReply(status, body, 'application/xml');
const report = (status: number, exception: WfsException): Reply =>
  xml(status, exceptionReport(exception));
