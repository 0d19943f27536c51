export type Part = Readonly<Record<string, unknown>>;

/** Schemas for references, kept as `$$ref`; none is recursive. */
export function withSchemas(document: Part, path: readonly string[]): unknown {
  const at = (names: readonly string[]) =>
    names.reduce<unknown>((part, name) => (part as Part | undefined)?.[name], document);
  const whole = (part: unknown): unknown =>
    JSON.parse(JSON.stringify(part ?? null), (_name, value: Part | null) => {
      const ref = value?.['$ref'];
      if (typeof ref !== 'string') return value;
      return { ...(whole(at(ref.split('/').slice(1))) as Part), $$ref: ref };
    });
  return whole(at(path));
}
