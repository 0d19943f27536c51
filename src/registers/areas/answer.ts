/** The areas of a point in the words of the document, laid out as bytes. */
import { Failure } from '../../kernel/failures.ts';
import type { Provenance, ReverseAreasAnswer } from '../../answers/answer.ts';
import { constant } from '../../answers/json-writer.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';

type Area = ReverseAreasAnswer['areas'][number];

/** Memory gives the same object for the same area each time, so its text is made once. */
const texts = new WeakMap<Area, Uint8Array>();

const METRES = constant(',"epsg25832":');
const COUNT = constant(',"antal":');
const AREAS = constant(',"omraader":[');

/** `epsg25832`, `antal` and `omraader`, a comma before each; the point is echoed by the route. */
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
    // Points of a batch share what they came from: told once.
    if (answer instanceof Failure || answer.provenance === last) continue;
    provenance.push(...answer.provenance);
    last = answer.provenance;
  }
  return { generation, provenance };
}

/** Answers in a row come from the same copies: what the headers say of them is found once. */
export class LastHeaders {
  #provenance: readonly Provenance[] | null = null;
  #facts: AnswerFacts = { generation: -1, provenance: [] };

  of(answer: ReverseAreasAnswer, generation: number): AnswerFacts {
    if (answer.provenance !== this.#provenance || generation !== this.#facts.generation) {
      this.#provenance = answer.provenance;
      this.#facts = factsOf([answer], generation);
    }
    return this.#facts;
  }
}
