/** Puts examples into the published document: what the sample answers to a request, by operation. */

export interface Example {
  /** Method and path, before it is encoded. */
  readonly request: string;
  readonly body?: unknown;
  readonly value: unknown;
}

/** The part of the document that is touched. */
interface Documented {
  readonly paths?: Readonly<Record<string, unknown>>;
}

interface Media {
  example?: unknown;
  examples?: unknown;
}

type Content = Readonly<Record<string, Media | undefined>>;

interface Operation {
  readonly operationId?: string;
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content } | undefined>>;
}

const JSON_TYPE = 'application/json';

/** Changes the document. */
export function addExamples(
  { paths = {} }: Documented,
  examples: Readonly<Record<string, Example>>,
): void {
  for (const methods of Object.values(paths)) {
    for (const operation of Object.values(methods as Readonly<Record<string, Operation>>)) {
      const example = examples[operation.operationId ?? ''];
      if (example === undefined) continue;
      const { request, body, value } = example;
      const answer = operation.responses?.['200']?.content?.[JSON_TYPE];
      if (answer !== undefined) answer.examples = { sample: { summary: request, value } };
      const asked = operation.requestBody?.content?.[JSON_TYPE];
      if (asked !== undefined) asked.example = body;
    }
  }
}
