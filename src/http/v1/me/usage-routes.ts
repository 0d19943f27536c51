/** In English, as events are. */
import { Type } from 'typebox';
import { ENVIRONMENTS } from '../../../account/plans.ts';
import { closed, errors, oneOf, query } from '../../../core/question/schemas.ts';
import { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Failure, notSetUp } from '../../../kernel/failures.ts';
import { monthOf, parseMonth } from '../../../metering/calendar.ts';
import type { Month } from '../../../metering/calendar.ts';
import type { BillLine, UsageLedger } from '../../../metering/usage.ts';
import { sendLimits } from '../../plugins/access.ts';
import type { Services, RouteGroup } from '../../services.ts';
import { NO_STORE } from '../../wire/no-store.ts';
import { csvLine } from '../../wire/csv.ts';
import { nothing } from '../../wire/range.ts';
import { shownKey } from '../../access.ts';
import { refuseWhileUnavailable, unreachable } from '../../wire/unreachable.ts';
import { accountsOf } from '../session/gate.ts';
import { admitKey, requireSession } from './caller.ts';
import { renderBillLine, renderUsage } from './render.ts';

const count = Type.Integer({ minimum: 0 });

const month = Type.Optional(
  Type.String({
    pattern: '^(19[789]|2\\d\\d)\\d-(0[1-9]|1[0-2])$',
    description: 'A month of Danish time, such as 2026-03. Default: the one that runs.',
  }),
);

const TotalSchema = closed({
  units: count,
  requests: count,
  allowance: Type.Integer({ minimum: 0, description: 'Units the plan includes.' }),
  ceiling: Type.Integer({ minimum: 0, description: 'Units after which calls are refused.' }),
  overage_units: Type.Integer({ minimum: 0, description: 'Beyond the allowance; billed apart.' }),
});

const common = {
  tags: ['me'],
  security: [{ session: [] }, { apiKey: [] }, { queryToken: [] }],
};
const failures = errors(400, 401, 403, 429, 503);

export const usageRoute = {
  ...common,
  operationId: 'usage',
  summary: 'Units used in a month, by day, key and operation; a second or two after the answers',
  querystring: query({ month }),
  response: {
    200: closed({
      month: Type.String({ description: 'In Europe/Copenhagen.' }),
      live: TotalSchema,
      test: TotalSchema,
      days: Type.Array(
        closed({
          day: Type.String({ format: 'date' }),
          key_id: Type.String(),
          operation: Type.String(),
          environment: oneOf(ENVIRONMENTS),
          units: count,
          requests: count,
        }),
      ),
    }),
    ...failures,
  },
};

export const LINE_FORMATS = ['csv', 'ndjson'] as const;

const text = { schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary' }) };

export const usageLinesRoute = {
  ...common,
  operationId: 'usageLines',
  summary: 'The lines a month is billed by: their units add up to what the month has',
  description:
    'One line an answered request of a live key, oldest first: time, request_id, operation, units, ' +
    'generation, key_id. Streamed; an answer that breaks off is not whole. In the CSV a cell that a ' +
    "spreadsheet would run as a formula begins with '.",
  querystring: query({ month, format: Type.Optional(oneOf(LINE_FORMATS, 'Default: csv.')) }),
  response: {
    200: {
      description: 'The lines.',
      content: { 'text/csv': text, 'application/x-ndjson': text },
    },
    ...failures,
  },
};

type Format = (typeof LINE_FORMATS)[number];

export const usageRoutes: RouteGroup = (app, services, { publicUrl }) => {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const monthNamed = (name: string | undefined): Month => {
    const month =
      name === undefined ? monthOf(accountsOf(services).clock.nowMs()) : parseMonth(name);
    if (month !== null) return month;
    throw new Failure('invalid_request', {
      error: 'month must be a month such as 2026-03.',
      errorDa: 'month skal være en måned som 2026-03.',
    });
  };

  const reads = { schema: usageRoute, onSend: sendLimits, config: { role: 'reads' as const } };
  routes.get('/v1/me/usage', reads, async (request, reply) => {
    const { accountId, tier, capUnits } = await askerOf(request, services, publicUrl);
    const month = monthNamed(request.query.month);
    const plan = accountsOf(services).plans[tier];
    const usage = await usageOf(services)
      .read({ accountId, month, plan, capUnits })
      .catch(unreachable);
    return reply.headers(NO_STORE).send(renderUsage(usage));
  });

  routes.get(
    '/v1/me/usage/lines',
    { schema: usageLinesRoute, onSend: sendLimits, config: { role: 'pays' } },
    async (request, reply) => {
      const { accountId } = await askerOf(request, services, publicUrl);
      const { month: name, format = 'csv' } = request.query;
      const month = monthNamed(name);
      const lines = usageOf(services).lines({ accountId, month });
      // Reads a page before the head: an unavailable store is an error, not an empty file.
      const first = await lines.next().catch(unreachable);
      const file = `usage-${month.key}.${format}`;
      return reply
        .headers({
          ...NO_STORE,
          'content-type':
            format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson',
          'content-disposition': `attachment; filename="${file}"`,
        })
        .send(request.method === 'HEAD' ? nothing() : Readable.from(written(first, lines, format)));
    },
  );
};

/** Browsers send cookies unasked, so a key wins. */
async function askerOf(request: FastifyRequest, services: Services, ownOrigin: string | null) {
  const accounts = accountsOf(services);
  const secret = shownKey(request);
  if (secret === null) {
    const { session } = await requireSession(request, accounts, ownOrigin);
    const { id: accountId, tier, capUnits } = session.account;
    return { accountId, tier, capUnits };
  }
  const { accountId, tier, capUnits } = await admitKey(request, secret, { services, accounts });
  return { accountId, tier, capUnits };
}

function usageOf(services: Services): UsageLedger {
  refuseWhileUnavailable(services);
  if (services.usage !== null) return services.usage;
  throw notSetUp('Usage is not counted in this process.', 'Forbrug tælles ikke i denne proces.');
}

/** A chunk per line would cost more than the line. */
const LINES_PER_CHUNK = 200;

async function* written(
  first: IteratorResult<BillLine, void>,
  rest: AsyncGenerator<BillLine, void>,
  format: Format,
): AsyncGenerator<string> {
  const write = format === 'csv' ? csvOf : jsonLine;
  let chunk = format === 'csv' ? 'time,request_id,operation,units,generation,key_id\r\n' : '';
  let held = 0;
  for (let next = first; next.done !== true; next = await rest.next()) {
    chunk += write(next.value);
    if (++held % LINES_PER_CHUNK > 0) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function jsonLine(line: BillLine): string {
  return `${JSON.stringify(renderBillLine(line))}\n`;
}

/** Escapes formulas (D73): a request id may be the caller's (D65). */
function csvOf(line: BillLine): string {
  return csvLine(Object.values(renderBillLine(line)));
}
