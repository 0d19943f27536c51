/** Which registers a key may follow: those whose lookups it may ask. */
import type { FastifyRequest } from 'fastify';
import type { Area } from '../../../account/permissions.ts';
import { listOf } from '../../../core/question/lists.ts';
import { Failure } from '../../../kernel/failures.ts';
import { isConditionId } from '../../../layers/conditions/index.ts';
import { isLineKey, isRegisterId } from '../../../layers/keys.ts';
import type { MirrorId } from '../../../layers/keys.ts';
import { MIRROR_IDS } from '../../../layers/mirror-ids.ts';

/**
 * The permission that a register's own lookups want; absent: it is not followed. Companies are answered one at a
 * time: their list would be one of persons as well (D117).
 */
const AREAS: Readonly<Partial<Record<MirrorId, Area>>> = {
  ...{ matrikel: 'bbr', adresser: 'adresser', bbr: 'bbr', vurdering: 'vurdering', fbb: 'bbr' },
  stednavne: 'stednavne',
};

export function areaOf(register: MirrorId): Area | null {
  if (isRegisterId(register)) return AREAS[register] ?? null;
  if (isConditionId(register)) return 'miljoe';
  return isLineKey(register) ? 'natur' : 'dagi';
}

export const FOLLOWED = MIRROR_IDS.filter((register) => areaOf(register) !== null);

function mayRead({ visit }: Pick<FastifyRequest, 'visit'>, register: MirrorId): boolean {
  const area = areaOf(register);
  return area !== null && (visit === null || visit.principal.areas.has(area));
}

/** Those that are asked for; absent: all that the key may read. Throws invalid_request and forbidden. */
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
  const area = areaOf(register) ?? 'replikering';
  throw new Failure('forbidden', {
    code: 'key_scope_missing',
    error: `The key's permission does not cover ${area}.`,
    errorDa: `Nøglens rettighed dækker ikke ${area}.`,
  });
}
