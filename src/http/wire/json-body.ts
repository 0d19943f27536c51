/** Refuses duplicate keys, `__proto__`, and too many levels or keys. */
import { countJsonKeys, refusedKey } from '../../bytes/json-scan.ts';
import { invalidRequest } from '../../kernel/failures.ts';
import type { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { HTTP_LIMITS } from '../limits.ts';

/** Throws invalid_request without any value of the body. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) {
    throw invalidRequest(
      'The body is empty; JSON is expected.',
      'Indholdet er tomt; der ventes JSON.',
    );
  }
  const text = decode(bytes);
  // A thousand levels or ten thousand keys cost most in parsing.
  const written = countJsonKeys(bytes, LIMITS.bodyDepth);
  if (written === Infinity) throw tooDeep();
  if (written > HTTP_LIMITS.bodyKeys) throw tooManyKeys();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message quotes the body.
    throw invalidRequest('The body is not valid JSON.', 'Indholdet er ikke gyldig JSON.');
  }
  // Only a duplicate key lowers the count.
  const key = written === keysOf(value) ? null : refusedKey(bytes);
  if (key !== null) refuse(key);
  return value;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw invalidRequest('The body is not valid UTF-8.', 'Indholdet er ikke gyldig UTF-8.');
  }
}

function keysOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += keysOf(item);
    return keys;
  }
  const object = value as Readonly<Record<string, unknown>>;
  for (const key in object) keys += key === '__proto__' ? NaN : 1 + keysOf(object[key]);
  return keys;
}

function refuse(key: string): never {
  if (key === '__proto__') {
    throw invalidRequest(
      'The body has a property named __proto__, which is not allowed.',
      'Indholdet har en egenskab ved navn __proto__; den er ikke tilladt.',
    );
  }
  const shown = key.slice(0, LIMITS.pointIdChars.max);
  throw invalidRequest(
    `The body gives the property ${shown} more than once in one object.`,
    `Indholdet angiver egenskaben ${shown} mere end én gang i samme objekt.`,
  );
}

function tooDeep(): Failure {
  return invalidRequest(
    `The body is nested more than ${LIMITS.bodyDepth} levels deep.`,
    `Indholdet er indlejret i mere end ${LIMITS.bodyDepth} niveauer.`,
  );
}

function tooManyKeys(): Failure {
  return invalidRequest(
    `The body has more than ${HTTP_LIMITS.bodyKeys} properties.`,
    `Indholdet har mere end ${HTTP_LIMITS.bodyKeys} egenskaber.`,
  );
}
