import { Failure } from '../../kernel/failures.ts';
import type { Coverage } from '../../layers/coverage.ts';

/** Throws the answer where it is a Failure. */
export function onlyAnswer<A>(answers: readonly (A | Failure)[]): A {
  const [answer] = answers;
  if (answer === undefined) throw new Error('The lookup gave no answer.');
  if (answer instanceof Failure) throw answer;
  return answer;
}

/** One for each answer (D62). */
export function unitsOfAnswers(answers: readonly unknown[]): number {
  return answers.reduce<number>((sum, each) => (each instanceof Failure ? sum : sum + 1), 0);
}

/** "Nothing found" costs one unit (D62), unless the match may lie outside the coverage (D142). */
export function unitsOfFound(found: number, coverage: Coverage | null | undefined): number {
  return found === 0 && coverage ? 0 : 1;
}
