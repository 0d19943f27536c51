/** Keys stand in paths and parameters; they are the caller's own here. */
const OWN_PARAMETERS = ['token', 'callback', 'noformat', 'ndjson', 'download'];

/** null: no URL of DAWA. */
export function askedAtDoor(text: string): string | null {
  const given = decodedOnce(text.trim());
  const isWhole = /^https?:\/\//i.test(given);
  if (!isWhole && !/^\/*\w+(?:[/?]|$)/.test(given)) return null;
  const whole = isWhole ? given : `https://dawa/${given.replace(/^\/+/, '')}`;
  if (!URL.canParse(whole)) return null;
  const url = new URL(whole);
  for (const name of OWN_PARAMETERS) url.searchParams.delete(name);
  const path = url.pathname.replace(/^\/dawa(?=\/)/, '').replace(/^\/k\/[^/]*/, '');
  return path === '/' || path === '' ? null : `${path}${url.search}`;
}

/** A URL that was a parameter of another. */
function decodedOnce(text: string): string {
  return /^https?%3A%2F%2F/i.test(text)
    ? decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'))
    : text;
}

/** As a page asks it: in JSON, and of a whole register the first rows. */
export function askedShort(path: string): string {
  const url = new URL(path, 'https://dawa');
  const { searchParams: asked } = url;
  const format = asked.get('format')?.toLowerCase();
  if (format === 'csv' && !asked.has('struktur')) asked.set('struktur', 'flad');
  if (format !== 'geojson') asked.delete('format');
  if (!asked.has('q') && !asked.has('per_side'))
    asked.set('per_side', format === 'geojson' ? '1' : '20');
  return `${url.pathname}${url.search}`;
}

/** null: the path has none of the parameters that the refusal names. */
export function withoutRefused(path: string, body: unknown): string | null {
  const { details } = body as { readonly details?: unknown };
  const url = new URL(path, 'https://dawa');
  const named = (Array.isArray(details) ? details : []).flatMap((each: unknown) =>
    Array.isArray(each) && typeof each[0] === 'string' ? [each[0]] : [],
  );
  const found = named.filter((name) => url.searchParams.has(name));
  for (const name of found) url.searchParams.delete(name);
  return found.length === 0 ? null : `${url.pathname}${url.search}`;
}

/**
 * Of replication, the entity whose rows or events are asked for: a page asks the data model instead
 * of a whole register. '': none is named. null: no rows are asked for.
 */
export function entityAsked(path: string): string | null {
  const { pathname, searchParams } = new URL(path, 'https://dawa');
  const [, resource, name = ''] = pathname.toLowerCase().split('/');
  if (resource !== 'replikering' || ONE_OBJECT.has(name)) return null;
  if (!['udtraek', 'haendelser'].includes(name)) return SINGULAR[name] ?? name;
  return searchParams.get('entitet')?.toLowerCase() ?? '';
}

const ONE_OBJECT = new Set([
  ...['senestetransaktion', 'senestesekvensnummer', 'transaktioner', 'datamodel', ''],
]);

/** Of the older paths. */
const SINGULAR: Readonly<Record<string, string>> = {
  ...{ adgangsadresser: 'adgangsadresse', adresser: 'adresse', ejerlav: 'ejerlav' },
  ...{ postnumre: 'postnummer', vejstykker: 'vejstykke' },
  ...{ jordstykketilknytninger: 'jordstykketilknytning' },
  ...{ kommunetilknytninger: 'kommunetilknytning' },
  vejstykkepostnummerrelationer: 'vejstykkepostnummerrelation',
};

/** URLs in any text, log lines and source code too; a line without one is returned whole. */
export function urlsIn(text: string, most: number): readonly string[] {
  const found = text.split(/\r?\n/).flatMap((line) => {
    const given = line.trim();
    if (given === '') return [];
    // A URL alone may hold spaces that were never encoded.
    const urls = /^https?:/i.test(given)
      ? [given.replace(/\s+HTTP\/\d.*$/, '')]
      : given.match(/https?:\/\/[^\s"'`<>]+/gi);
    return (urls ?? [given]).map((url) => url.replace(/["'`>,;)]+$/, ''));
  });
  return [...new Set(found)].slice(0, most);
}

export function refusedIn(body: unknown): readonly string[] {
  const { title = '', details } = body as { readonly title?: string; readonly details?: unknown };
  if (Array.isArray(details)) {
    return details.map((each: unknown) => (Array.isArray(each) ? each.join(': ') : String(each)));
  }
  if (typeof details === 'string') return [details];
  const { message = '' } = (details ?? {}) as { readonly message?: string };
  return [message === '' ? title : message];
}

/** Paths of the members that are null everywhere in an answer: `adgangsadresse.zone`. */
export function alwaysNull(answer: unknown): readonly string[] {
  const seen = new Map<string, boolean>();
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each, path);
      return;
    }
    if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        visit(member, path === '' ? name : `${path}.${name}`);
      }
      return;
    }
    if (path !== '') seen.set(path, (seen.get(path) ?? true) && value === null);
  };
  visit(answer, '');
  return [...seen].flatMap(([path, isNull]) => (isNull ? [path] : []));
}
