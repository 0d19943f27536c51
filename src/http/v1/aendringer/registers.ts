import type { FastifyRequest } from 'fastify';
import { areaOf } from '../../../changes/source.ts';
import { listOf } from '../../../core/question/lists.ts';
import { Failure } from '../../../kernel/failures.ts';
import type { MirrorId } from '../../../layers/keys.ts';
import { MIRROR_IDS } from '../../../layers/mirror-ids.ts';
import { scopeMissing } from '../../wire/key-refusals.ts';

export const FOLLOWED = MIRROR_IDS.filter((register) => areaOf(register) !== null);

function mayRead({ visit }: Pick<FastifyRequest, 'visit'>, register: MirrorId): boolean {
  const area = areaOf(register);
  return area !== null && (visit === null || visit.principal.areas.has(area));
}

/** Absent: all it may read. Throws invalid_request and forbidden. */
export function registersOf(
  request: Pick<FastifyRequest, 'visit'>,
  given: string | readonly string[] | undefined,
): readonly MirrorId[] {
  const named = listOf('register', given);
  if (named.length === 0) return FOLLOWED.filter((register) => mayRead(request, register));
  return named.map((name) => registerNamed(request, name));
}

export function registerNamed(request: Pick<FastifyRequest, 'visit'>, name: string): MirrorId {
  const register = FOLLOWED.find((each) => each === name);
  if (register === undefined) {
    throw new Failure('invalid_request', {
      error: `The register must be one of ${FOLLOWED.join(', ')}.`,
      errorDa: `Registret skal være et af ${FOLLOWED.join(', ')}.`,
    });
  }
  if (mayRead(request, register)) return register;
  throw scopeMissing([areaOf(register) ?? 'replikering']);
}
