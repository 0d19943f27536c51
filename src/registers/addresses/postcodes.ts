/** Described by the postal district where known, else by the addresses in force. */
import { boundsInDegrees } from '../../geo/bounds.ts';
import type { Bounds } from '../../geo/bounds.ts';
import { hasUnread, mayBeUnread } from '../../geo/unanswered.ts';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { PostcodeEntry } from './addresses.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import {
  NAMELESS_POSTCODE,
  UNREAD_POSTCODE,
  unreadPostcode,
} from '../../layers/unread-postcodes.ts';
import { openedIndex } from './copy.ts';
import type { AddressAnswer, AddressDeps } from './copy.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import { nameMunicipalities } from '../areas/municipalities.ts';
import type { HeldMunicipalities, NamedMunicipalities } from '../areas/municipalities.ts';
import type { KnownDistricts, PostalDistricts } from '../areas/postal-districts.ts';
import type { Freshness } from '../../layers/source.ts';

export interface PostcodeAnswer {
  readonly code: string;
  readonly name: string;
  readonly described: 'district' | 'addresses';
  /**
   * Of the district and of its addresses, so that no address contradicts the list. A name is null
   * where it could not be read.
   */
  readonly municipalities: readonly { readonly code: string; readonly name: string | null }[];
  readonly boundsM: Bounds | null;
  /** Contains `boundsM`. */
  readonly boundsDegrees: Bounds | null;
}

export interface PostcodeFilter {
  readonly codes: readonly string[];
  readonly municipalityCodes: readonly string[];
  /** Case-insensitive. */
  readonly names: readonly string[];
  /** Start of the code or of a word of the name, case-insensitive. */
  readonly text: string | null;
}

export interface Postcodes {
  list(filter: PostcodeFilter): Promise<AddressAnswer<readonly PostcodeAnswer[]>>;
  find(code: string): Promise<AddressAnswer<PostcodeAnswer>>;
}

export interface PostcodesDeps extends AddressDeps {
  readonly districts: PostalDistricts;
  readonly municipalities: () => Pick<HeldMunicipalities, 'read'>;
  readonly municipalityFreshness: Freshness;
}

/** Both throw (503) when no copy may answer. */
export function createPostcodes(deps: PostcodesDeps): Postcodes {
  const answerAll = async (keep: (entry: Described) => boolean, asked: readonly string[]) => {
    const { finder, facts, unanswered } = openedIndex(deps);
    if (mayBeMissed(unanswered, finder.addressIndex.postcodes, asked)) throw unreadPostcodes();
    const known = await deps.districts.current();
    const entries = finder.addressIndex.postcodes.map((each) => describe(each, known)).filter(keep);
    const codes = new Set(entries.flatMap(({ municipalityCodes }) => municipalityCodes));
    // Names are best effort: the codes suffice.
    const moment = { freshness: deps.municipalityFreshness, nowMs: deps.clock.nowMs() };
    const named = await nameMunicipalities(deps.municipalities().read, [...codes], moment);
    const isPartial = known === null || [...codes].some((code) => !named?.byCode.has(code));
    // Each is a read of its own: the lowest generation holds for all.
    const joined = [known, named].filter((each) => each !== null);
    const generation = Math.min(facts.generation, ...joined.map((each) => each.generation));
    const provenance = [...facts.provenance, ...joined.map((each) => each.provenance)];
    const value = entries.map((entry) => answerOf(entry, named));
    return { generation, provenance, isPartial, value };
  };
  return {
    list: (filter) => answerAll((entry) => fits(entry, filter), filter.codes),
    find: async (wanted) => {
      const { value, ...rest } = await answerAll(({ code }) => code === wanted, [wanted]);
      const [only] = value;
      if (only === undefined) throw unknownTo(deps.register.coverage, noPostcode(wanted));
      return { ...rest, value: only };
    },
  };
}

/**
 * Whether an unreadable postcode (D143) may belong to a list. `asked`: codes of the filter; empty:
 * all.
 */
function mayBeMissed(
  unanswered: PublishedCopy['unanswered'],
  known: readonly PostcodeEntry[],
  asked: readonly string[],
): boolean {
  if (!hasUnread(unanswered, UNREAD_POSTCODE)) return false;
  const isOneUnknown = mayBeUnread(unanswered, NAMELESS_POSTCODE);
  return (
    asked.length === 0 ||
    asked.some(
      (each) =>
        hasUnread(unanswered, unreadPostcode(each)) ||
        (isOneUnknown && !known.some(({ code }) => code === each)),
    )
  );
}

type Described = Pick<PostcodeEntry, 'code' | 'name' | 'municipalityCodes' | 'box'> &
  Pick<PostcodeAnswer, 'described'>;

function describe(entry: PostcodeEntry, known: KnownDistricts | null): Described {
  const district = known?.byCode.get(entry.code);
  if (district === undefined) return { ...entry, described: 'addresses' };
  const codes = new Set([...district.municipalityCodes, ...entry.municipalityCodes]);
  const municipalityCodes = [...codes].toSorted();
  return { ...entry, municipalityCodes, box: district.box, described: 'district' };
}

function fits({ code, name, municipalityCodes }: Described, filter: PostcodeFilter): boolean {
  const { codes, names, text } = filter;
  const lower = name.toLocaleLowerCase('da');
  return (
    (codes.length === 0 || codes.includes(code)) &&
    (names.length === 0 || names.some((each) => each.toLocaleLowerCase('da') === lower)) &&
    (filter.municipalityCodes.length === 0 ||
      filter.municipalityCodes.some((each) => municipalityCodes.includes(each))) &&
    (text === null || begins({ code, lower }, text.trim().toLocaleLowerCase('da')))
  );
}

function begins({ code, lower }: { readonly code: string; readonly lower: string }, text: string) {
  return `${code} ${lower}`.startsWith(text) || ` ${lower}`.includes(` ${text}`);
}

function answerOf(
  { code, name, municipalityCodes, box, described }: Described,
  named: NamedMunicipalities | null,
): PostcodeAnswer {
  return {
    code,
    name,
    described,
    municipalities: municipalityCodes.map((each) => ({
      code: each,
      name: named?.byCode.get(each)?.kommune?.navn ?? null,
    })),
    boundsM: box,
    boundsDegrees: box === null ? null : boundsInDegrees(box),
  };
}

function unreadPostcodes(): Failure {
  return new Failure('upstream_unavailable', {
    error: 'The register holds a row of a postcode that cannot be read.',
    errorDa: 'Registret har en række om et postnummer, som ikke kan læses.',
    retryAfterS: LIMITS.retryAfterS.unreadable,
  });
}

function noPostcode(code: string) {
  return {
    error: `The register holds no postcode ${code}.`,
    errorDa: `Registret har intet postnummer ${code}.`,
  };
}
