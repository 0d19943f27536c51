/**
 * Imports that name one register. A register is either one folder `src/registers/<key>` with a value
 * (`register.ts`), or still spread over the rooms, where the words of a path tell.
 */
import type { Source } from './tree.ts';

/** By the key of each register: the words that its files are named with while it is spread. */
const WORDS: Readonly<Record<string, RegExp>> = {
  companies: /^(company|companies|cvr|virk)$/,
  assessments: /^(assessments?|vurdering)$/,
  terrain: /^(terrain|dhm|heights?|kote)$/,
  places: /^(places?|stednavne)$/,
  cadastre: /^(cadastre|matrikel|parcels?)$/,
  areas: /^(areas?|dagi|districts?)$/,
  lines: /^(lines?|byggelinjer?|natur)$/,
  addresses: /^(address|addresses|adresser|postcodes|postnumre|datavask)$/,
  property: /^(property|properties|bbr|ejendom)$/,
};

/** Rooms whose lines and addresses are those of a file, of a network or of the postman's letter. */
const GENERAL =
  /^src\/(kernel|geo|bytes|metering|webhooks|names|web|http\/(server|wire|plugins))\//;
/** The one list may name them all. */
const LIST = 'src/registers.ts';

const folderOf = (path: string): string | undefined => /^src\/registers\/([^/]+)\//.exec(path)?.[1];

export interface RegisterImports {
  /** From what is about no register, by the first folders of the importing file. */
  readonly byRoom: ReadonlyMap<string, number>;
  readonly total: number;
}

export function registerImports(sources: readonly Source[]): RegisterImports {
  const whole = new Set(
    sources.map(({ path }) => /^src\/registers\/([^/]+)\/register\.ts$/.exec(path)?.[1]),
  );
  const ownerOf = (path: string): string | undefined => {
    const folder = folderOf(path);
    if (folder !== undefined && whole.has(folder)) return folder;
    if (GENERAL.test(path)) return undefined;
    const words = path.split(/[/.-]/);
    return Object.keys(WORDS).find((key) => words.some((word) => WORDS[key]?.test(word)));
  };
  const byRoom = new Map<string, number>();
  let total = 0;
  for (const { path, imports } of sources) {
    if (path === LIST) continue;
    const isOfRegister = ownerOf(path) !== undefined;
    for (const target of imports) {
      const folder = folderOf(target);
      // A register's other files come in with it: those that did not move count as outside.
      const isInFolder = folder !== undefined && whole.has(folder);
      const isInside = isInFolder ? whole.has(folderOf(path)) : isOfRegister;
      if (isInside || ownerOf(target) === undefined) continue;
      const room = path
        .split('/')
        .slice(0, 2)
        .join('/')
        .replace(/^(sample|sync|workers)\/.*/, '$1');
      byRoom.set(room, (byRoom.get(room) ?? 0) + 1);
      total += 1;
    }
  }
  return { byRoom, total };
}
