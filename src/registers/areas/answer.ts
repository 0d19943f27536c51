import { Failure } from '../../kernel/failures.ts';
import type { Provenance, ReverseAreasAnswer } from '../../answers/answer.ts';
import { constant } from '../../answers/json-writer.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';

type Area = ReverseAreasAnswer['areas'][number];

/** Memory returns the same object for the same area. */
const texts = new WeakMap<Area, Uint8Array>();

const METRES = constant(',"epsg25832":');
const COUNT = constant(',"antal":');
const AREAS = constant(',"omraader":[');

/** `epsg25832`, `antal` and `omraader`, with a leading comma. The route writes the point. */
export function writeAreasAt(out: JsonWriter, { point, areas }: ReverseAreasAnswer): void {
  out.bytes(METRES).metres(point.utm32).bytes(COUNT).whole(areas.length).bytes(AREAS);
  for (const [i, area] of areas.entries()) {
    if (i > 0) out.ascii(',');
    out.bytes(textOf(area));
  }
  out.ascii(']');
}

function textOf(area: Area): Uint8Array {
  const known = texts.get(area);
  if (known !== undefined) return known;
  const { theme, name, code } = area;
  const text = constant(JSON.stringify({ tema: theme, navn: name, kode: code }));
  texts.set(area, text);
  return text;
}

export function factsOf(
  answers: readonly (ReverseAreasAnswer | Failure)[],
  generation: number,
): AnswerFacts {
  const provenance: Provenance[] = [];
  let last: readonly Provenance[] | null = null;
  for (const answer of answers) {
    // Points of a batch share their provenance, so it is reported once.
    if (answer instanceof Failure || answer.provenance === last) continue;
    provenance.push(...answer.provenance);
    last = answer.provenance;
  }
  return { generation, provenance };
}
