import { LIMITS } from '../kernel/limits.ts';

export interface BackgroundMap {
  /**
   * Of a tile, with `{z}`, `{x}` and `{y}` (Web Mercator, XYZ). Every reader of the page sees it.
   */
  readonly url: string;
  readonly attribution: string;
}

const PARTS = ['{z}', '{x}', '{y}'];

/** Throws an Error with one sentence, without the URL, which may contain a token. */
export function backgroundMap(
  url: string | null,
  attribution: string | null,
): BackgroundMap | null {
  if (url === null && attribution === null) return null;
  if (url === null) throw new Error('BACKGROUND_MAP_ATTRIBUTION needs BACKGROUND_MAP_URL.');
  if (attribution === null) throw new Error('BACKGROUND_MAP_URL needs BACKGROUND_MAP_ATTRIBUTION.');
  const { urlChars, attributionChars } = LIMITS.backgroundMap;
  if (!isTemplate(url) || url.length > urlChars) {
    throw new Error(
      'BACKGROUND_MAP_URL must be an address starting with https:// or http://, with {z}, {x} and {y} ' +
        `once each behind its host, without a login, and of at most ${urlChars} characters.`,
    );
  }
  if (attribution.length > attributionChars) {
    throw new Error(`BACKGROUND_MAP_ATTRIBUTION must have at most ${attributionChars} characters.`);
  }
  return { url, attribution };
}

export function originOf({ url }: BackgroundMap): string {
  return new URL(url).origin;
}

function isTemplate(url: string): boolean {
  if (!/^https?:\/\/[^\s"'<>\\`]+$/.test(url)) return false;
  const parsed = URL.parse(url);
  if (parsed === null || parsed.username !== '' || parsed.password !== '') return false;
  const behindHost = url.slice(url.indexOf('/', 'https://'.length));
  const bare = PARTS.reduce((rest, part) => rest.replace(part, ''), behindHost);
  return (
    !/[{}]/.test(parsed.host) &&
    !/[{}]/.test(bare) &&
    PARTS.every((part) => behindHost.split(part).length === 2)
  );
}
