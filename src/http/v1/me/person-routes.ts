/** Persons and their roles (D216). */
import { Type } from 'typebox';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Person } from '../../../account/person-store.ts';
import { ROLES } from '../../../account/roles.ts';
import {
  BODY_STATUSES,
  closed,
  errors,
  idOf,
  oneOf,
  query,
} from '../../../core/question/schemas.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { senderOfRequest } from '../../access.ts';
import type { Services, RouteGroup } from '../../services.ts';
import { NO_STORE } from '../../wire/no-store.ts';
import { unreachable } from '../../wire/unreachable.ts';
import { accountsOf } from '../session/gate.ts';
import { renderPerson } from './render.ts';
import { EmailAddress, PersonRef } from './schema.ts';
import { sessionGate } from './session-gate.ts';
import type { SessionGate } from './session-gate.ts';

const common = { tags: ['me'], security: [{ session: [] }], querystring: query({}) };
const statuses = [...BODY_STATUSES, 401, 403, 404, 409, 503] as const;
const roles = Type.Array(oneOf(ROLES), {
  minItems: 1,
  maxItems: ROLES.length,
  description:
    'What the person may do: `reads` sees; `uses` makes keys, jobs and webhooks; `pays` sees the bill and sets ' +
    'the alarm; `administers` does all of it, and invites.',
});
const params = idOf('person');
const person = closed({ person: PersonRef });

export const personsRoute = {
  ...common,
  operationId: 'persons',
  summary: 'Who may sign in to the account, and what each may do',
  response: { 200: closed({ persons: Type.Array(PersonRef) }), ...errors(400, 401, 403, 503) },
};
export const inviteRoute = {
  ...common,
  operationId: 'invitePerson',
  summary: 'Lets a colleague sign in by an e-mail address',
  body: closed({
    email: EmailAddress,
    roles,
  }),
  response: {
    201: closed({
      person: PersonRef,
      mailed: Type.Boolean({
        description: 'Whether a letter with a link is sent; else the operator makes one.',
      }),
    }),
    ...errors(...statuses, 429),
  },
};
export const changePersonRoute = {
  ...common,
  operationId: 'changePerson',
  summary: 'Changes what a person may do, at once',
  params,
  body: closed({ roles }),
  response: { 200: person, ...errors(...statuses) },
};
export const removePersonRoute = {
  ...common,
  operationId: 'removePerson',
  summary: 'Ends a person’s access: sessions, their pages’ keys and unused links at once',
  params,
  response: {
    204: { description: 'The person is removed.', type: 'null' },
    ...errors(...statuses),
  },
};

export const personRoutes: RouteGroup = (app, services, { publicUrl }) => {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const gate = sessionGate(services, publicUrl);
  const { onRequest, reads, accountId } = gate;
  const persons = () => accountsOf(services).persons;
  const keep = actKeeper(services, gate);
  const form = { onRequest, bodyLimit: LIMITS.bodyBytes.form };

  routes.get('/v1/me/persons', { schema: personsRoute, ...reads }, async (request, reply) => {
    const found = await persons().list(accountId(request)).catch(unreachable);
    return reply.headers(NO_STORE).send({ persons: found.map(renderPerson) });
  });

  routes.post('/v1/me/persons', { schema: inviteRoute, ...form }, async (request, reply) => {
    const { email, roles: wanted } = request.body;
    const { letters } = accountsOf(services);
    const by = accountId(request);
    const giveBack = await letters?.takeInvitation({ email, by }).catch(unreachable);
    const invite = async () => {
      await keep(request, { act: 'person invite', target: null, wanted: { email, roles: wanted } });
      return await persons().invite(by, { email, roles: wanted });
    };
    const { person: made, account } = await invite().catch(async (error: unknown) => {
      await giveBack?.();
      return unreachable(error);
    });
    request.log.info({ account: by, person: made.id }, 'person invited');
    const invited = { ...made, account: account.name, by: gate.sessionOf(request).person.email };
    const mailed = letters?.invite(invited, giveBack) ?? false;
    if (!mailed) await giveBack?.();
    const answer = { person: renderPerson(made), mailed };
    return reply.code(201).headers(NO_STORE).send(answer);
  });

  const change = { schema: changePersonRoute, ...form };
  routes.patch('/v1/me/persons/:id', change, async (request, reply) => {
    const { id } = request.params;
    await keep(request, { act: 'person roles', target: id, wanted: request.body });
    const { roles: wanted } = request.body;
    const changed = await persons().setRoles(accountId(request), id, wanted).catch(unreachable);
    request.log.info({ account: accountId(request), person: changed.id }, 'person changed');
    return reply.headers(NO_STORE).send({ person: renderPerson(changed) });
  });

  const remove = { schema: removePersonRoute, onRequest };
  routes.delete('/v1/me/persons/:id', remove, async (request, reply) => {
    const { id } = request.params;
    await keep(request, { act: 'person remove', target: id, wanted: {} });
    const removed = await persons().remove(accountId(request), id).catch(unreachable);
    request.log.info({ account: accountId(request), person: removed.id }, 'person removed');
    return reply.code(204).headers(NO_STORE).send(null);
  });
};

interface Act {
  readonly act: string;
  /** Id of a person or key. */
  readonly target: string | null;
  readonly wanted: object;
}

/** Records an act under its person's address before it is done. */
export function actKeeper(services: Services, { sessionOf }: Pick<SessionGate, 'sessionOf'>) {
  return async (request: FastifyRequest, { act, target, wanted }: Act): Promise<void> => {
    const { recordAct, persons } = accountsOf(services);
    const { account, person: doer } = sessionOf(request);
    const known: readonly Person[] =
      target === null ? [] : await persons.list(account.id).catch(unreachable);
    const before = known.find(({ id }) => id === target) ?? null;
    await recordAct({
      ...{ who: doer.email, via: 'api', from: senderOfRequest(request), requestId: request.id },
      ...{ act, accountId: account.id, target, before, wanted },
    }).catch(unreachable);
  };
}
