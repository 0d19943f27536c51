/** A URL of DAWA, as this service's door is asked. */

/** Keys stand in paths and parameters; they are the caller's own here. */
const OWN_PARAMETERS = ['token', 'callback', 'noformat', 'ndjson', 'download'];

/** Path and query at the door; null: it is no URL of DAWA. */
export function askedAtDoor(text: string): string | null {
  const given = text.trim();
  const whole = /^https?:\/\//i.test(given) ? given : `https://dawa/${given.replace(/^\/+/, '')}`;
  if (!URL.canParse(whole)) return null;
  const url = new URL(whole);
  for (const name of OWN_PARAMETERS) url.searchParams.delete(name);
  const path = url.pathname.replace(/^\/dawa(?=\/)/, '').replace(/^\/k\/[^/]*/, '');
  return path === '/' || path === '' ? null : `${path}${url.search}`;
}

/**
 * Of replication, the entity whose rows or events the URL asks: they are whole registers, so a page asks the data
 * model for it instead. '': it names none. null: it asks no rows.
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

/** Of a file: a URL a line, of log lines too; the same is asked once. */
export function urlsIn(text: string, most: number): readonly string[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => /https?:\/\/\S+|^\s*\/?\w\S*\s*$/.exec(line)?.[0]);
  const found = lines.flatMap((line) => line?.trim().replace(/["'>,;)]+$/, '') ?? []);
  return [...new Set(found)].slice(0, most);
}

/** What a refusal names, one text for each parameter. */
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
