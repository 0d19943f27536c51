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
/** Translates answers of several registers for clients of DAWA (docs/code-map.md). */
const DOOR = 'src/http/dawa/';

const folderOf = (path: string): string | undefined => /^src\/registers\/([^/]+)\//.exec(path)?.[1];

export interface RegisterImport {
  readonly from: string;
  readonly to: string;
}

/** From what is about no register. */
export function registerImports(sources: readonly Source[]): RegisterImport[] {
  const whole = new Set<string | undefined>(
    sources.flatMap(({ path }) => /^src\/registers\/([^/]+)\/register\.ts$/.exec(path)?.[1] ?? []),
  );
  const spread = Object.keys(WORDS).filter((key) => !whole.has(key));
  const ownerOf = (path: string): string | undefined => {
    const folder = folderOf(path);
    if (folder !== undefined && whole.has(folder)) return folder;
    if (GENERAL.test(path)) return undefined;
    const words = path.split(/[/.-]/);
    return spread.find((key) => words.some((word) => WORDS[key]?.test(word)));
  };
  const found: RegisterImport[] = [];
  for (const { path, imports } of sources) {
    if (path === LIST || path.startsWith(DOOR)) continue;
    const isOfRegister = ownerOf(path) !== undefined;
    for (const target of imports) {
      // What is about a register and did not move into its folder is outside of it.
      const isInFolder = whole.has(folderOf(target));
      // What the sample holds of a register is that register's.
      const isInside = isInFolder
        ? whole.has(folderOf(path.replace(/^sample/, 'src')))
        : isOfRegister;
      if (!isInside && ownerOf(target) !== undefined) found.push({ from: path, to: target });
    }
  }
  return found;
}
