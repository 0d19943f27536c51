import { AjvCompiler } from '@fastify/ajv-compiler';
import type { BuildCompilerFromPool } from '@fastify/ajv-compiler';
import type { FastifyInstance, FastifySchema, preValidationHookHandler } from 'fastify';
import { STATED } from '../../core/question/schemas.ts';
import { invalidRequest } from '../../kernel/failures.ts';
import { decimalOf, wholeOf } from '../../kernel/number-texts.ts';

/**
 * Ajv removes no property (D18) and coerces no type: it accepts hexadecimal, blanks and infinities.
 * `verbose` names every unknown.
 */
export const AJV_OPTIONS = {
  removeAdditional: false,
  coerceTypes: false,
  useDefaults: true,
  allErrors: false,
  verbose: true,
  keywords: [STATED] as string[],
} as const;

type Compiler = ReturnType<BuildCompilerFromPool>;

/** Shared by all apps of the process. */
const compilerOf = AjvCompiler();

/** Compiled schemas by text: many routes share one. */
const compiledBy = new WeakMap<Compiler, Map<string, ReturnType<Compiler>>>();

function remembering(compile: Compiler): Compiler {
  const compiled = compiledBy.get(compile) ?? new Map<string, ReturnType<Compiler>>();
  compiledBy.set(compile, compiled);
  return (route) => {
    const text = JSON.stringify((route as { readonly schema?: object }).schema);
    const validate = compiled.get(text) ?? compile(route);
    compiled.set(text, validate);
    return validate;
  };
}

/** Avoids the framework's lookup by the text of all schemas, a third of a second at start. */
export function sharedCompiler(): BuildCompilerFromPool {
  let compiler: Compiler | null = null;
  // Called once all schemas are known.
  return (schemas, options) => (compiler ??= remembering(compilerOf(schemas, options)));
}

export function installValidation(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    refuseMalformed(request.url);
    done();
  });
  app.addHook('onRoute', (route) => {
    const numbers = readsNumbers(route.schema ?? {});
    if (numbers === null) return;
    const before = route.preValidation === undefined ? [] : [route.preValidation].flat();
    route.preValidation = [numbers, ...before];
  });
  // A schema-driven serializer would turn null into an empty text. Tests check answers against
  // their schemas.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
}

/** The parser keeps such codes as signs (D278). */
function refuseMalformed(url: string): void {
  if (!url.includes('%')) return;
  try {
    decodeURIComponent(url);
  } catch {
    throw invalidRequest(
      'The query has a percent-encoding that is not UTF-8: ø is %C3%B8, and % itself is %25.',
      'Forespørgslen har en procentkode, der ikke er UTF-8: ø er %C3%B8, og % selv er %25.',
    );
  }
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}

type NumberReader = readonly [name: string, read: (text: string) => number | null];

export function numbersOf({ properties = {} }: ObjectSchema): readonly NumberReader[] {
  return Object.entries(properties).flatMap(([name, { type }]): readonly NumberReader[] => {
    if (type === 'integer') return [[name, wholeOf]];
    return type === 'number' ? [[name, decimalOf]] : [];
  });
}

export function coerceNumbers(
  values: Record<string, unknown>,
  readers: readonly NumberReader[],
): void {
  for (const [name, read] of readers) {
    const text = values[name];
    if (typeof text === 'string') values[name] = read(text) ?? text;
  }
}

/** null: the route has no numbers. */
function readsNumbers({ querystring, params }: FastifySchema): preValidationHookHandler | null {
  const inQuery = numbersOf(querystring ?? {});
  const inPath = numbersOf(params ?? {});
  if (inQuery.length === 0 && inPath.length === 0) return null;
  return (request, _reply, done) => {
    coerceNumbers(request.query as Record<string, unknown>, inQuery);
    coerceNumbers(request.params as Record<string, unknown>, inPath);
    done();
  };
}
