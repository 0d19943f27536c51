import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { FAILURES, Failure, codesOf } from '../../../kernel/failures.ts';
import type { FailureClass, FailureType } from '../../../kernel/failures.ts';
import type { Shell } from '../../pages/shell.ts';
import { wants } from '../../wire/accept.ts';
import { PAGE_HEADERS } from '../../wire/page-wish.ts';
import { failureClassRoute, failureClassesRoute } from './schema.ts';

const TYPES = Object.keys(FAILURES) as FailureType[];

export function failureClassRoutes(app: FastifyInstance, shell: Shell): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.get('/v1/errors', { schema: failureClassesRoute }, (_request, reply) => {
    void reply.send({ errors: TYPES.map(renderClass) });
  });

  routes.get('/v1/errors/:type', { schema: failureClassRoute }, (request, reply) => {
    const type = TYPES.find((known) => known === request.params.type);
    if (type === undefined) {
      throw new Failure('not_found', {
        error: 'There is no failure class of this name. See /v1/errors.',
        errorDa: 'Der findes ingen fejlklasse med dette navn. Se /v1/errors.',
      });
    }
    if (wants(request.headers.accept, 'text/html')) {
      void reply.headers(PAGE_HEADERS).serializer(String).send(failurePage(shell, type));
    } else {
      void reply.header('vary', 'Accept').send(renderClass(type));
    }
  });
}

function renderClass(type: FailureType) {
  const { status, retryable, da, en } = FAILURES[type];
  return { type, status, retryable, codes: codesOf(type), beskrivelse: da, description: en };
}

/** Repeats nothing of the request. */
export function failurePage(shell: Shell, type: FailureType): string {
  const { status, retryable, da, en, retryAfterS }: FailureClass = FAILURES[type];
  const causes = codesOf(type)
    .map((code) => `<li><code>${code}</code></li>`)
    .join('');
  const wait =
    retryAfterS === undefined ? '' : ' Vent så længe, som <code>Retry-After</code> siger.';
  const retry = retryable ? `Ja.${wait}` : 'Nej. Ret forespørgslen først.';
  return shell.plainDocument({
    title: 'Fejlklasse',
    root: '../../',
    main: `<section class="card narrow prose">
<h2><code>${type}</code></h2>
<p>${da}</p>
<p class="muted" lang="en">${en}</p>
<p><strong>HTTP-status:</strong> ${status}</p>
<p><strong>Kan et nyt forsøg hjælpe?</strong> ${retry}</p>
<p><strong>Årsager (<code>code</code>):</strong></p><ul>${causes}</ul>
<p><a href="../errors">Alle fejlklasser (JSON)</a> · <a href="../../docs">Dokumentation</a></p>
</section>`,
  });
}
