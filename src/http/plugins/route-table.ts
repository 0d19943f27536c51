/** Separates 404 from 405, and fills Allow. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Failure } from '../../kernel/failures.ts';

export interface RouteTable {
  /** Sorted; includes OPTIONS. */
  methodsAt(url: string): readonly string[];
}

interface Entry {
  readonly segments: readonly string[];
  readonly methods: Set<string>;
}

/** Install before the first route. */
export function installRouteTable(app: FastifyInstance): RouteTable {
  const entries = new Map<string, Entry>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = entries.get(url) ?? { segments: segmentsOf(url), methods: new Set() };
    for (const name of [method].flat()) entry.methods.add(name);
    entries.set(url, entry);
  });
  return { methodsAt: (url) => methodsAt([...entries.values()], url) };
}

function methodsAt(entries: readonly Entry[], url: string): readonly string[] {
  const path = pathOf(url);
  const given = path.split('/');
  // OPTIONS * addresses the server (RFC 9110, 9.3.7).
  const methods = entries
    .filter(({ segments }) => path === '*' || fits(segments, given))
    .flatMap((entry) => [...entry.methods]);
  return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort();
}

/** The router drops scheme and host (RFC 9112, 3.2.2); malformed encodings are refused earlier. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? '';
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/**
 * `::` is a colon; `:name` matches a nonempty segment, `:name.json` one with that ending (kept as
 * `:.json`).
 */
function segmentsOf(pattern: string): readonly string[] {
  return pattern
    .split('/')
    .map((segment) =>
      /^:[^:]/.test(segment) ? segment.replace(/^:\w+/, ':') : segment.replaceAll('::', ':'),
    );
}

function fits(pattern: readonly string[], given: readonly string[]): boolean {
  const open = pattern.at(-1) === '*';
  if (open ? given.length < pattern.length : given.length !== pattern.length) return false;
  return pattern.every(
    (segment, index) =>
      (open && index === pattern.length - 1) || fitsSegment(segment, given[index] ?? ''),
  );
}

function fitsSegment(pattern: string, given: string): boolean {
  if (!pattern.startsWith(':')) return given === pattern;
  return given.length >= pattern.length && given.endsWith(pattern.slice(1));
}

/** Answers OPTIONS. */
export function sendAllowed(reply: FastifyReply, allowed: readonly string[]): FastifyReply {
  return reply.code(204).header('allow', allowed.join(', ')).send();
}

/** `allowed` empty: unknown path. */
export function unknownRoute(allowed: readonly string[]): Failure {
  if (allowed.length === 0) {
    return new Failure('not_found', {
      error: 'Nothing exists at this path.',
      errorDa: 'Der findes intet på denne sti.',
    });
  }
  const list = allowed.join(', ');
  return new Failure('method_not_allowed', {
    error: `The method is not allowed here. Allowed: ${list}.`,
    errorDa: `Metoden er ikke tilladt her. Tilladt: ${list}.`,
    headers: { allow: list },
  });
}
