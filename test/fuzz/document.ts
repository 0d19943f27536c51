/** The published OpenAPI document as a fuzzer reads it: operations, parameters, bodies, statuses. */
import { operationsOf as documented } from '../edge/documented.ts';

/** The part of JSON Schema our own documents use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Published {
  readonly paths: object;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  /** Status -> the schema of its JSON; null: no JSON is promised. */
  readonly statuses: ReadonlyMap<number, Schema | null>;
  readonly isKeyed: boolean;
}

export function operationsOf(document: Published): Operation[] {
  return documented(document).map((operation) => ({
    id: operation.operationId,
    method: operation.method.toUpperCase(),
    path: operation.path,
    parameters: (operation.parameters ?? []) as readonly Parameter[],
    body: operation.requestBody?.content['application/json']?.schema ?? null,
    statuses: new Map(
      Object.entries(operation.responses).map(([status, { content }]) => [
        Number(status),
        content?.['application/json']?.schema ?? null,
      ]),
    ),
    isKeyed: operation.security.some((scheme) => 'apiKey' in scheme),
  }));
}

export function resolve(schema: Schema, { components }: Published): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  const found = components.schemas[name];
  if (found === undefined) throw new Error(`The document refers to ${name} and has none.`);
  return found;
}
