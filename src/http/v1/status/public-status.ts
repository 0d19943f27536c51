/** Works without a database or scripts (D218). */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { query } from '../../../core/question/schemas.ts';
import { daysUntil } from '../../../metering/calendar.ts';
import { allMirrored } from '../../../layers/catalogue.ts';
import { TERRAIN } from '../../../layers/keys.ts';
import { SOURCE_WORDS } from '../../../layers/words.ts';
import { escapeHtml } from '../../pages/escape.ts';
import type { Shell } from '../../pages/shell.ts';
import { HTTP_LIMITS } from '../../limits.ts';
import type { EdgeOptions } from '../../options.ts';
import { TIME_BUCKETS } from '../../request-tally.ts';
import type { Services } from '../../services.ts';
import { preferredLanguage } from '../../wire/accept.ts';
import { baseUrlOf } from '../../wire/error-object.ts';
import type { Day, StatusHistory } from './history.ts';
import { statusPage } from './status-page.ts';
import type { PublicStatus, ShownDay } from './status-page.ts';

export function publicStatusRoutes(
  app: FastifyInstance,
  services: Services,
  { shell, publicUrl }: Pick<EdgeOptions, 'publicUrl'> & { readonly shell: Shell },
): void {
  const { statusHistory: history } = services;
  if (history === undefined) return;
  const names = layerNames(services.catalogue);
  const schema = { hide: true, querystring: query({}) };
  const send = (reply: FastifyReply, type: string, body: string) =>
    reply
      .headers({ 'content-type': type, 'cache-control': 'public, max-age=30' })
      .header('x-frame-options', 'DENY')
      .send(body);
  app.get('/status.json', { schema }, async (_request, reply) =>
    send(
      reply,
      'application/json; charset=utf-8',
      JSON.stringify(await publicStatusOf(services, history)),
    ),
  );
  app.get('/status.atom', { schema }, async (request, reply) => {
    const feed = feedOf(
      await publicStatusOf(services, history),
      escapeHtml(baseUrlOf(publicUrl, request.headers.host, request.raw.socket)),
    );
    return send(reply, 'application/atom+xml; charset=utf-8', feed);
  });
  app.get('/status', { schema }, async (request, reply) => {
    const language = preferredLanguage(request.headers['accept-language']);
    const main = statusPage(await publicStatusOf(services, history), { language, names });
    const csp =
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    void reply.headers({
      ...{ 'content-security-policy': csp, vary: 'Accept-Language', 'content-language': language },
    });
    const page = shell.plainDocument({ title: 'Status', root: '', main, language });
    return send(reply, 'text/html; charset=utf-8', page);
  });
}

/** Registers' names stay Danish. */
function layerNames(catalogue: Services['catalogue']): ReadonlyMap<string, string> {
  const mirrored = allMirrored(catalogue).map(({ id, name }) => [id, name] as const);
  return new Map<string, string>([...mirrored, [TERRAIN, SOURCE_WORDS.terrain.da]]);
}

async function publicStatusOf(
  { isStoreUnavailable }: Pick<Services, 'isStoreUnavailable'>,
  { read, nowMs }: StatusHistory,
): Promise<PublicStatus> {
  const now = nowMs();
  const history = await read();
  const days = daysUntil(now, HTTP_LIMITS.status.days);
  return {
    tidspunkt: new Date(now).toISOString(),
    maalt: history?.maalt ?? null,
    database: isStoreUnavailable() ? 'svarer_ikke' : 'svarer',
    lag_kendt: history?.lag_kendt ?? null,
    lag: history?.lag ?? [],
    doegn: days.map(({ date }) =>
      renderDay(
        date,
        history?.doegn.find((day) => day.dato === date),
      ),
    ),
    haendelser: history?.haendelser.toReversed() ?? [],
  };
}

/** null: nothing was measured or answered. */
function renderDay(dato: string, day: Day | undefined): ShownDay {
  return {
    dato,
    maalt_minutter: day === undefined ? null : Math.round(day.maalt_s / 60),
    svar: day?.svar ?? null,
    afvist: day?.afvist ?? null,
    fejl: day?.fejl ?? null,
    halvdelen_under_ms: day === undefined ? null : quantileMs(day, 0.5),
    hver_tyvende_over_ms: day === undefined ? null : quantileMs(day, 0.95),
  };
}

/** Upper bound of its bucket; null: no answers, or above the last. */
function quantileMs({ tider }: Day, share: number): number | null {
  const all = tider.reduce((sum, count) => sum + count, 0);
  let under = 0;
  for (const [at, bound] of TIME_BUCKETS.entries()) {
    under += tider[at] ?? 0;
    if (all > 0 && under >= all * share) return bound * 1000;
  }
  return null;
}

function feedOf(status: PublicStatus, base: string): string {
  const { haendelser, maalt, tidspunkt } = status;
  const entries = haendelser.slice(0, HTTP_LIMITS.status.shown).map(
    ({ art, lag, begyndt, sluttet }) => `<entry>
<id>${base}/status#${art}-${lag ?? ''}-${begyndt}</id>
<title>${escapeHtml([art, lag].filter((word) => word !== null).join(': '))}</title>
<updated>${sluttet ?? begyndt}</updated>
<link href="${base}/status"/>
<summary>${begyndt} - ${sluttet ?? ''}</summary>
</entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="da">
<id>${base}/status</id>
<title>Geoopslag: status</title>
<author><name>Geoopslag</name></author>
<updated>${maalt ?? tidspunkt}</updated>
<link rel="self" href="${base}/status.atom"/>
${entries.join('\n')}
</feed>
`;
}
