import { notSetUp } from '../../../kernel/failures.ts';
import type { Failure } from '../../../kernel/failures.ts';
import type { OperatorService } from '../../../ops/operator-service.ts';
import type { Services } from '../../services.ts';

/** Throws the Failure (503) where operations are not set up. */
export function operatorOf({ operator }: Services): OperatorService {
  if (operator !== null) return operator;
  throw noOperations();
}

export function noOperations(): Failure {
  return notSetUp(
    'Operations are not set up in this process.',
    'Drift er ikke sat op i denne proces.',
  );
}
