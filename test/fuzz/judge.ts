/** What every answer is held to, whatever was asked. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { FAILURES, codesOf } from '../../src/kernel/failures.ts';
import type { FailureType } from '../../src/kernel/failures.ts';
import type { Operation, Published, Schema } from './document.ts';
import type { FuzzKeys, FuzzRequest } from './requests.ts';

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

const FIELDS = ['error', 'type', 'code', 'message', 'request_id', 'doc_url'];
/** Where a request went astray: these need no operation to document them. */
const ASTRAY: readonly number[] = [400, 404, 405, 413, 415];
/** The answers a valid request may get: found or not, in time or not. */
const VALID: readonly number[] = [200, 201, 202, 204, 304, 401, 403, 404, 409, 410, 429, 502, 503];

export class Judge {
  readonly #ajv = new Ajv2020({ strict: false });
  readonly #validators = new Map<Schema, ValidateFunction>();
  readonly #document: Published;
  readonly #keys: FuzzKeys;

  constructor(document: Published, keys: FuzzKeys) {
    formats.default(this.#ajv);
    this.#document = document;
    this.#keys = keys;
  }

  /** Why the answer is a finding; null: it is as it should be. */
  findingIn(request: FuzzRequest, answer: FuzzAnswer): string | null {
    const { status, headers, body } = answer;
    if (headers['x-request-id'] === undefined) return 'no X-Request-Id';
    for (const key of [this.#keys.live, this.#keys.test]) {
      if (`${body}${JSON.stringify(headers)}`.includes(key)) return 'the answer repeats the key';
    }
    if (status === 500) return 'status 500';
    if (this.#asksWithTestKey(request) && headers['x-service-environment'] !== 'test') {
      return 'a test key, and no X-Service-Environment: test';
    }
    return this.#statusFinding(request, answer) ?? this.#bodyFinding(request, answer);
  }

  #asksWithTestKey({ headers, target }: FuzzRequest): boolean {
    const { test } = this.#keys;
    const { authorization } = headers;
    return authorization === undefined
      ? target.includes(`token=${test}`)
      : authorization.endsWith(test);
  }

  #statusFinding({ kind, operation, method }: FuzzRequest, { status }: FuzzAnswer): string | null {
    if (kind === 'valid' && !VALID.includes(status)) return `a valid request got ${status}`;
    const isKnown = method === operation.method && operation.statuses.has(status);
    const isHead = method === 'HEAD' || method === 'OPTIONS';
    if (isKnown || isHead || (kind === 'hostile' && ASTRAY.includes(status))) return null;
    if (kind === 'near' && (status === 404 || status === 405)) return null;
    // A parameter of the path may lead to another operation, or out of the table.
    if (kind === 'hostile' && status < 500) return null;
    return `status ${status} is not documented for ${operation.id}`;
  }

  #bodyFinding({ operation, method, kind }: FuzzRequest, answer: FuzzAnswer): string | null {
    const { status, body } = answer;
    if (method === 'HEAD') return null;
    if (status >= 400) return errorFinding(answer);
    const schema =
      method === operation.method && kind !== 'hostile' ? operation.statuses.get(status) : null;
    if (schema === null || schema === undefined) return null;
    return this.#schemaFinding(operation, schema, body);
  }

  #schemaFinding(operation: Operation, schema: Schema, body: string): string | null {
    const validate = this.#validatorOf(schema);
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return `the answer of ${operation.id} is not JSON`;
    }
    if (validate(value)) return null;
    return `the answer of ${operation.id} is not as documented: ${this.#ajv.errorsText(validate.errors)}`;
  }

  #validatorOf(schema: Schema): ValidateFunction {
    const known = this.#validators.get(schema);
    if (known !== undefined) return known;
    const { components } = this.#document;
    const made = this.#ajv.compile({ ...schema, components });
    this.#validators.set(schema, made);
    return made;
  }
}

function errorFinding({ status, headers, body }: FuzzAnswer): string | null {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(body) as Record<string, unknown>;
  } catch {
    return `status ${status} without an error object`;
  }
  if (Object.keys(fields).join() !== FIELDS.join())
    return `an error with ${Object.keys(fields).join()}`;
  const known = FAILURES[fields['type'] as keyof typeof FAILURES] as { status: number } | undefined;
  if (known?.status !== status) return `status ${status} with type ${String(fields['type'])}`;
  if (!codesOf(fields['type'] as FailureType).includes(String(fields['code']))) {
    return `type ${String(fields['type'])} with a code of its own: ${String(fields['code'])}`;
  }
  if (FIELDS.some((name) => typeof fields[name] !== 'string' || fields[name] === '')) {
    return 'an error with an empty field';
  }
  if ((status === 429 || status === 503) && headers['retry-after'] === undefined) {
    return `status ${status} without Retry-After`;
  }
  return null;
}
