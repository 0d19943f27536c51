/**
 * Renders every non-2xx answer. Separates unknown routes from wrong methods before a body is read.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyBaseLogger } from 'fastify';
import { isStoreUnreachable } from '../../kernel/failures.ts';
import type { Failure } from '../../kernel/failures.ts';
import { isServerUnavailable } from '../../kernel/server-unavailable.ts';
import type { EdgeOptions } from '../options.ts';
import { keyMissingPage, rootFrom } from '../pages/key-missing.ts';
import type { Door } from '../dawa/door.ts';
import type { Shell } from '../pages/shell.ts';
import { JSON_TYPE } from '../wire/row-formats.ts';
import { READABLE } from './cors.ts';
import { PAGE_HEADERS } from '../wire/page-wish.ts';
import { baseUrlOf, errorHeaders, renderError } from '../wire/error-object.ts';
import { preferredLanguage, wants } from '../wire/accept.ts';
import { failureOf } from './failures.ts';
import type { ShownKeys } from './shown-keys.ts';
import { standardHeaders } from './every-request.ts';
import { sendAllowed, unknownRoute } from './route-table.ts';
import type { RouteTable } from './route-table.ts';
import { HTTP_LIMITS } from '../limits.ts';

function notFoundPage(shell: Shell, url: string): string {
  const root = rootFrom(url);
  const front = root === '' ? './' : root;
  return shell.plainDocument({
    title: 'Findes ikke',
    root,
    main: `<section class="card narrow prose">
<h2>Siden findes ikke</h2>
<p>Adressen er skrevet forkert, eller linket er gammelt.</p>
<p>Gå til <a href="${front}">forsiden</a>, <a href="${root}kort">kortet</a> eller
<a href="${root}docs">dokumentationen</a>.</p>
<p class="muted" lang="en">There is no such page. Go to <a href="${front}">the front page</a>,
<a href="${root}kort">the map</a> or <a href="${root}docs">the documentation</a>.</p>
</section>`,
  });
}

export type SendError = (
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply;

export function installErrors(
  app: FastifyInstance,
  routes: RouteTable,
  { send, keys }: { readonly send: SendError; readonly keys: ShownKeys },
): void {
  app.setErrorHandler((error, request, reply) => send(error, request, reply));
  // The hook of a scope without routes runs for unknown ones alone.
  void app.register((scope, _options, registered) => {
    scope.addHook('onRequest', (request, reply, _done) => {
      const allowed = routes.methodsAt(request.url);
      if (request.method === 'OPTIONS' && allowed.length > 0) {
        sendAllowed(reply, allowed);
        return;
      }
      // Its own method has a route that rejects this path: 404, not 405.
      const others = allowed.includes(request.method) ? [] : allowed;
      const refuse = (): void => void send(unknownRoute(others), request, reply);
      const learning = keys.learn(request);
      if (learning === null) refuse();
      else void learning.then(refuse);
    });
    scope.setNotFoundHandler((request, reply) => send(unknownRoute([]), request, reply));
    registered();
  });
}

interface ErrorParts {
  readonly keys: ShownKeys;
  readonly shell: Shell;
  readonly door?: Pick<Door, 'owns' | 'hides' | 'errorText'> | null;
}

export function errorSender(
  options: EdgeOptions,
  { keys, shell, door = null }: ErrorParts,
): SendError {
  const log = new FailureLog();
  return (thrown, request, reply) => {
    const failure = failureOf(thrown, request.routeOptions.bodyLimit);
    if (isWorthLogging(failure)) log.note(request, failure);
    if (door?.hides(request) !== true) tellUndocumented(failure, request, options);
    const context = {
      language: preferredLanguage(request.headers['accept-language']),
      requestId: request.id,
      baseUrl: baseUrlOf(options.publicUrl, request.headers.host, request.raw.socket),
    };
    for (const name of Object.keys(reply.getHeaders())) {
      // Headers of a half-built answer do not apply to an error.
      if (name !== 'connection') reply.removeHeader(name);
    }
    const isAtDoor = door?.owns(request) === true;
    const page = isAtDoor ? null : pageOf(failure, request, { shell, baseUrl: context.baseUrl });
    const ofProgram = {
      ...keys.limitsOf(request),
      // Equal for all callers, or of DAWA, which every page may read.
      ...((isAtDoor || request.is404) && READABLE),
      ...(isAtDoor && { 'content-type': JSON_TYPE }),
    };
    const text = isAtDoor
      ? door.errorText(failure, request, context.language)
      : (page ?? JSON.stringify(renderError(failure, context)));
    return reply
      .code(failure.status)
      .headers({
        ...standardHeaders(request.id, request.raw),
        ...errorHeaders(failure, context),
        ...(page === null ? ofProgram : PAGE_HEADERS),
      })
      .serializer(String)
      .send(text);
  };
}

function tellUndocumented(
  { status }: Failure,
  { routeOptions: { schema, url } }: FastifyRequest,
  { onUndocumented }: EdgeOptions,
): void {
  const documented = schema?.response as object | undefined;
  if (documented !== undefined && !(status in documented)) onUndocumented?.(`${url}: ${status}`);
}

/** null: the caller is a program. */
function pageOf(
  { code }: Failure,
  { method, url, headers, is404 }: FastifyRequest,
  { shell, baseUrl }: { readonly shell: Shell; readonly baseUrl: string },
): string | null {
  if (method !== 'GET' || !wants(headers.accept, 'text/html')) return null;
  if (code === 'api_key_missing') return keyMissingPage(shell, { url, baseUrl });
  return is404 && code === 'not_found' ? notFoundPage(shell, url) : null;
}

const EXPECTED = new Set(['starting', 'nothing_mirrored', 'migration_failed']);

/** Outages have lines of their own, and would repeat a thousand times. */
function isWorthLogging(failure: Failure): boolean {
  const { cause, code, status, type } = failure;
  if (status < 500 || type === 'upstream_unavailable') return false;
  if (EXPECTED.has(code)) return false;
  // Other failures of the store are programming errors.
  return !isStoreUnreachable(failure) || (cause !== undefined && !isServerUnavailable(cause));
}

const WINDOW_MS = 1_000;

/**
 * Logs so many failures a second, and counts the rest: callers cannot flood the log.
 */
export class FailureLog {
  #logged = 0;
  readonly #suppressed = new Map<string, number>();
  #isCounting = false;

  note({ log, server }: Pick<FastifyRequest, 'log' | 'server'>, failure: Failure): void {
    if (!this.#isCounting) {
      this.#isCounting = true;
      setTimeout(() => this.#sum(server.log), WINDOW_MS).unref();
    }
    const { type, cause } = failure;
    const isRefusal = type === 'overloaded' && cause === undefined;
    if (!isRefusal && this.#logged < HTTP_LIMITS.failuresLoggedPerSecond) {
      this.#logged += 1;
      log.error({ err: cause ?? failure, type }, 'request failed');
    } else {
      this.#suppressed.set(type, (this.#suppressed.get(type) ?? 0) + 1);
    }
  }

  #sum(log: FastifyBaseLogger): void {
    const counts = Object.fromEntries(this.#suppressed);
    this.#isCounting = false;
    this.#logged = 0;
    this.#suppressed.clear();
    if (Object.keys(counts).length > 0) log.warn({ counts }, 'requests refused');
  }
}
