/** Of an OpenAPI document. */
export type Part = Readonly<Record<string, unknown>>;

/**
 * What stands at `path`, each schema in the place of its reference, which stays as `$$ref`: swagger-ui
 * shows its name. A schema inside itself stays a reference.
 */
export function withSchemas(document: Part, path: readonly string[]): unknown {
  const at = (names: readonly string[]) =>
    names.reduce<unknown>((part, name) => (part as Part | undefined)?.[name], document);
  const whole = (part: unknown, around: readonly string[]): unknown => {
    if (Array.isArray(part)) return part.map((each) => whole(each, around));
    if (typeof part !== 'object' || part === null) return part;
    const { $ref: name } = part as Part;
    if (typeof name !== 'string')
      return Object.fromEntries(
        Object.entries(part).map(([key, inner]) => [key, whole(inner, around)]),
      );
    if (around.includes(name)) return part;
    const schema = whole(at(name.split('/').slice(1)), [...around, name]);
    return { ...(schema as Part), $$ref: name };
  };
  return whole(at(path), []);
}
