/** Acts of operators and persons (D199, D216). English, as events are. */
import { Type } from 'typebox';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { closed, errors, nullable, oneOf, query } from '../../../core/question/schemas.ts';
import { instant } from '../../../kernel/clock.ts';
import { OPS_LIMITS } from '../../../ops/limits.ts';
import type { KeptAct } from '../../../ops/operator-acts.ts';
import { unreachable } from '../../wire/unreachable.ts';
import { operatorOf } from '../drift/operator-of.ts';
import { actNumber, actsPerPage, changesOf, nextOf } from '../drift/trail-routes.ts';
import { accountsOf } from '../session/gate.ts';
import { requireSession } from './caller.ts';
import type { RouteGroup } from '../../services.ts';

const count = Type.Integer({ minimum: 0 });

const actsRoute = {
  operationId: 'acts',
  summary: 'What operators and its own persons did to the account, newest first',
  tags: ['me'],
  security: [{ session: [] }],
  querystring: query({
    before: actNumber('`next` of the page before.'),
    limit: actsPerPage,
  }),
  response: {
    200: closed({
      acts: Type.Array(
        closed({
          number: count,
          time: Type.String({ format: 'date-time' }),
          who: Type.String({ description: "The operator's name, or the person's address." }),
          via: oneOf(['command', 'api']),
          act: Type.String(),
          target: nullable(Type.String({ description: 'Id of a key, endpoint or delivery.' })),
          changes: Type.Array(
            closed({
              field: Type.String(),
              before: nullable(Type.String()),
              after: nullable(Type.String()),
            }),
            { description: 'Values as JSON; null: not known, or not asked for.' },
          ),
        }),
        { maxItems: OPS_LIMITS.actsPerPage.max },
      ),
      next: nullable(count),
    }),
    ...errors(400, 401, 403, 503),
  },
};

export function renderActs(acts: readonly KeptAct[], limit: number) {
  return {
    acts: acts.map((act) => ({
      ...{ number: act.id, time: instant(act.atMs), who: act.who, via: act.via },
      ...{ act: act.act, target: act.target, changes: [...changesOf(act)] },
    })),
    next: nextOf(acts, limit),
  };
}

export const actRoutes: RouteGroup = (app, services, { publicUrl }) => {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const reads = { schema: actsRoute, config: { role: 'reads' as const } };
  routes.get('/v1/me/acts', reads, async (request, reply) => {
    const { session } = await requireSession(request, accountsOf(services), publicUrl);
    const { before = null, limit = OPS_LIMITS.actsPerPage.default } = request.query;
    const acts = await operatorOf(services)
      .acts({ accountId: session.account.id, before, limit })
      .catch(unreachable);
    return reply.header('cache-control', 'no-store').send(renderActs(acts, limit));
  });
};
