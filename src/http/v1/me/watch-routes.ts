/** Watch-lists (D234): by session only. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isId } from '../../../account/ids.ts';
import { Failure, notSetUp } from '../../../kernel/failures.ts';
import { instant } from '../../../kernel/clock.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { objectsOfCsv } from '../../../watch/csv.ts';
import type { WatchKind } from '../../../watch/kinds.ts';
import { WATCH_LIMITS } from '../../../watch/limits.ts';
import { noSuchList } from '../../../watch/lists.ts';
import type { ChangedWatch, NewWatch, WatchList, WatchLists } from '../../../watch/lists.ts';
import { charsetOf } from '../../plugins/body.ts';
import type { Services, RouteGroup } from '../../services.ts';
import { NO_STORE } from '../../wire/no-store.ts';
import { unreachable } from '../../wire/unreachable.ts';
import { actKeeper } from './person-routes.ts';
import { sessionGate } from './session-gate.ts';
import type { SessionGate } from './session-gate.ts';
import {
  changeWatchRoute,
  createWatchRoute,
  removeWatchRoute,
  testWatchRoute,
  watchRoute,
  watchesRoute,
} from './watch-schema.ts';

export const watchRoutes: RouteGroup = (app, services, { publicUrl }) => {
  const gate = sessionGate(services, publicUrl);
  void app.register((scope, _options, done) => {
    scope.addContentTypeParser('text/csv', { parseAs: 'buffer' }, ({ headers }, body, parsed) => {
      try {
        charsetOf(headers, ['utf-8']);
        parsed(null, body.toString('utf8'));
      } catch (error) {
        parsed(error as Error);
      }
    });
    writeRoutes(scope, services, gate);
    done();
  });
  readRoutes(app, services, gate);
};

type ListBody = Omit<NewWatch, 'kind' | 'name'> & {
  readonly navn: string;
  readonly type: NewWatch['kind'];
};

function writeRoutes(app: FastifyInstance, services: Services, gate: SessionGate): void {
  const keep = actKeeper(services, gate);
  const lists = () => listsOf(services);
  const big = {
    ...gate.uses,
    onRequest: [gate.onRequest, bodyGate(services, gate)],
    bodyLimit: WATCH_LIMITS.bodyBytes,
  };

  app.post('/v1/me/overvaagning', { schema: createWatchRoute, ...big }, async (request, reply) => {
    const wanted = newListOf(request);
    const { kind, objects } = wanted;
    await keep(request, {
      act: 'watch create',
      target: null,
      wanted: { kind, objects: objects.length },
    });
    const list = await lists().create(gate.accountId(request), wanted).catch(unreachable);
    request.log.info(
      { account: list.accountId, watch: list.id, objects: list.objects },
      'watch-list made',
    );
    return reply
      .code(201)
      .headers({ ...NO_STORE, location: `/v1/me/overvaagning/${list.id}` })
      .send({ liste: renderList(list) });
  });

  app.patch(
    '/v1/me/overvaagning/:id',
    { schema: changeWatchRoute, ...big },
    async (request, reply) => {
      const name = nameOf(request, gate);
      const { list: before } = await lists().read(name, { from: 0, count: 1 }).catch(unreachable);
      const change = changeOf(request, before.kind);
      const { name: _name, objects, ...others } = change;
      const act = { ...others, ...(objects !== undefined && { objects: objects.length }) };
      await keep(request, { act: 'watch change', target: name.listId, wanted: act });
      const list = await lists().change(name, change).catch(unreachable);
      request.log.info({ account: list.accountId, watch: list.id }, 'watch-list changed');
      return reply.headers(NO_STORE).send({ liste: renderList(list) });
    },
  );
}

/** Reads JSON, or the parameters of a CSV. Throws `invalid_request`. */
function newListOf(request: FastifyRequest): NewWatch {
  if (typeof request.body !== 'string') {
    const { navn, type, objekter } = request.body as ListBody & { objekter: NewWatch['objects'] };
    return { name: navn, kind: type, objects: objekter };
  }
  const { navn, type } = request.query as Partial<ListBody>;
  if (navn === undefined || type === undefined) {
    throw new Failure('invalid_request', {
      error: 'navn and type are parameters where the body is CSV: send both.',
      errorDa: 'navn og type er parametre, hvor indholdet er CSV: send begge.',
    });
  }
  return { name: navn, kind: type, objects: objectsOfCsv(request.body, type) };
}

function changeOf({ body }: FastifyRequest, kind: WatchKind): ChangedWatch {
  if (typeof body === 'string') return { objects: objectsOfCsv(body, kind) };
  const { navn, paa_pause, objekter } = body as {
    navn?: string;
    paa_pause?: boolean;
    objekter?: NewWatch['objects'];
  };
  return {
    ...(navn !== undefined && { name: navn }),
    ...(paa_pause !== undefined && { paused: paa_pause }),
    ...(objekter !== undefined && { objects: objekter }),
  };
}

/** Few at a time: bodies are held whole. */
function bodyGate({ limiters }: Services, { accountId }: SessionGate) {
  const bodies = limiters.counter('watch-lists sent', WATCH_LIMITS.bodies);
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const account = accountId(request);
    if (bodies.add(account) !== null) {
      done(tooManySent());
      return;
    }
    reply.raw.once('close', () => bodies.remove(account));
    done();
  };
}

function tooManySent(): Failure {
  return new Failure('overloaded', {
    error: 'Too many watch-lists are being sent at a time: send one after the other.',
    errorDa: 'Der sendes for mange overvågningslister på én gang: send én ad gangen.',
    headers: { connection: 'close' },
  });
}

function readRoutes(app: FastifyInstance, services: Services, gate: SessionGate): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { reads, uses, accountId } = gate;
  const keep = actKeeper(services, gate);
  const lists = () => listsOf(services);

  routes.get('/v1/me/overvaagning', { schema: watchesRoute, ...reads }, async (request, reply) => {
    const all = await lists().list(accountId(request)).catch(unreachable);
    return reply.headers(NO_STORE).send({ lister: all.map(renderList) });
  });

  routes.get(
    '/v1/me/overvaagning/:id',
    { schema: watchRoute, ...reads },
    async (request, reply) => {
      const { fra: from = 0, antal: count = WATCH_LIMITS.page.default } = request.query;
      const { list, objects } = await lists()
        .read(nameOf(request, gate), { from, count })
        .catch(unreachable);
      return reply.headers(NO_STORE).send({ liste: renderList(list), objekter: [...objects] });
    },
  );

  routes.delete(
    '/v1/me/overvaagning/:id',
    { schema: removeWatchRoute, ...uses },
    async (request, reply) => {
      const name = nameOf(request, gate);
      await keep(request, { act: 'watch remove', target: name.listId, wanted: {} });
      await lists().remove(name).catch(unreachable);
      request.log.info({ account: name.accountId, watch: name.listId }, 'watch-list removed');
      return reply.code(204).headers(NO_STORE).send(null);
    },
  );

  const test = { schema: testWatchRoute, ...uses, bodyLimit: LIMITS.bodyBytes.form };
  routes.post('/v1/me/overvaagning/:id/test', test, async (request, reply) => {
    const modtagere = await lists().test(nameOf(request, gate)).catch(unreachable);
    return reply.code(202).headers(NO_STORE).send({ modtagere });
  });
}

function nameOf(request: FastifyRequest, { accountId }: SessionGate) {
  const { id } = request.params as { readonly id: string };
  if (!isId('watch', id)) throw noSuchList();
  return { accountId: accountId(request), listId: id };
}

function listsOf({ watches }: Pick<Services, 'watches'>): WatchLists {
  if (watches !== null && watches !== undefined) return watches;
  throw notSetUp(
    'Watch-lists are not set up in this process.',
    'Overvågning er ikke sat op i denne proces.',
  );
}

export function renderList(list: WatchList) {
  const { found } = list;
  return {
    ...{ id: list.id, navn: list.name, type: list.kind, antal: list.objects },
    ...{ paa_pause: list.paused, registre: [...list.registers], modtagere: list.receivers },
    sammenlignet_til: list.compared,
    seneste_fund: found && {
      ...{ transaktion: found.transaction, antal: found.events },
      tidspunkt: instant(found.atMs),
    },
    ...{ oprettet: instant(list.createdAtMs), aendret: instant(list.changedAtMs) },
  };
}
