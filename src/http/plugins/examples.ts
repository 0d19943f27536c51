/** Parameters are parsed from the request line, so "Execute" sends what is answered here. */
import type { Example } from '../../core/document.ts';

interface Documented {
  readonly paths?: Readonly<Record<string, unknown>>;
}

interface Media {
  example?: unknown;
  examples?: unknown;
}

type Content = Readonly<Record<string, Media | undefined>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  example?: unknown;
  readonly schema?: { readonly type?: unknown; examples?: unknown[] };
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: Readonly<Record<string, { readonly content?: Content } | undefined>>;
}

const JSON_TYPE = 'application/json';
const SUCCESSES = [200, 201, 202] as const;

/** Values that an example does not use: alternatives, or what only the caller has. */
const OTHER_WAYS: Readonly<Record<string, unknown>> = {
  ark: 'Punkter',
  overskrift: 1,
  asOf: '2026-06-30',
  dialekt: 'da',
  raekker: 'alle',
  token: 'svc_test_…',
  x: 650_040,
  y: 6_314_030,
  srid: '25832',
  ejerlav_kode: 9_900_093,
  matrikelnummer: '1a',
  q: '1a Skitsebjerg',
  kommunekode: '0093',
  side: 1,
  per_side: 20,
  vej: 'Gammel Opdigtergade',
  husnr: '12 a',
  etage: '2',
  doer: 'tv',
  postnr: '0093',
  by: 'Midtprøve',
  after: 'job_7m2qxk4vd3hbn5zcw6ta',
  foer: '41',
  vent: 10,
  format: 'ndjson',
  antal: 1_000,
  transaktion: 18,
  entitet: 'Ejerlav',
  'idempotency-key': 'import-2026-11-21-1',
};

export function addExamples(
  { paths = {} }: Documented,
  examples: Readonly<Record<string, Example>>,
): void {
  for (const [path, methods] of Object.entries(paths)) {
    for (const operation of Object.values(methods as Readonly<Record<string, Operation>>)) {
      const example = examples[operation.operationId ?? ''];
      showParameters(operation, example === undefined ? new Map() : sentBy(example, path));
      if (example !== undefined) showExample(operation, example);
    }
  }
}

function sentBy({ request }: Example, template: string): Map<string, string> {
  const [path = '', query = ''] = request.slice(request.indexOf(' ') + 1).split('?');
  const parts = path.split('/');
  const sent = new Map<string, string>();
  for (const [i, part] of template.split('/').entries()) {
    const [, name, ending = ''] = /^\{(\w+)\}(.*)$/.exec(part) ?? [];
    const given = parts[i] ?? '';
    if (name !== undefined) sent.set(name, given.slice(0, given.length - ending.length));
  }
  for (const pair of query === '' ? [] : query.split('&')) {
    const at = pair.indexOf('=');
    sent.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return sent;
}

function showParameters({ parameters = [] }: Operation, sent: ReadonlyMap<string, string>): void {
  for (const parameter of parameters) {
    const text = sent.get(parameter.name);
    const { schema } = parameter;
    if (text !== undefined) {
      const isNumber = schema?.type === 'integer' || schema?.type === 'number';
      parameter.example = isNumber ? Number(text) : text;
    } else if (schema !== undefined && parameter.name in OTHER_WAYS) {
      schema.examples = [OTHER_WAYS[parameter.name]];
    }
  }
}

function showExample(
  { requestBody, responses = {} }: Operation,
  { request, body, texts = {}, status, value, answers = {} }: Example,
): void {
  const success = SUCCESSES.find((each) => responses[each]?.content !== undefined);
  const answer = responses[status ?? success ?? 0]?.content ?? {};
  const json = answer[JSON_TYPE];
  if (json !== undefined && value !== undefined) {
    json.examples = { sample: { summary: request, value } };
  }
  showTexts(answer, answers);
  const asked = requestBody?.content ?? {};
  const media = asked[JSON_TYPE];
  if (media !== undefined && body !== undefined) media.example = body;
  showTexts(asked, texts);
}

function showTexts(content: Content, texts: Readonly<Record<string, string>>): void {
  for (const [type, text] of Object.entries(texts)) {
    const media = content[type];
    if (media !== undefined) media.example = text;
  }
}
