/** Keys of refused requests. */
import type { FastifyRequest } from 'fastify';
import { clientOf } from '../../kernel/client-address.ts';
import { senderOfRequest, shownKey } from '../access.ts';
import type { Access } from '../access.ts';
import { Visit } from '../visit.ts';

export interface ShownKeys {
  /** Empty when the key is not in memory (D65). */
  limitsOf(request: FastifyRequest): Record<string, string>;
  /** null: already in memory, or unknown. */
  learn(request: FastifyRequest): Promise<void> | null;
}

const ignore = () => undefined;

export function shownKeysOf(access: Pick<Access, 'keys' | 'meter'> | null): ShownKeys {
  if (access === null) return { limitsOf: () => ({}), learn: () => null };
  const { keys, meter } = access;
  const find = (request: FastifyRequest): ReturnType<Access['keys']['find']> => {
    // An unparsable path has no query.
    const query: unknown = request.query ?? {};
    const secret = shownKey({ headers: request.headers, query });
    return secret === null || secret === ''
      ? null
      : keys.find(secret, clientOf(senderOfRequest(request)));
  };
  return {
    limitsOf: (request) => {
      const ofVisit = request.visit?.limitHeaders();
      if (ofVisit !== undefined) return ofVisit;
      const found = find(request);
      if (found === null) return {};
      if (!(found instanceof Promise)) {
        return new Visit(meter, found, senderOfRequest(request)).limitHeaders();
      }
      // A refusal does not wait for the store.
      found.catch(ignore);
      return {};
    },
    learn: (request) => {
      const found = find(request);
      if (!(found instanceof Promise)) return null;
      return found.then(ignore, ignore);
    },
  };
}
