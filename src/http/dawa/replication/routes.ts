/** DAWA's replication protocol over the change log (D230 to D233). */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ENTITIES } from '../../../replication/entities.ts';
import type { Entity } from '../../../replication/entity.ts';
import type { EventRange, ReplicationLog, Transaction } from '../../../replication/log.ts';
import type { LongAnswers } from '../../../core/tasks/stream-reader.ts';
import { upstreamUnavailable } from '../../../kernel/failures.ts';
import type { Failure } from '../../../kernel/failures.ts';
import { CHANGE_LIMITS } from '../../../changes/limits.ts';
import { unitsOf } from '../../../changes/log.ts';
import type { Limiters } from '../../../kernel/limiters.ts';
import { holderOfVisit } from '../../access.ts';
import { openStreams } from '../../wire/open-streams.ts';
import type { OpenStreams } from '../../wire/open-streams.ts';
import { scopeMissing } from '../../wire/key-refusals.ts';
import { openLong, sendLong, sendStream } from '../../wire/send-body.ts';
import { unreachable } from '../../wire/unreachable.ts';
import { badParameters } from '../failure.ts';
import { PREFIX } from '../mount.ts';
import { Query } from './asked.ts';
import type { ReplicationFormat } from './asked.ts';
import { ROWS_TEXT, fitting, rowsBody } from './rows-text.ts';
import type { RowsGiven } from './rows-text.ts';
import { bodyOf, oneOf, typeOf } from './written.ts';
import type { Body, Table } from './written.ts';

const PAGE = 20;
const MOST_TRANSACTIONS = 100_000;

interface LongBody {
  readonly type: string;
  readonly given: RowsGiven;
}

interface Answer {
  readonly body: Body | LongBody;
  readonly units: number;
  readonly transaction: number | null;
}

type Answering = (query: Query, asked: Asked) => Promise<Answer>;

interface Asked {
  readonly log: ReplicationLog;
  readonly format: ReplicationFormat;
  readonly request: FastifyRequest;
}

export interface ReplicationParts {
  readonly log: ReplicationLog;
  readonly longAnswers: LongAnswers;
}

export function replicationDoor(
  app: FastifyInstance,
  parts: ReplicationParts,
  limiters: Limiters,
): void {
  const names = { en: 'extracts', da: 'udtræk' };
  const streams = openStreams(limiters, 'extracts', CHANGE_LIMITS.extracts, names);
  const add = (path: string, operation: string, answer: Answering) =>
    addPath(app, { path: `/replikering/${path}`, operation, answer, ...parts, streams });
  add('senestetransaktion', 'replikeringSenesteTransaktion', latestTransaction);
  add('senestesekvensnummer', 'replikeringSenesteSekvensnummer', latestEvent);
  add('transaktioner', 'replikeringTransaktioner', transactions);
  add('datamodel', 'replikeringDatamodel', dataModel);
  add('udtraek', 'replikeringUdtraek', (query, asked) => extract(namedEntity(query), query, asked));
  add('haendelser', 'replikeringHaendelser', (query, asked) =>
    events(namedEntity(query), query, asked),
  );
  for (const entity of ENTITIES) {
    if (entity.plural === null) continue;
    add(entity.plural, 'replikeringUdtraek', (query, asked) => extract(entity, query, asked));
    add(`${entity.plural}/haendelser`, 'replikeringHaendelser', (query, asked) =>
      events(entity, query, asked),
    );
  }
}

interface Path extends ReplicationParts {
  readonly path: string;
  readonly operation: string;
  readonly answer: Answering;
  /** Limits answers of more than a unit. */
  readonly streams: OpenStreams;
}

function addPath(app: FastifyInstance, of: Path): void {
  const { path, operation, answer, log, longAnswers, streams } = of;
  app.get(
    PREFIX + path,
    {
      schema: { hide: true, operationId: operation },
      config: {
        access: { area: 'replikering', restoresBurst: true },
        isReadableByPages: true,
      },
    },
    async (request, reply) => {
      const query = new Query(request.query);
      const format = query.format();
      const made = await answer(query, { log, format, request }).catch(unreachable);
      if (made.units > 1) streams.enter(holderOfVisit(request), reply);
      return await send({ request, reply }, longAnswers, { ...made, format });
    },
  );
}

async function send(
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  longAnswers: LongAnswers,
  { body, units, transaction, format }: Answer & { readonly format: ReplicationFormat },
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const sent =
    'given' in body
      ? (await openLong(exchange, longAnswers, { maker: ROWS_TEXT, given: body.given })).pieces
      : body.text;
  await request.visit?.reserveAll(units);
  request.visit?.answered(units, transaction);
  const { download } = format;
  if (download !== null) {
    const name = download === '' ? '' : `; filename*=UTF-8''${encodeURIComponent(download)}`;
    void reply.header('content-disposition', `attachment${name}`);
  }
  void reply.headers({ 'cache-control': 'no-store', 'x-service-units': units }).type(body.type);
  return sent instanceof Readable ? sendLong(exchange, sent) : sendStream(exchange, sent);
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

const TRANSACTION: Table = { columns: ['txid', 'tidspunkt', 'operationer'] };

const transactionOf = ({ nr, atMs, counts }: Transaction) => ({
  ...{ txid: nr, tidspunkt: timeOf(atMs), operationer: counts },
});

async function latestTransaction(query: Query, { log, format }: Asked): Promise<Answer> {
  query.check();
  const latest = await latestOf(log);
  return {
    body: oneOf(format, TRANSACTION, transactionOf(latest)),
    units: 0,
    transaction: latest.nr,
  };
}

async function latestEvent(query: Query, { log, format }: Asked): Promise<Answer> {
  query.check();
  const { lastEvent, atMs, nr } = await latestOf(log);
  const row = { sekvensnummer: lastEvent, tidspunkt: timeOf(atMs) };
  const body = oneOf(format, { columns: Object.keys(row) }, row);
  return { body, units: 0, transaction: nr };
}

async function transactions(query: Query, { log, format }: Asked): Promise<Answer> {
  const range = query.transactions();
  const [side, size] = [
    query.count('side', Number.MAX_SAFE_INTEGER),
    query.count('per_side', MOST_TRANSACTIONS),
  ];
  query.check();
  const isPaged = side !== null || size !== null;
  const take = isPaged ? (size ?? PAGE) : MOST_TRANSACTIONS;
  const skip = Math.min(((side ?? 1) - 1) * take, Number.MAX_SAFE_INTEGER);
  const rows = await log.transactions(range, { skip, take: isPaged ? take : take + 1 });
  if (!isPaged && rows.length > take) {
    throw badParameters(`Mere end ${take} transaktioner: angiv txidfra, eller side og per_side`);
  }
  const pages = inPages([rows.map((row) => JSON.stringify(transactionOf(row)))]);
  return {
    body: await bodyOf(format, TRANSACTION, pages),
    ...{ units: unitsOf(rows.length), transaction: rows.at(-1)?.nr ?? null },
  };
}

/** Clients create tables from it, so it lists only what is served. */
async function dataModel(query: Query, { format }: Asked): Promise<Answer> {
  query.check();
  const model = Object.fromEntries(
    ENTITIES.map(({ name, key, attributes }) => [
      name,
      {
        key,
        attributes: attributes.map((each) => ({
          ...{ name: each.name, type: each.type, nullable: each.nullable },
          description: each.description,
        })),
      },
    ]),
  );
  const isJson = { ...format, format: 'json' } as const;
  return await Promise.resolve({
    body: oneOf(isJson, { columns: [] }, model),
    units: 0,
    transaction: null,
  });
}

function namedEntity(query: Query): Entity {
  const name = query.text('entitet');
  const found = ENTITIES.find((entity) => entity.name === name?.toLowerCase());
  if (found !== undefined) return found;
  const names = ENTITIES.map((entity) => entity.name).join(', ');
  if (name === null) query.refuse('entitet', 'Parameteren entitet skal angives');
  else query.refuse('entitet', `Entiteten findes ikke her. Her findes: ${names}`);
  throw query.failure();
}

async function extract(entity: Entity, query: Query, asked: Asked): Promise<Answer> {
  const [txid, event] = [query.integer('txid'), query.integer('sekvensnummer')];
  const key = keyOf(entity, query);
  query.check();
  mayRead(asked.request, entity);
  const { log, format } = asked;
  const latest = await latestOf(log);
  if (event !== null && event > latest.lastEvent) throw beyond('hændelse', event, latest);
  const ofEvent = event === null ? null : await log.transactionOf(event);
  const nr = Math.min(txid ?? latest.nr, ofEvent?.nr ?? latest.nr, latest.nr);
  const begin = await log.beginOf(entity);
  if (begin === null) throw notYet();
  if (begin.nr > nr) throw tooEarly(entity, begin);
  const some = await log.rowsOf(entity, nr, key);
  const count = some === null ? await log.rowCount(entity) : Math.max(1, some.length);
  const units = unitsOf(count);
  if (some === null) {
    const given = { entity: entity.name, format, of: { transaction: nr, key } };
    return { body: await bodyOrLong(log, given, units), units, transaction: nr };
  }
  const table = { columns: entity.attributes.map(({ name }) => name) };
  const body = await bodyOf(format, table, fitting(inPages([some]), entity, key));
  return { body, units, transaction: nr };
}

async function events(entity: Entity, query: Query, asked: Asked): Promise<Answer> {
  const transactions = query.transactions();
  const range: Omit<EventRange, 'key'> = {
    from: query.integer('sekvensnummerfra'),
    to: query.integer('sekvensnummertil'),
    fromTransaction: transactions.from,
    toTransaction: transactions.to,
    fromMs: query.instant('tidspunktfra'),
    toMs: query.instant('tidspunkttil'),
  };
  const key = keyOf(entity, query);
  query.check();
  mayRead(asked.request, entity);
  const { log, format } = asked;
  const latest = await latestOf(log);
  if (range.to !== null && range.to > latest.lastEvent) throw beyond('Hændelse', range.to, latest);
  const begin = await log.beginOf(entity);
  if (begin === null) throw notYet();
  if (isBefore(range, begin)) throw tooEarly(entity, begin);
  const until = Math.min(range.toTransaction ?? latest.nr, latest.nr);
  const from = Math.max(range.fromTransaction ?? 0, begin.nr + 1);
  const whole = { ...range, fromTransaction: from, toTransaction: until, key };
  const count = await log.count(entity, whole);
  const units = unitsOf(count);
  const given = { entity: entity.name, format, of: { range: whole } };
  return { body: await bodyOrLong(log, given, units), units, transaction: latest.nr };
}

async function bodyOrLong(
  log: ReplicationLog,
  given: RowsGiven,
  units: number,
): Promise<Body | LongBody> {
  if (units > 1) return { type: typeOf(given.format), given };
  return await rowsBody(log, given);
}

async function* inPages(pages: readonly (readonly string[])[]): AsyncGenerator<readonly string[]> {
  for (const page of pages) yield await Promise.resolve(page);
}

function keyOf({ key, attributes, columns }: Entity, query: Query): readonly (string | null)[] {
  return key.map((name, n) => {
    const type = attributes.find((each) => each.name === name)?.type;
    if (type === 'integer') return query.integer(name)?.toString() ?? null;
    const text = query.text(name);
    if (text === null) return null;
    if (columns[n]?.type === 'uuid') return query.uuid(name, text);
    const isCode = /^\d{1,4}$/.test(text) && /kode$|^(?:post)?nr$/.test(name);
    return isCode ? text.padStart(4, '0') : text;
  });
}

function mayRead({ visit }: FastifyRequest, { area }: Entity): void {
  if (visit !== null && !visit.principal.areas.has(area)) throw scopeMissing([area]);
}

async function latestOf(log: ReplicationLog): Promise<Transaction> {
  const latest = await log.latest();
  if (latest === null) throw notYet();
  return latest;
}

function notYet(): Failure {
  return upstreamUnavailable(
    'Nothing is replicated yet: the registers are being mirrored for the first time.',
    'Intet er replikeret endnu: registrene hentes for første gang.',
  );
}

/** A reader at the preceding number has missed only what begins there. */
function isBefore(range: Omit<EventRange, 'key'>, begin: Transaction): boolean {
  const { from, fromTransaction, fromMs } = range;
  if (fromTransaction !== null && fromTransaction <= begin.nr) return true;
  return (from !== null && from < begin.lastEvent) || (fromMs !== null && fromMs <= begin.atMs);
}

/** The text is DAWA's. */
function beyond(hændelse: string, nr: number, { lastEvent }: Transaction): Failure {
  return badParameters(
    `${hændelse} med sekvensnummer ${nr} findes ikke. Seneste sekvensnummer: ${lastEvent}`,
  );
}

function tooEarly({ name }: Entity, { nr, lastEvent }: Transaction): Failure {
  return badParameters(
    `Hændelser for ${name} findes efter txid ${nr} og sekvensnummer ${lastEvent}. Hent et nyt udtræk: /replikering/udtraek?entitet=${name}`,
  );
}
