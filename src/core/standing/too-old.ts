/**
 * The failure for a copy past its hard limit when nothing else answers (D149).
 */
import { Failure, upstreamUnavailable } from '../../kernel/failures.ts';
import { ASSESSMENTS } from '../../layers/keys.ts';
import type { TableRegister } from '../../layers/register.ts';

/** 503 with Retry-After; 502 for assessments, as the interface document says. */
export function tooOld({ id, called: [name, nameDa] }: TableRegister): Failure {
  const error = `The copy of ${name} is older than it may be.`;
  const errorDa = `Kopien af ${nameDa} er ældre, end den må være.`;
  return id === ASSESSMENTS
    ? new Failure('upstream_error', { error, errorDa })
    : upstreamUnavailable(error, errorDa);
}
