/** What every page has around its own content: the head that loads its files, and the header. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { webBundle } from './bundle.ts';
import type { WebBundle } from './bundle.ts';
import { WEB_PAGES } from './page-list.ts';

const WEB = join(import.meta.dirname, '../../web');

/** Where a page of a folder leaves room for the shared parts; the header is told the page's name. */
const HEAD_MARK = '<!-- build:head -->';
const HEADER_MARK = /<!-- build:header (.*) -->/;

/** Documents a page need not have a folder for, such as the explanation of an error. */
export interface PlainPage {
  readonly title: string;
  /** From the page's address to the service's root: `''`, `'../'`, `'../../'`. */
  readonly root: string;
  /** The content of `main`, markup. */
  readonly main: string;
}

export interface Shell {
  /** The whole document of a page that has a folder. */
  documentOf(page: string): string;
  plainDocument(page: PlainPage): string;
}

/** The shell over the files as they are called now. */
export async function loadShell(): Promise<Shell> {
  const bundle = await webBundle();
  return {
    documentOf: (page) =>
      readFileSync(join(WEB, page, 'index.html'), 'utf8')
        .replace(HEAD_MARK, () => headOf(bundle, '', page))
        .replace(HEADER_MARK, (_mark, name: string) => headerOf(bundle, '', { name, page })),
    plainDocument: ({ title, root, main }) => `<!doctype html>
<html lang="da">
<head>
${headOf(bundle, root, null)}
<meta name="robots" content="noindex">
<title>${title} · Geoopslag</title>
</head>
<body>
<header class="top">${headerOf(bundle, root, { name: title, page: null })}</header>
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

/** Brand, the page's name, and the way to the other pages. */
function headerOf(
  { shared }: WebBundle,
  root: string,
  { name, page }: { readonly name: string; readonly page: string | null },
): string {
  const links = WEB_PAGES.flatMap(({ name: other, paths, link }) =>
    link === undefined ? [] : [{ href: paths[0]?.slice(1) ?? '', link, isHere: other === page }],
  );
  links.push({
    href: 'docs',
    link: { da: 'Dokumentation', en: 'Documentation' },
    isHere: false,
  });
  const items = links.map(
    ({ href, link, isHere }) =>
      `<li><a href="${root}${href}"${isHere ? ' aria-current="page"' : ''} data-en="${link.en}">${link.da}</a></li>`,
  );
  return `<div class="brand"><img src="${root}web/${shared.ikon}" alt="" width="28" height="28">
<h1>${name} <span class="muted">Geoopslag</span></h1></div>
<nav aria-label="Sider"><ul class="links">${items.join('')}</ul></nav>`;
}
