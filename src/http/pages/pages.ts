/** Pages load only their own files and call only this service. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { sendConstant, sendText } from '../wire/send-json.ts';
import { originOf } from '../../layers/background-map.ts';
import { CONDITION_GROUPS, conditionId } from '../../layers/conditions/index.ts';
import type { BackgroundMap } from '../../layers/background-map.ts';
import type { Services } from '../services.ts';
import { query } from '../../core/question/schemas.ts';
import { webBundle } from './bundle.ts';
import { escapeHtml } from './escape.ts';
import { guideSearchRoute } from './guide-search.ts';
import { guides } from './guides.ts';
import { DAWA_PAGE, DESIGN_PAGE, WEB_PAGES } from './page-list.ts';
import type { Shell } from './shell.ts';

const WEB = join(import.meta.dirname, '../../web');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** `pictures`: one more image source; null: none. */
const policy = (pictures: string | null): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'${pictures === null ? '' : ` ${pictures}`}; ` +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS = {
  'content-security-policy': policy(null),
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'geolocation=(), camera=(), microphone=()',
};

/** The trial's address in the guides. */
const TRIAL_URL = 'http://127.0.0.1:8080';
/** The only page that may ask for a position. */
const LOCATING = { 'permissions-policy': 'geolocation=(self), camera=(), microphone=()' };
/** The only page with another server's images, if configured. */
const MAP_PAGE = 'kort';
/** Its style sheet contains swagger-ui's icons. */
const REFERENCE_PAGE = 'docs';

const AGAIN = 'no-cache';
const FOR_A_DAY = 'public, max-age=86400';
const FOR_EVER = 'public, max-age=31536000, immutable';

export interface PageSettings {
  readonly drift: 'on' | 'off';
  /** on: the front page asks with a trial key. open: without a key. */
  readonly proeve: 'on' | 'off' | 'open';
  /** `lon lat` of the example of pages; empty: none. */
  readonly sted: string;
  /** Kroner for a unit; empty: none. */
  readonly pris: string;
  readonly baggrund: BackgroundMap | null;
  readonly hasDoor: boolean;
  /** Base of the guides' commands; null: the trial's. */
  readonly publicUrl: string | null;
  /** Whether letters can be sent and accounts requested. */
  readonly mail: 'on' | 'off';
  readonly anmod: 'on' | 'off';
  readonly hasDesign: boolean;
}

const ROBOTS = `User-agent: *
Disallow: /v1/
Disallow: /konto
Disallow: /log-ind
Disallow: /drift
`;

/** Pages contain no data: scripts fetch those with a session, key or token. */
export async function pageRoutes(
  app: FastifyInstance,
  shell: Shell,
  settings: PageSettings,
): Promise<void> {
  for (const page of WEB_PAGES) {
    const { name, paths } = page;
    if (name === DAWA_PAGE && !settings.hasDoor) continue;
    if (name === DESIGN_PAGE && !settings.hasDesign) continue;
    const body = Buffer.from(withSettings(shell.documentOf(page), settings));
    const csp = policy(picturesOf(name, settings));
    for (const path of paths) {
      const more = name === MAP_PAGE ? LOCATING : {};
      serve(app, path, { body, type: 'text/html; charset=utf-8', caching: AGAIN, csp, more });
    }
  }
  for (const [name, body] of (await webBundle()).files) {
    const type = TYPES[extname(name)];
    if (type === undefined) throw new Error(`The pages have a file of unknown type, ${name}.`);
    serve(app, `/web/${name}`, { body, type, caching: FOR_EVER });
  }
  guideSearchRoute(app);
  for (const { name, da: title, body } of guides()) {
    const main = body.replaceAll(TRIAL_URL, escapeHtml(settings.publicUrl ?? TRIAL_URL));
    const page = shell.plainDocument({ title, root: '../', main });
    const served = { body: Buffer.from(page), type: 'text/html; charset=utf-8', caching: AGAIN };
    serve(app, `/docs/${name}`, served);
  }
  const icon = readFileSync(join(WEB, 'shared/favicon.ico'));
  serve(app, '/favicon.ico', { body: icon, type: 'image/x-icon', caching: FOR_A_DAY });
  const robots = { body: Buffer.from(ROBOTS), type: 'text/plain; charset=utf-8' };
  serve(app, '/robots.txt', { ...robots, caching: FOR_A_DAY });
}

function picturesOf(page: string, { baggrund }: PageSettings): string | null {
  if (page === REFERENCE_PAGE) return 'data:';
  return page === MAP_PAGE && baggrund !== null ? originOf(baggrund) : null;
}

/** Kept in the page, so that its script does not grow. */
const CONDITIONS_OF_MAP = CONDITION_GROUPS.map(({ name, colour, conditions }) => ({
  name,
  colour,
  layers: conditions.map((each) => [conditionId(each.key), each.name]),
}));

function withSettings(
  page: string,
  { baggrund, hasDoor: _, hasDesign: __, publicUrl: ___, ...words }: PageSettings,
): string {
  const values: Readonly<Record<string, string>> = {
    ...words,
    baggrund: baggrund?.url ?? '',
    'baggrund-kilde': baggrund?.attribution ?? '',
    forhold: JSON.stringify(CONDITIONS_OF_MAP),
  };
  return Object.entries(values).reduce<string>(
    (text, [name, value]) =>
      text.replace(
        new RegExp(`(<body[^>]* data-${name}=)"[^"]*"`),
        (_all, before: string) => `${before}"${escapeHtml(value)}"`,
      ),
    page,
  );
}

/** Land outside the lines' coverage, greyed on the map. Public, like `/v1/status`. */
export function coveredLandRoute(app: FastifyInstance, coveredLand: Services['coveredLand']): void {
  const schema = { hide: true, querystring: query({}) };
  app.get(`/${MAP_PAGE}/daekning.json`, { schema }, async (_request, reply) => {
    const lands = await coveredLand();
    void reply.header('cache-control', AGAIN);
    return sendText(
      reply,
      JSON.stringify(lands.map(({ name, rings }) => ({ navn: name, ringe: rings }))),
    );
  });
}

interface Served {
  readonly body: Buffer;
  readonly type: string;
  readonly caching: string;
  readonly csp?: string;
  readonly more?: Readonly<Record<string, string>>;
}

function serve(app: FastifyInstance, path: string, served: Served): void {
  const { body, type, caching, csp, more } = served;
  let gzipped: Buffer | null = null;
  const content = {
    type,
    plain: body,
    // Compressed at first use: one file is a megabyte and seldom wanted.
    get gzipped() {
      gzipped ??= gzipSync(body, { level: 9 });
      return gzipped;
    },
    tag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  };
  const schema = { hide: true, querystring: query({}) };
  app.get(path, { schema }, (request, reply) => {
    void reply.headers({ ...HEADERS, ...more, 'cache-control': caching });
    if (csp !== undefined) void reply.header('content-security-policy', csp);
    void sendConstant(request, reply, content);
  });
}
