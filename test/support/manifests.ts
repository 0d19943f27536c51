/** Kubernetes manifests held against compiled schemas, which say nothing of fields that they do not know. */
import { parseAllDocuments } from 'yaml';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

interface Model {
  validate(this: object): void;
}

export function manifestsIn(text: string): readonly Manifest[] {
  return parseAllDocuments(text).map((each) => each.toJS() as Manifest);
}

/** What is wrong with it, and the fields no schema has; empty: nothing. */
export async function unknownOrWrong(manifest: Manifest): Promise<readonly string[]> {
  const [group, version] = manifest.apiVersion.includes('/')
    ? manifest.apiVersion.split('/')
    : ['', manifest.apiVersion];
  const models =
    group === 'postgresql.cnpg.io' ? '@kubernetes-models/cloudnative-pg' : 'kubernetes-models';
  const path = [models, group, version].filter((part) => part !== '').join('/');
  const { [manifest.kind]: Kind } = (await import(path)) as Readonly<
    Record<string, { readonly prototype: Model }>
  >;
  if (Kind === undefined) return [`${manifest.apiVersion} has no ${manifest.kind}`];
  const asked = new Set<string>();
  const given: string[] = [];
  try {
    // Not of a model of it: making one reads every field.
    Kind.prototype.validate.call(watched(manifest, '', { asked, given }));
  } catch (error) {
    return [(error as Error).message];
  }
  return given.filter((field) => !asked.has(field)).map((field) => `${field} is not known`);
}

interface Seen {
  readonly asked: Set<string>;
  readonly given: string[];
}

/** Notes each field that is there, and each that a validator asks for: it asks for all that it knows. */
function watched<T extends object>(value: T, path: string, seen: Seen): T {
  const within = (key: string): string => (path === '' ? key : `${path}.${key}`);
  const parts = Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      seen.given.push(within(key));
      const isObject = typeof part === 'object' && part !== null;
      return [key, isObject ? watched(part as object, within(key), seen) : (part as unknown)];
    }),
  );
  const target = Array.isArray(value) ? Object.values(parts) : parts;
  return new Proxy(target, {
    get: (of, key) => {
      if (typeof key === 'string') seen.asked.add(within(key));
      return Reflect.get(of, key) as unknown;
    },
  }) as T;
}
