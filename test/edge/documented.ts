/** Operations and their example requests, read from a published document as a stranger reads it. */

export interface DocumentedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly example?: string | number;
  readonly schema?: { readonly examples?: readonly unknown[] };
}

interface Media {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  readonly schema?: { readonly [keyword: string]: unknown };
}

type Content = Readonly<Record<string, Media>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface DocumentedOperation extends Operation {
  readonly method: string;
  readonly path: string;
  /** Examples of its answer by media type; of its success, else of the first status that has one. */
  readonly answers: Readonly<Record<string, unknown>>;
}

export function operationsOf(document: unknown): DocumentedOperation[] {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method,
      path,
      answers: answersOf(operation),
    })),
  );
}

function answersOf({ responses }: Operation): Record<string, unknown> {
  for (const { content = {} } of Object.values(responses)) {
    const shown = Object.entries(content).flatMap(([type, { example, examples }]) => {
      const value = example ?? Object.values(examples ?? {})[0]?.value;
      return value === undefined ? [] : [[type, value] as const];
    });
    if (shown.length > 0) return Object.fromEntries(shown);
  }
  return {};
}

export function requestOf({ path, parameters = [], requestBody }: DocumentedOperation): {
  readonly url: string;
  readonly body: unknown;
} {
  let url = path;
  const query = new URLSearchParams();
  for (const { name, in: place, example } of parameters) {
    if (example === undefined) continue;
    const text = String(example);
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(text));
    if (place === 'query') query.set(name, text);
  }
  const { example } = requestBody?.content['application/json'] ?? {};
  return { url: query.size === 0 ? url : `${url}?${query.toString()}`, body: example };
}

/** What public keys may ask, and so any page may read (interface: Authentication). */
export const FOR_PAGES: readonly string[] = [
  '/v1/adresser',
  '/v1/adresser/autocomplete',
  '/v1/adresser/{id}',
  '/v1/datavask',
  '/v1/postnumre',
  '/v1/postnumre/{nr}',
  // Open to all, with nothing of anybody's in them.
  '/v1/status',
];
