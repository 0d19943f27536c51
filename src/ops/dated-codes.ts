export interface NamedCode {
  /** null: announced, but not known yet. */
  readonly code: string | null;
  readonly name: string | null;
}

/** As in `dated_change.codes`. */
export interface KeptCodes {
  readonly before: readonly { readonly code: string; readonly name: string }[];
  readonly after: readonly { readonly code: string; readonly name: string }[];
}

/** null: a code not known yet. */
export interface AnnouncedCodes {
  readonly ends: readonly string[];
  readonly begins: readonly (string | null)[];
}

export interface ChangedCodes {
  readonly ends: readonly NamedCode[];
  readonly begins: readonly NamedCode[];
  /** Areas that get another name, shape, or both. */
  readonly changes: readonly {
    readonly code: string;
    readonly name: string;
    readonly newName: string;
  }[];
}

/** The register's codes, then announced ones that it lacks. */
export function codesOf(
  { before, after }: KeptCodes,
  announced: AnnouncedCodes | null = null,
): ChangedCodes {
  const names = new Map(after.map(({ code, name }) => [code, name]));
  const old = new Set(before.map(({ code }) => code));
  const begins: NamedCode[] = after.filter(({ code }) => !old.has(code));
  const known = announced?.begins.filter((code) => code !== null) ?? [];
  const lacking = known.filter((code) => !names.has(code) && !old.has(code));
  const unknown = (announced?.begins.length ?? 0) - known.length;
  const unmet = Math.max(
    0,
    unknown - begins.filter(({ code }) => !known.includes(code ?? '')).length,
  );
  return {
    ends: [
      ...before.filter(({ code }) => !names.has(code)),
      ...(announced?.ends ?? [])
        .filter((code) => !old.has(code) && !names.has(code))
        .map((code) => ({ code, name: null })),
    ],
    begins: [
      ...begins,
      ...lacking.map((code) => ({ code, name: null })),
      ...Array.from({ length: unmet }, () => ({ code: null, name: null })),
    ],
    changes: before.flatMap(({ code, name }) => {
      const newName = names.get(code);
      return newName === undefined ? [] : [{ code, name, newName }];
    }),
  };
}
