import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answered, Body, Question } from '../../core/question/question.ts';
import type { FastPath } from '../fast-path/fast-path.ts';
import {
  BODY_STATUSES,
  KEYED_BATCH_STATUSES,
  KEYED_STATUSES,
  KEY_SECURITY,
  NOT_MODIFIED,
  PAGE_SECURITY,
  closed,
  errors,
  lookupAnswer,
  query,
} from '../../core/question/schemas.ts';
import type { AccessRule } from '../access.ts';
import { deadlineOf } from '../wire/deadline.ts';
import type { Typing } from '../typing.ts';
import { provenanceHeaders } from '../../answers/provenance.ts';
import { sendBytes, sendJson, sendText } from '../wire/send-json.ts';

export interface QuestionEdge {
  readonly fastPath: Pick<FastPath, 'add' | 'close'>;
  readonly typing: Typing;
}

/** `ground`: the lookups that answer. */
export function questionRoutes<G>(
  app: FastifyInstance,
  { questions, ground }: { readonly questions: readonly Question<G>[]; readonly ground: G },
  { fastPath: plain, typing }: QuestionEdge,
): void {
  for (const question of questions) {
    const rule = ruleOf(question);
    const { path, key, atOnce, bodyLimit } = question;
    if (atOnce !== null && rule !== null) {
      plain.add({
        ...{ path, operation: key, rule },
        isReady: () => atOnce.isReady(ground),
        answer: (point, to) => atOnce.answer(ground, point, to),
      });
    }
    app.route({
      method: question.body === undefined ? 'GET' : 'POST',
      url: path.replace(/:batch$/, '::batch'),
      schema: documentOf(question),
      ...(rule !== null && { config: { access: rule } }),
      ...(bodyLimit !== undefined && { bodyLimit }),
      handler: handlerOf(question, ground, typing),
    });
  }
}

/** null: no key is needed. */
function ruleOf<G>({ area, body, isForPages, mostUnits }: Question<G>): AccessRule | null {
  if (area === null) return null;
  return {
    area,
    ...(body !== undefined && { batch: true }),
    ...(isForPages && { publicKeys: true }),
    ...(mostUnits !== null && { mostUnits: (request) => mostUnits(request.body) }),
  };
}

export function documentOf<G>(question: Question<G>) {
  const { key, summary, description, tag, params, body, answer, headers = 'areas' } = question;
  const { area, isForPages, failures, isTagged = false } = question;
  const keyed = area === null ? [] : body === undefined ? KEYED_STATUSES : KEYED_BATCH_STATUSES;
  return {
    operationId: key,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    ...(params !== undefined && { params: closed(params) }),
    querystring: query(question.query ?? {}),
    ...(body !== undefined && { body }),
    response: {
      200: area === null ? answer : lookupAnswer(answer, headers),
      ...(isTagged && { 304: NOT_MODIFIED }),
      ...errors(...keyed, ...(body === undefined ? [] : BODY_STATUSES), ...failures),
    },
    ...(area !== null && { security: isForPages ? PAGE_SECURITY : KEY_SECURITY }),
  };
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

function handlerOf<G>(question: Question<G>, ground: G, typing: Typing): Handler {
  return (request, reply) => {
    const given: object = Object.assign({}, request.params, request.query, request.body);
    const finish = (found: Answered<unknown>): unknown => {
      const { value, facts, units: alone } = found;
      if (question.area !== null) {
        const act = question.typing;
        const units = act === undefined ? alone : typing.units(request, act, alone);
        if (act !== undefined) void reply.header('x-service-units', units);
        void reply.headers(provenanceHeaders(facts));
        request.visit?.answered(units, facts.generation);
      }
      const body = question.json(value, ground, given);
      return body instanceof Promise
        ? body.then((whole) => send(request, reply, whole))
        : send(request, reply, body);
    };
    const found = question.ask(ground, given, deadlineOf(reply));
    return found instanceof Promise ? found.then(finish) : finish(found);
  };
}

function send(request: FastifyRequest, reply: FastifyReply, body: Body): FastifyReply {
  if (typeof body === 'string') return sendText(reply, body);
  return Buffer.isBuffer(body) ? sendBytes(reply, body) : sendJson(request, reply, body);
}
