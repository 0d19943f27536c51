/** Changes known in advance (D138). */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { storableText } from '../../../kernel/text.ts';
import type { ConfirmAnswer, ConfirmRefusal, DatedChange } from '../../../ops/dated-changes.ts';
import type { Services } from '../../services.ts';
import { NO_STORE } from '../../wire/no-store.ts';
import { unreachable } from '../../wire/unreachable.ts';
import {
  CHANGES,
  DATED_CHANGE,
  changesRoute,
  confirmRoute,
  unconfirmRoute,
} from './change-schema.ts';
import { operatorOf } from './operator-of.ts';
import { doerOf } from './gate.ts';
import type { Gate } from './gate.ts';

export function changeRoutes(app: FastifyInstance, services: Services, gate: Gate): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const guarded = <S>(schema: S) => ({ schema, onRequest: gate });
  const form = { ...guarded(confirmRoute), bodyLimit: LIMITS.bodyBytes.form };

  routes.get('/v1/drift/varsler', guarded(changesRoute), async (_request, reply) => {
    const known = await operatorOf(services).changes().catch(unreachable);
    return reply.headers(NO_STORE).send(CHANGES.render(known));
  });

  routes.post('/v1/drift/varsler/:id/godkend', form, async (request, reply) => {
    const { id } = request.params;
    const remark = storableText(request.body?.bemaerkning ?? '').trim();
    const by = doerOf(request, request.body?.af);
    const answer = await operatorOf(services)
      .confirm(id, remark === '' ? null : remark, by)
      .catch(unreachable);
    request.log.warn(
      { change: id, who: by.who, answer: answer.state },
      'operator confirmed a change',
    );
    return reply.headers(NO_STORE).send(DATED_CHANGE.render(done(answer, id)));
  });

  routes.delete(
    '/v1/drift/varsler/:id/godkend',
    guarded(unconfirmRoute),
    async (request, reply) => {
      const { id } = request.params;
      const by = doerOf(request, request.query.af);
      const answer = await operatorOf(services).unconfirm(id, by).catch(unreachable);
      request.log.warn({ change: id, who: by.who, answer: answer.state }, 'operator took it back');
      return reply.headers(NO_STORE).send(DATED_CHANGE.render(done(answer, id)));
    },
  );
}

function done(answer: ConfirmAnswer, id: string): DatedChange {
  if (answer.state === 'done') return answer.change;
  if (answer.why === 'unknown') throw unknownChange(id);
  const [error, errorDa] = CONFLICTS[answer.why];
  throw new Failure('conflict', { error, errorDa });
}

const CONFLICTS: Readonly<Record<Exclude<ConfirmRefusal, 'unknown'>, readonly [string, string]>> = {
  past: [
    'Its instant has come: a confirmation is given and taken back before it. See frigiv of the layer.',
    'Tidspunktet er nået: en godkendelse gives og tages tilbage før det. Se lagets frigiv.',
  ],
  contradicted: [
    'The file and the announcement contradict each other: correct SOURCES_FILE first.',
    'Filen og opslaget modsiger hinanden: ret SOURCES_FILE først.',
  ],
  unprepared: [
    'What the change will do is not worked out yet: try again in a minute.',
    'Det er ikke beregnet endnu, hvad ændringen gør: prøv igen om et minut.',
  ],
  already: ['The change is confirmed already.', 'Ændringen er allerede godkendt.'],
  none: ['Nobody has confirmed the change.', 'Ingen har godkendt ændringen.'],
};

function unknownChange(id: string): Failure {
  const named = JSON.stringify(id.slice(0, 60));
  return new Failure('not_found', {
    error: `There is no change ${named}. See /v1/drift/varsler.`,
    errorDa: `Der findes intet varsel ${named}. Se /v1/drift/varsler.`,
  });
}
