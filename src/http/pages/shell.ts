import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webBundle } from './bundle.ts';
import type { Language } from '../wire/text.ts';
import { escapeHtml } from './escape.ts';
import type { WebBundle } from './bundle.ts';
import { guideLinks } from './guides.ts';
import { WEB_PAGES } from './page-list.ts';
import type { WebPage } from './page-list.ts';

const WEB = join(import.meta.dirname, '../../web');

const WAYS_MARK = '<!-- build:ways -->';
const GUIDES_MARK = '<!-- build:guides -->';
const LANGUAGES = `<span class="languages" role="group" aria-label="Sprog" data-en-aria-label="Language">
<button type="button" class="quiet" data-language="da" lang="da">Dansk</button>
<button type="button" class="quiet" data-language="en" lang="en">English</button>
</span>`;

const SEARCH_MARK = '<!-- build:search -->';
const SEARCH = `<form id="search" role="search" autocomplete="off">
<label for="q" data-en="Address, place name, coordinates, parcel, BFE or CVR number">Adresse, stednavn, koordinater, matrikel, BFE- eller CVR-nummer</label>
<div class="field">
<input id="q" type="text" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="suggestions"
maxlength="200" spellcheck="false" autocomplete="off" placeholder="Vej og nummer, by" data-en-placeholder="Road and number, town">
<button type="submit" class="primary" data-en="Look up">Slå op</button>
<ul id="suggestions" role="listbox" aria-label="Forslag" data-en-aria-label="Suggestions" hidden></ul>
</div>
<p class="visually-hidden" id="told" role="status"></p>
<p class="notice bad" id="q-error" role="alert" hidden></p>
<p class="notice bad" id="unread" role="alert" hidden data-en="The link names no place that can be read here: it may have been cut off. Search for the place above, or ask for the link again.">Linket nævner intet sted, der kan læses her: det kan være klippet over. Søg stedet ovenfor, eller bed om linket igen.</p>
</form>`;

const CONFIRM_MARK = '<!-- build:confirm -->';
const CONFIRM = `<dialog id="confirm" aria-labelledby="confirm-title">
<form method="dialog">
<h2 id="confirm-title"></h2>
<div id="confirm-text"></div>
<div class="buttons">
<button value="no" class="quiet" id="confirm-no" data-en="Cancel">Annuller</button>
<button value="yes" class="primary" id="confirm-yes"></button>
</div>
</form>
</dialog>`;

const SIGN_OUT = (hidden: string): string =>
  `<button type="button" class="quiet" id="sign-out"${hidden} data-en="Sign out">Log ud</button>`;
const RIGHT: Readonly<Record<NonNullable<WebPage['right']> | 'none', string>> = {
  none: LANGUAGES,
  'sign-out': LANGUAGES + SIGN_OUT(' hidden'),
  'sign-in': `${LANGUAGES}<a id="to-account" href="konto" hidden data-en="Sign in">Log ind</a>${SIGN_OUT(' hidden')}`,
  konto: `${LANGUAGES}<span class="session" id="session" hidden><a id="to-drift" href="drift" hidden data-en="Operations">Drift</a>${SIGN_OUT('')}</span>`,
  drift: `<span class="session" id="session" hidden><span class="freshness" id="updated"></span><button type="button" class="quiet" id="pause" aria-pressed="false" data-en="Pause updates">Sæt på pause</button>${SIGN_OUT('')}</span>${LANGUAGES}`,
};
const CONTENT = { to: '#indhold', da: 'Spring til indholdet', en: 'Skip to the content' };
const NO_SCRIPT =
  '<noscript><p class="notice bad">Siden kræver JavaScript: slå det til i browseren, og hent siden igen. ' +
  'Uden det kan <a href="docs">vejledningerne</a> og <a href="status">status</a> læses.</p></noscript>';

const SERVICE = 'Geoopslag';

export interface PlainPage {
  readonly title: string;
  /** Path from the page to the root: `''`, `'../'`, `'../../'`. */
  readonly root: string;
  /** In that language, as what is around it becomes. */
  readonly main: string;
  readonly language?: Language;
}

export type Shell = Awaited<ReturnType<typeof loadShell>>;

export interface InventedData {
  readonly land: string;
  readonly address: string;
  /** EPSG:25832 metres. */
  readonly x: number;
  readonly y: number;
}

/** `invented` null: real data. */
export async function loadShell(invented: InventedData | null = null) {
  const bundle = await webBundle();
  return {
    documentOf: (page: WebPage): string => framed(bundle, page, invented),
    plainDocument: ({ title, root, main, language = 'da' }: PlainPage): string => `<!doctype html>
<html lang="${language}">
<head>
${headOf(bundle, root, null)}
<meta name="robots" content="noindex">
<title>${title} · Geoopslag</title>
</head>
<body>
${spoken(
  language,
  `${skipLink(CONTENT)}
<header class="top">${headerOf(bundle, root, { title: { da: title, en: title }, page: null })}</header>${bannerOf(invented, root)}`,
)}
<main id="indhold" tabindex="-1">
${main}
</main>
</body>
</html>
`,
  };
}

function framed(bundle: WebBundle, page: WebPage, invented: InventedData | null): string {
  const { name, title, description, skip = CONTENT, right = 'none' } = page;
  const body = readFileSync(join(WEB, name, 'index.html'), 'utf8')
    .replace(SEARCH_MARK, SEARCH)
    .replace(WAYS_MARK, waysOf)
    .replace(GUIDES_MARK, guideLinks)
    .replace(CONFIRM_MARK, CONFIRM)
    .replace(/<body[^>]*>/, (start) => {
      return `${start}
${skipLink(skip)}
<header class="top">${headerOf(bundle, '', { title, page: name })}
<div class="top-right">${RIGHT[right]}</div></header>${bannerOf(invented, '')}`;
    })
    .replace('</body>', '<div id="toast" role="status" aria-live="polite"></div>\n</body>');
  const about =
    description === undefined
      ? '<meta name="robots" content="noindex">'
      : `<meta name="description" content="${escapeHtml(description)}">`;
  const [da, en] = [title.da, title.en].map((each) =>
    each === SERVICE ? SERVICE : `${each} · ${SERVICE}`,
  );
  return `<!doctype html>
<html lang="da">
<head>
${headOf(bundle, '', name)}
${about}
<title data-en="${en}">${da}</title>
</head>
${body.includes('<noscript>') ? body : body.replace(/<main[^>]*>/, (start) => `${start}${NO_SCRIPT}`)}</html>
`;
}

function skipLink({ to, da, en }: typeof CONTENT): string {
  return `<a class="skip" href="${to}" data-en="${en}">${da}</a>`;
}

/** As a script would, where a page has none. */
function spoken(language: Language, frame: string): string {
  if (language === 'da') return frame;
  return frame
    .replaceAll(/ data-en="([^"]*)">[^<]*</g, '>$1<')
    .replaceAll(/ aria-label="[^"]*" data-en-aria-label=/g, ' aria-label=');
}

function headOf({ shared, entries }: WebBundle, root: string, page: string | null): string {
  const { script, style, imports } = (page === null ? undefined : entries.get(page)) ?? {
    script: null,
    style: null,
    imports: [],
  };
  return [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<link rel="icon" type="image/svg+xml" href="${root}web/${shared.ikon}">`,
    ...[shared.base, style]
      .filter((name) => name !== null)
      .map((name) => `<link rel="stylesheet" href="${root}web/${name}">`),
    ...imports.map((name) => `<link rel="modulepreload" href="${root}web/${name}">`),
    ...(script === null ? [] : [`<script type="module" src="${root}web/${script}"></script>`]),
  ].join('\n');
}

const LINKS = WEB_PAGES.flatMap(({ name, paths, title, about }) =>
  about === undefined ? [] : [{ name, href: paths[0]?.slice(1) ?? '', link: title, about }],
);

function headerOf(
  { shared }: WebBundle,
  root: string,
  { title: { da, en }, page }: Pick<WebPage, 'title'> & { readonly page: string | null },
): string {
  const items = LINKS.map(({ name: other, href, link }) => {
    const here = other === page ? ' aria-current="page"' : '';
    return `<li><a href="${root}${href}"${here} data-en="${link.en}">${link.da}</a></li>`;
  });
  const icon = `<img src="${root}web/${shared.ikon}" alt="" width="28" height="28">`;
  const words = en === da ? da : `<span data-en="${en}">${da}</span>`;
  const title = da === SERVICE ? SERVICE : `${words} <span class="muted">${SERVICE}</span>`;
  const home =
    page === 'forside'
      ? icon
      : `<a href="${root === '' ? './' : root}" class="home" aria-label="${SERVICE}">${icon}</a>`;
  return `<div class="brand">${home}
<h1>${title}</h1></div>
<nav aria-label="Sider" data-en-aria-label="Pages"><ul class="links">${items.join('')}</ul></nav>`;
}

function bannerOf(invented: InventedData | null, root: string): string {
  if (invented === null) return '';
  const { land, address, x, y } = invented;
  const name = escapeHtml(land);
  return `
<aside class="invented" aria-label="Om data" data-en-aria-label="About the data">
<strong data-en="The data are invented.">Data er opdigtede.</strong>
<span data-en="They cover ${name} only, an island that does not exist. Try">De dækker kun ${name}, en ø, der ikke findes. Prøv</span>
<a href="${root}kort#x=${x}&amp;y=${y}">${escapeHtml(address)}</a>
</aside>`;
}

function waysOf(): string {
  const items = LINKS.map(
    ({ href, link, about }) =>
      `<li class="card"><a href="${href}" data-en="${link.en}">${link.da}</a>` +
      `<p class="muted" data-en="${about.en}">${about.da}</p></li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}
