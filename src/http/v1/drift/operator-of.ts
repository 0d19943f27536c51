import { Failure } from '../../../kernel/failures.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type { OperatorService } from '../../../ops/operator-service.ts';
import type { Services } from '../../services.ts';

/** Throws the Failure (503) where operations are not set up. */
export function operatorOf({ operator }: Services): OperatorService {
  if (operator !== null) return operator;
  throw noOperations();
}

export function noOperations(): Failure {
  return new Failure('upstream_unavailable', {
    error: 'Operations are not set up in this process.',
    errorDa: 'Drift er ikke sat op i denne proces.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}
