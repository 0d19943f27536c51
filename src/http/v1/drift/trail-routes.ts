/** The trail of operators' acts (D199). */
import { Type } from 'typebox';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { errors, nullable, oneOf, query } from '../../../core/question/schemas.ts';
import { instant } from '../../../kernel/clock.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { OPS_LIMITS } from '../../../ops/limits.ts';
import type { KeptAct } from '../../../ops/operator-acts.ts';
import type { Services } from '../../services.ts';
import { unreachable } from '../../wire/unreachable.ts';
import { operatorOf } from './operator-of.ts';
import type { Gate } from './gate.ts';
import { common, count, time } from './schema-parts.ts';
import { listOf, shapeOf } from './shape.ts';

const VIA = { command: 'kommando', api: 'api' } as const satisfies Record<KeptAct['via'], string>;

const text = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: LIMITS.pathParameterChars },
      ...{ description, examples: [example] },
    }),
  );

const { default: usual, max } = OPS_LIMITS.actsPerPage;

export const actsPerPage = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: max,
    description: `How many acts. Default: ${usual}.`,
    examples: [20],
  }),
);

export const actNumber = (description: string) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description, examples: [200] }),
  );

export interface ActChange {
  readonly field: string;
  /** JSON; null: unknown or not requested. */
  readonly before: string | null;
  readonly after: string | null;
}

export function changesOf({ before, wanted }: KeptAct): readonly ActChange[] {
  const was: Readonly<Record<string, unknown>> = { ...before };
  return Object.entries(wanted).map(([field, value]) => ({
    ...{ field, before: field in was ? JSON.stringify(was[field]) : null },
    after: JSON.stringify(value),
  }));
}

export function nextOf(acts: readonly KeptAct[], limit: number): number | null {
  return acts.length < limit ? null : (acts.at(-1)?.id ?? null);
}

const change = shapeOf<ActChange>()({
  felt: [Type.String(), ({ field }) => field],
  foer: [nullable(Type.String()), ({ before }) => before],
  efter: [nullable(Type.String()), ({ after }) => after],
});

const act = shapeOf<KeptAct>()({
  nr: [count, ({ id }) => id],
  tidspunkt: [time, ({ atMs }) => instant(atMs)],
  af: [Type.String(), ({ who }) => who],
  via: [oneOf(Object.values(VIA)), ({ via }) => VIA[via]],
  fra: [Type.String({ description: 'Host or client address.' }), ({ from }) => from],
  handling: [Type.String(), (of) => of.act],
  konto: [nullable(Type.String()), ({ accountId }) => accountId],
  objekt: [nullable(Type.String()), ({ target }) => target],
  aendringer: listOf(change, changesOf, {
    description: 'Values as JSON; null: not known, or not asked for.',
  }),
  slettet: [
    Type.Boolean({ description: 'What it held of an erased customer is gone.' }),
    ({ redacted }) => redacted,
  ],
});

interface TrailOf {
  readonly acts: readonly KeptAct[];
  readonly limit: number;
}

export const TRAIL = shapeOf<TrailOf>()({
  handlinger: listOf(act, ({ acts }: TrailOf) => acts, { maxItems: max }),
  naeste: [nullable(count), ({ acts, limit }) => nextOf(acts, limit)],
});

const trailRoute = {
  operationId: 'driftHandlinger',
  summary: 'What operators did, by command line, page and API, newest first',
  ...common,
  querystring: query({
    af: text('Name of who did it, in any case.', 'Opdigtet Operatør'),
    objekt: text('Id of an account, key, endpoint, delivery, layer or change.', 'soe'),
    foer: actNumber('`naeste` of the page before.'),
    antal: actsPerPage,
  }),
  response: {
    200: TRAIL.schema,
    ...errors(400, 401, 403, 503),
  },
};

export function trailRoutes(app: FastifyInstance, services: Services, onRequest: Gate): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  routes.get('/v1/drift/handlinger', { schema: trailRoute, onRequest }, async (request, reply) => {
    const { af: who, objekt: object, foer: before = null, antal: limit = usual } = request.query;
    const acts = await operatorOf(services).acts({ who, object, before, limit }).catch(unreachable);
    return reply.header('cache-control', 'no-store').send(TRAIL.render({ acts, limit }));
  });
}
