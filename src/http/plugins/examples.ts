/** Puts examples into the published document: what the sample answers to a request, by operation. */

export interface Example {
  /** Method and path, before it is encoded. */
  readonly request: string;
  readonly body?: unknown;
  /** Bodies of other types that mean the same, by type. */
  readonly texts?: Readonly<Record<string, string>>;
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
      if (example !== undefined) showExample(operation, example);
    }
  }
}

function showExample(
  { requestBody, responses = {} }: Operation,
  { request, body, texts = {}, value }: Example,
): void {
  const answer = (responses['200'] ?? responses['201'])?.content?.[JSON_TYPE];
  if (answer !== undefined) answer.examples = { sample: { summary: request, value } };
  const asked = requestBody?.content ?? {};
  const json = asked[JSON_TYPE];
  if (json !== undefined) json.example = body;
  for (const [type, text] of Object.entries(texts)) {
    const media = asked[type];
    if (media !== undefined) media.example = text;
  }
}
