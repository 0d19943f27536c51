import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JSON_TYPE } from '../../../answers/json-writer.ts';
import { entitiesOf } from '../../../changes/entity-rows.ts';
import { countRows, requireExtract } from '../../../changes/extract.ts';
import { requireFeed } from '../../../changes/feed.ts';
import type { FeedAsked } from '../../../changes/feed.ts';
import { CHANGE_LIMITS } from '../../../changes/limits.ts';
import { latestChange, readTransactions, unitsOf } from '../../../changes/log.ts';
import { clonedSource } from '../../../changes/source.ts';
import type { ChangeSource } from '../../../changes/source.ts';
import { ChangesAhead, ChangesGone } from '../../../changes/types.ts';
import type { LatestChange } from '../../../changes/types.ts';
import { Failure, notSetUp } from '../../../kernel/failures.ts';
import { SERVICE_VERSION } from '../../../kernel/identity.ts';
import type { LongAnswers } from '../../../core/tasks/stream-reader.ts';
import type { MirrorId } from '../../../layers/keys.ts';
import { holderOfVisit } from '../../access.ts';
import type { Services } from '../../services.ts';
import { wants } from '../../wire/accept.ts';
import { NO_STORE } from '../../wire/no-store.ts';
import { openStreams } from '../../wire/open-streams.ts';
import type { OpenStreams } from '../../wire/open-streams.ts';
import { matchesNone } from '../../wire/range.ts';
import { openLong, sendLong } from '../../wire/send-body.ts';
import { sendText } from '../../wire/send-json.ts';
import { refuseWhileUnavailable, unreachable } from '../../wire/unreachable.ts';
import { registerNamed, registersOf } from './registers.ts';
import { EXTRACT_TEXT } from './extract-text.ts';
import { FEED_TEXT, makeFeed } from './feed-text.ts';
import type { FeedHead } from './feed-text.ts';
import { extractPath } from './render.ts';
import { extractRoute, feedRoute, latestRoute } from './schema.ts';

const READERS = { en: 'readers of changes', da: 'læsere af ændringer' };
const EXTRACTS = { en: 'extracts', da: 'udtræk' };
const LINES_TYPE = 'application/x-ndjson; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

export function changeRoutes(app: FastifyInstance, services: Services): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { limiters } = services;
  const waiting = openStreams(limiters, 'waiting readers', CHANGE_LIMITS.waiting, READERS);
  const extracts = openStreams(limiters, 'extracts', CHANGE_LIMITS.extracts, EXTRACTS);
  const looks = new Looks();
  const access = { area: 'replikering', mostUnits: unitsAsked } as const;

  routes.get(
    '/v1/aendringer',
    { schema: feedRoute, config: { access } },
    async (request, reply) => {
      const { efter, register, antal = CHANGE_LIMITS.events.default, vent = 0 } = request.query;
      const registers = registersOf(request, register);
      const asked = { registers, afterEvent: efter, limit: antal };
      const { source, longAnswers, meta } = changesOf(services);
      waiting.enter(holderOfVisit(request), reply);
      const exchange = { request, reply: reply as FastifyReply };
      const lines = isLines(request);
      const read = { ...{ exchange, source, longAnswers, asked }, meta: lines ? null : meta };
      const { head, text } = await awaitFeed(read, { waitS: vent, looks }).catch(told);
      request.visit?.answered(unitsOf(head.events), head.latest.transaction);
      void reply.headers({ ...NO_STORE, link: `<${nextPath(head.next)}>; rel="next"` });
      if (lines) void reply.type(LINES_TYPE);
      else void reply.type(JSON_TYPE);
      return typeof text === 'string' ? exchange.reply.send(text) : sendLong(exchange, text);
    },
  );

  const free = { area: 'replikering', mostUnits: () => 0 } as const;
  routes.get(
    '/v1/aendringer/seneste',
    { schema: latestRoute, config: { access: free } },
    async (request, reply) => {
      const { source, meta } = changesOf(services);
      const { transaction, event, atMs } = await latestChange(source.db).catch(unreachable);
      request.visit?.answered(0, transaction);
      const tidspunkt = transaction === 0 ? null : new Date(atMs).toISOString();
      const body = JSON.stringify({ transaktion: transaction, haendelse: event, tidspunkt, meta });
      return sendText(reply.headers(NO_STORE), body);
    },
  );

  routes.get(
    '/v1/udtraek/:register',
    { schema: extractRoute, config: { access: { area: 'replikering' } } },
    async (request, reply) => {
      const register = registerNamed(request, request.params.register);
      const asked = { ...request.query, register };
      return await sendExtract({ request, reply, services, extracts }, asked);
    },
  );
}

function unitsAsked({ query: given }: FastifyRequest): number {
  const { antal = CHANGE_LIMITS.events.default } = given as { readonly antal?: number };
  return unitsOf(antal);
}

const nextPath = (event: number): string => `/v1/aendringer?efter=${event}`;

function isLines({ query: given, headers }: FastifyRequest): boolean {
  const { format } = given as { readonly format?: string };
  return format === undefined ? wants(headers.accept, 'application/x-ndjson') : format === 'ndjson';
}

function changesOf(services: Pick<Services, 'changes' | 'isStoreUnavailable'>): {
  readonly source: ChangeSource;
  readonly longAnswers: LongAnswers;
  readonly meta: { readonly kilde: string; readonly service_version: string };
} {
  refuseWhileUnavailable(services);
  if (services.changes !== null) {
    const { source, sourceName, longAnswers } = services.changes;
    return { source, longAnswers, meta: { kilde: sourceName, service_version: SERVICE_VERSION } };
  }
  throw notSetUp(
    'Changes are not set up in this environment.',
    'Ændringer er ikke sat op i dette miljø.',
  );
}

interface Reading {
  readonly exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply };
  readonly source: ChangeSource;
  readonly longAnswers: LongAnswers;
  readonly asked: FeedAsked;
  /** null: lines. */
  readonly meta: object | null;
}

interface ReadFeed {
  readonly head: FeedHead;
  readonly text: string | Readable;
}

/** Fetches a long answer from its thread whole, as its size is limited. */
async function readHere(of: Reading): Promise<ReadFeed> {
  const { exchange, source, longAnswers, asked, meta } = of;
  const known = await requireFeed(source, asked);
  const most = Math.min(asked.limit, known.latest.event - asked.afterEvent);
  if (most <= CHANGE_LIMITS.eventsHere) return await makeFeed(source, asked, meta, known);
  const given = { source: clonedSource(source, asked.registers), asked, meta };
  const { head, pieces } = await openLong(exchange, longAnswers, {
    ...{ maker: FEED_TEXT, given, ahead: Infinity },
  });
  return { head, text: pieces };
}

/** Waits until there is something, the time is up, or the caller is gone. */
async function awaitFeed(
  of: Reading,
  { waitS, looks }: { readonly waitS: number; readonly looks: Looks },
): Promise<ReadFeed> {
  const untilMs = performance.now() + 1_000 * waitS;
  const gone = new AbortController();
  of.exchange.reply.raw.once('close', () => gone.abort());
  const isOver = () => performance.now() + CHANGE_LIMITS.lookMs > untilMs || gone.signal.aborted;
  for (;;) {
    const feed = await readHere(of);
    if (!feed.head.isEmpty) return feed;
    do {
      if (isOver()) return feed;
      await sleep(CHANGE_LIMITS.lookMs, undefined, { signal: gone.signal }).catch(() => undefined);
    } while ((await looks.latest(of.source)).transaction === feed.head.latest.transaction);
    if (typeof feed.text !== 'string') feed.text.destroy();
  }
}

/** One read serves all who wait in this thread. */
class Looks {
  #atMs = -Infinity;
  #latest: Promise<LatestChange> | null = null;

  latest({ db }: ChangeSource): Promise<LatestChange> {
    const nowMs = performance.now();
    if (this.#latest === null || nowMs - this.#atMs >= CHANGE_LIMITS.lookMs) {
      this.#atMs = nowMs;
      this.#latest = latestChange(db);
    }
    return this.#latest;
  }
}

/** For `catch`: turns the log's refusals into failures. */
function told(cause: unknown): never {
  if (cause instanceof ChangesGone) throw gone(cause);
  if (cause instanceof ChangesAhead) {
    const { transaction, event } = cause.latest;
    throw new Failure('conflict', {
      code: 'changes_ahead',
      error: `The number is beyond the latest: transaction ${transaction}, event ${event}.`,
      errorDa: `Nummeret er efter det seneste: transaktion ${transaction}, hændelse ${event}.`,
    });
  }
  return unreachable(cause);
}

function gone({ register, since }: ChangesGone): Failure {
  if (since === 0) {
    return notSetUp(
      `Upstream not configured: no copy of ${register} is here yet.`,
      `Her er endnu ingen kopi af ${register}.`,
    );
  }
  const path = extractPath(register);
  return new Failure('not_found', {
    code: 'changes_gone',
    status: 410,
    error: `Changes of ${register} are kept since transaction ${since}: begin anew with ${path}.`,
    errorDa: `Ændringer i ${register} er gemt fra transaktion ${since}: begynd forfra med ${path}.`,
    headers: { link: `<${path}>; rel="start"` },
  });
}

interface ExtractAsked {
  readonly register: MirrorId;
  readonly transaktion?: number;
  readonly entitet?: string;
  readonly format?: 'ndjson' | 'csv';
}

interface Sending {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly services: Services;
  readonly extracts: OpenStreams;
}

async function sendExtract(
  { request, reply, services, extracts }: Sending,
  { register, transaktion, entitet, format = 'ndjson' }: ExtractAsked,
): Promise<FastifyReply> {
  const { source, longAnswers } = changesOf(services);
  const entities = entitiesNamed(source, { register, entitet, format });
  const latest = await latestChange(source.db).catch(unreachable);
  const atTransaction = transaktion ?? latest.transaction;
  const etag = `W/"${register}-${entitet ?? ''}-${atTransaction}-${format}"`;
  const since = await eventsUntil(source, atTransaction).catch(unreachable);
  void reply.headers({ ...NO_STORE, etag, link: `<${nextPath(since)}>; rel="next"` });
  if (matchesNone(request.headers['if-none-match'], etag)) return reply.code(304).send();
  extracts.enter(holderOfVisit(request), reply);
  await requireExtract(source, { register, atTransaction }).catch(told);
  const cloned = clonedSource(source, [register]);
  const given = { source: cloned, register, entities, atTransaction, format };
  // Reads rows before the head: what cannot be served is an error, not an empty extract.
  const asked = { maker: EXTRACT_TEXT, given };
  const { pieces } = await openLong({ request, reply }, longAnswers, asked);
  const units = Math.max(
    1,
    unitsOf(await countRows(source, register, entities).catch(unreachable)),
  );
  await request.visit?.reserveAll(units);
  request.visit?.answered(units, atTransaction);
  void reply.headers({
    'content-type': format === 'csv' ? CSV_TYPE : LINES_TYPE,
    'x-service-units': units,
    'accept-ranges': 'none',
  });
  return sendLong({ request, reply }, pieces);
}

async function eventsUntil({ db }: ChangeSource, transaction: number): Promise<number> {
  const [next] = await readTransactions(db, { from: transaction + 1, limit: 1 });
  return next === undefined ? (await latestChange(db)).event : next.firstEvent - 1;
}

interface EntitiesAsked {
  readonly register: MirrorId;
  readonly entitet: string | undefined;
  readonly format: 'ndjson' | 'csv';
}

function entitiesNamed(
  { schemas }: ChangeSource,
  { register, entitet, format }: EntitiesAsked,
): readonly string[] {
  const all = entitiesOf(register, schemas).map(({ entity }) => entity);
  const entities = entitet === undefined ? all : all.filter((entity) => entity === entitet);
  if (entities.length === 1 || (entities.length > 1 && format === 'ndjson')) return entities;
  throw new Failure('invalid_request', {
    error: `entitet must be one of ${all.join(', ')}; for csv exactly one.`,
    errorDa: `entitet skal være en af ${all.join(', ')}; til csv netop én.`,
  });
}
