/** The alarm of an account's month (D216). */
import { Type } from 'typebox';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { ACCOUNT_LIMITS } from '../../../account/limits.ts';
import { BODY_STATUSES, closed, errors, nullable, query } from '../../../core/question/schemas.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { NO_STORE } from '../../wire/no-store.ts';
import { unreachable } from '../../wire/unreachable.ts';
import { accountsOf } from '../session/gate.ts';
import { actKeeper } from './person-routes.ts';
import { sessionGate } from './session-gate.ts';
import type { RouteGroup } from '../../services.ts';

const { min, max } = ACCOUNT_LIMITS.alarmUnits;
const units = nullable(
  Type.Integer({
    minimum: min,
    maximum: max,
    description: 'Live units of a month after which those who pay get a letter; null: none.',
  }),
);
const common = { tags: ['me'], security: [{ session: [] }], querystring: query({}) };
const answer = closed({
  units,
  mailed: Type.Boolean({ description: 'Whether the service can send letters.' }),
});

const alarmRoute = {
  ...common,
  operationId: 'alarm',
  summary: "The alarm of the account's month",
  response: { 200: answer, ...errors(400, 401, 403, 503) },
};
const setAlarmRoute = {
  ...common,
  operationId: 'setAlarm',
  summary: "Sets the alarm of the account's month; lookups go on after it",
  body: closed({ units }),
  response: { 200: answer, ...errors(...BODY_STATUSES, 401, 403, 503) },
};

export const alarmRoutes: RouteGroup = (app, services, { publicUrl }) => {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const gate = sessionGate(services, publicUrl);
  const { onRequest, reads, accountId } = gate;
  const keep = actKeeper(services, gate);
  const mailed = () => accountsOf(services).letters !== null;

  routes.get('/v1/me/alarm', { schema: alarmRoute, ...reads }, async (request, reply) => {
    const set = await accountsOf(services).alarms.read(accountId(request)).catch(unreachable);
    return reply.headers(NO_STORE).send({ units: set, mailed: mailed() });
  });

  const pays = { onRequest, config: { role: 'pays' as const }, bodyLimit: LIMITS.bodyBytes.form };
  routes.put('/v1/me/alarm', { schema: setAlarmRoute, ...pays }, async (request, reply) => {
    await keep(request, { act: 'alarm', target: null, wanted: request.body });
    const { units: wanted } = request.body;
    await accountsOf(services).alarms.set(accountId(request), wanted).catch(unreachable);
    return reply.headers(NO_STORE).send({ units: wanted, mailed: mailed() });
  });
};
