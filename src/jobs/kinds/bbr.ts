/**
 * `bbr`: the property of a BFE number. The register is not mirrored yet: a row that asks rightly is
 * answered as the route is, with its 503 (interface: Errors), and costs nothing.
 */
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { RowReader } from './row-reader.ts';
import type { FindAccess } from './row-reader.ts';
import type { JobKind, RowKind } from './kind.ts';

export const bbr: JobKind<number | null, never> = {
  area: 'bbr',
  roles: [['bfe'], ['adgangsadresse_id'], ['adresse']],
  needs: { layers: [], addresses: 'beside' },
  rows: bbrRows,
};

function bbrRows(): RowKind<number | null, never> {
  return {
    columns: ['bfe_nummer'],
    hasPlace: false,
    question: propertyOf,
    ask: notConfigured,
    askAll: (_lookups, questions) =>
      Promise.resolve({ generation: 0, value: questions.map(notConfigured) }),
    writeCsv: unanswered,
    writeJson: unanswered,
    writePlace: unanswered,
  };
}

/** null: only its address is known. */
function propertyOf(row: RowReader, findAccess: FindAccess): number | null {
  const bfe = row.bfe();
  if (bfe !== null) return bfe;
  const id = row.text('adgangsadresse_id');
  if (id !== null) return findAccess(id)?.bfe ?? null;
  if (row.text('adresse') !== null) return null;
  throw new Failure('invalid_request', { error: 'The row names no property: it is empty.' });
}

function notConfigured(): Failure {
  return new Failure('upstream_unavailable', {
    error: 'Upstream not configured: the property register (BBR) is not mirrored here yet.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}

function unanswered(): never {
  throw new Error('No property is answered yet.');
}
