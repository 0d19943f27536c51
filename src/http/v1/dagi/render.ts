/** The areas of a point in the words of the document. */
import { Failure } from '../../../kernel/failures.ts';
import type { ReverseAreasAnswer } from '../../../lookups/answers.ts';
import { epsg25832 } from '../../wire/numbers.ts';
import type { AnswerFacts } from '../../wire/provenance.ts';

/** `epsg25832`, `antal` and `omraader`; the point itself is echoed by the route. */
export function renderAreasAt({ point, areas }: ReverseAreasAnswer) {
  return {
    epsg25832: epsg25832(point),
    antal: areas.length,
    omraader: areas.map(({ theme, name, code }) => ({ tema: theme, navn: name, kode: code })),
  };
}

export function factsOf(
  answers: readonly (ReverseAreasAnswer | Failure)[],
  generation: number,
): AnswerFacts {
  const provenance = answers.flatMap((answer) =>
    answer instanceof Failure ? [] : answer.provenance,
  );
  return { generation, provenance };
}
