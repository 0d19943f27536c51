import type { AreaAnswer } from '../../answers/answer.ts';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { registerCode } from './lookup.ts';

/**
 * Counts duplicates once, however padded (D40), in the first spelling. Throws invalid_request for too many
 * distinct codes (D49).
 */
export function uniqueCodes(given: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const code of given) {
    const padded = registerCode(code) ?? code;
    if (!first.has(padded)) first.set(padded, code);
  }
  if (first.size > LIMITS.dagiCodesPerBatch) throw tooManyCodes();
  return [...first.values()];
}

function tooManyCodes(): Failure {
  const { dagiCodesPerBatch: most } = LIMITS;
  return new Failure('invalid_request', {
    error: `kode may have at most ${most} different codes; duplicates are counted once.`,
    errorDa: `kode må højst have ${most} forskellige koder; gentagelser tælles én gang.`,
  });
}

interface AreaError {
  readonly kode: string;
  readonly error: string;
  readonly status: number;
}

export function sortAnswers(codes: readonly string[], answers: readonly (AreaAnswer | Failure)[]) {
  const found: AreaAnswer[] = [];
  const errors: AreaError[] = [];
  codes.forEach((code, index) => {
    const answer = answers[index];
    if (answer === undefined) throw new Error(`No answer for code ${index} of a batch.`);
    if (answer instanceof Failure) {
      errors.push({ kode: code, error: answer.message, status: answer.status });
    } else {
      found.push(answer);
    }
  });
  return { found, errors };
}
