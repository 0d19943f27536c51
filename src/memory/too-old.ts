/**
 * The failure for a copy past its hard limit when nothing else answers: one table for all (D149).
 */
import { Failure, upstreamUnavailable } from '../kernel/failures.ts';
import { ADDRESSES, ASSESSMENTS, BBR, CADASTRE, COMPANIES, PLACE_NAMES } from '../layers/keys.ts';

const COPIES = {
  [ADDRESSES]: ['the addresses', 'adresserne'],
  [ASSESSMENTS]: ['the assessments', 'vurderingerne'],
  [BBR]: ['BBR', 'BBR'],
  [CADASTRE]: ['the cadastre', 'matriklen'],
  [COMPANIES]: ['the register of companies', 'CVR'],
  [PLACE_NAMES]: ['the place names', 'stednavnene'],
} as const;

/** 503 with Retry-After; 502 for assessments, as the interface document says. */
export function tooOld(of: keyof typeof COPIES): Failure {
  const [name, nameDa] = COPIES[of];
  const error = `The copy of ${name} is older than it may be.`;
  const errorDa = `Kopien af ${nameDa} er ældre, end den må være.`;
  return of === ASSESSMENTS
    ? new Failure('upstream_error', { error, errorDa })
    : upstreamUnavailable(error, errorDa);
}
