import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webBundle } from './bundle.ts';
import { escapeHtml } from './escape.ts';
import type { WebBundle } from './bundle.ts';
import { guideLinks } from './guides.ts';
import { WEB_PAGES } from './page-list.ts';

const WEB = join(import.meta.dirname, '../../web');

/** Placeholders in a page for the shared parts; the header gets the page's name, `Kort | Map`. */
const HEAD_MARK = '<!-- build:head -->';
const HEADER_MARK = /<!-- build:header (.*) -->/;
const WAYS_MARK = '<!-- build:ways -->';
const GUIDES_MARK = '<!-- build:guides -->';
const LANGUAGES_MARK = '<!-- build:languages -->';
const LANGUAGES = `<span class="languages" role="group" aria-label="Sprog" data-en-aria-label="Language">
<button type="button" class="quiet" data-language="da" lang="da">Dansk</button>
<button type="button" class="quiet" data-language="en" lang="en">English</button>
</span>`;

/** The search field of shared/search-box.ts. */
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
</form>`;

const SERVICE = 'Geoopslag';

export interface PlainPage {
  readonly title: string;
  /** From the page's path to the service's root: `''`, `'../'`, `'../../'`. */
  readonly root: string;
  readonly main: string;
}

export interface Shell {
  documentOf(page: string): string;
  plainDocument(page: PlainPage): string;
}

export interface InventedData {
  readonly land: string;
  readonly address: string;
  /** Of that address, EPSG:25832 metres. */
  readonly x: number;
  readonly y: number;
}

/** `invented` null: real data. */
export async function loadShell(invented: InventedData | null = null): Promise<Shell> {
  const bundle = await webBundle();
  return {
    documentOf: (page) =>
      readFileSync(join(WEB, page, 'index.html'), 'utf8')
        .replace(HEAD_MARK, () => headOf(bundle, '', page))
        .replace(HEADER_MARK, (_mark, names: string) => headerOf(bundle, '', { names, page }))
        .replace(LANGUAGES_MARK, LANGUAGES)
        .replace(SEARCH_MARK, SEARCH)
        .replace(WAYS_MARK, waysOf)
        .replace(GUIDES_MARK, guideLinks)
        .replace('</header>', (end) => `${end}${bannerOf(invented, '')}`),
    plainDocument: ({ title, root, main }) => `<!doctype html>
<html lang="da">
<head>
${headOf(bundle, root, null)}
<meta name="robots" content="noindex">
<title>${title} · Geoopslag</title>
</head>
<body>
<header class="top">${headerOf(bundle, root, { names: title, page: null })}</header>${bannerOf(invented, root)}
<main>
${main}
</main>
</body>
</html>
`,
  };
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

const LINKS = WEB_PAGES.flatMap(({ name, paths, link, about }) =>
  link === undefined ? [] : [{ name, href: paths[0]?.slice(1) ?? '', link, about }],
);

function headerOf(
  { shared }: WebBundle,
  root: string,
  { names, page }: { readonly names: string; readonly page: string | null },
): string {
  const items = LINKS.map(({ name: other, href, link }) => {
    const here = other === page ? ' aria-current="page"' : '';
    return `<li><a href="${root}${href}"${here} data-en="${link.en}">${link.da}</a></li>`;
  });
  const icon = `<img src="${root}web/${shared.ikon}" alt="" width="28" height="28">`;
  const [name = '', english] = names.split(' | ');
  const words = english === undefined ? name : `<span data-en="${english}">${name}</span>`;
  const title = name === SERVICE ? SERVICE : `${words} <span class="muted">${SERVICE}</span>`;
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
      `<li><a href="${href}" data-en="${link.en}">${link.da}</a>` +
      `<p class="muted" data-en="${about?.en ?? ''}">${about?.da ?? ''}</p></li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}
