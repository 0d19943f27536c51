/** Query strings and path parameters are text: decimals become numbers before the schema judges. */
import { AjvCompiler } from '@fastify/ajv-compiler';
import type { BuildCompilerFromPool } from '@fastify/ajv-compiler';
import type { FastifyInstance } from 'fastify';
import { coerceNumbers, numbersOf } from '../wire/decimals.ts';

/**
 * Ajv changes nothing: it removes no property (D18) and coerces no type, because its coercion reads
 * hexadecimal, blanks and infinities as numbers. `verbose` lets the error text name every unknown.
 */
export const AJV_OPTIONS = {
  removeAdditional: false,
  coerceTypes: false,
  useDefaults: true,
  allErrors: false,
  verbose: true,
} as const;

/** What it has compiled serves every app of the process. */
const compilerOf = AjvCompiler();

/**
 * One compiler of schemas for all routes of an app. The framework's own looks its compiler up by the
 * text of all published schemas, anew for each route: a third of a second of every start.
 */
export function sharedCompiler(): BuildCompilerFromPool {
  let compiler: ReturnType<BuildCompilerFromPool> | null = null;
  // Asked for when the app is ready: every schema is known by then.
  return (schemas, options) => (compiler ??= compilerOf(schemas, options));
}

export function installValidation(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const inQuery = numbersOf(route.schema?.querystring ?? {});
    const inPath = numbersOf(route.schema?.params ?? {});
    if (inQuery.length === 0 && inPath.length === 0) return;
    const before = route.preValidation === undefined ? [] : [route.preValidation].flat();
    route.preValidation = [
      (request, _reply, done) => {
        coerceNumbers(request.query as Record<string, unknown>, inQuery);
        coerceNumbers(request.params as Record<string, unknown>, inPath);
        done();
      },
      ...before,
    ];
  });
  // Answers are built by typed renderers and written as they are: a schema-driven writer would
  // quietly turn a null into an empty text. That answers fit their schemas is tested.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
}
