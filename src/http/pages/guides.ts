/** The guides of `docs` as pages: those for users and operators. Others are read in the repository. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked } from 'marked';
import { escapeHtml } from './escape.ts';

const DOCS = join(import.meta.dirname, '../../../docs');

export const GUIDES = [
  'addresses',
  'properties',
  'companies',
  'place-names',
  'heights',
  'an-answer',
  'dawa',
  'jobs',
  'webhooks',
  'keys',
  'gis',
  'settings',
  'sources-file',
  'operations',
  'operations-connections',
  'operations-limits',
  'operations-log',
] as const;

export interface Guide {
  readonly name: string;
  readonly title: string;
  /** Markup, in English. */
  readonly body: string;
}

let rendered: readonly Guide[] | null = null;

/** All guides, rendered once in a process. */
export function guides(): readonly Guide[] {
  rendered ??= GUIDES.map(readGuide);
  return rendered;
}

/** Links to all guides, for the page `/docs`. */
export function guideLinks(): string {
  const items = guides().map(
    ({ name, title }) => `<li><a href="docs/${name}" lang="en">${escapeHtml(title)}</a></li>`,
  );
  return `<ul class="links">${items.join('')}</ul>`;
}

function readGuide(name: string): Guide {
  const text = readFileSync(join(DOCS, `${name}.md`), 'utf8');
  const [, title = name, rest = ''] = /^# (.*)\n([\s\S]*)$/.exec(text) ?? [];
  return {
    name,
    title,
    body: `<article class="guide" lang="en">${MARKED.parse(rest) as string}</article>`,
  };
}

/** The anchor of a heading, as in the repository's own view of the file. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

const MARKED = new Marked({
  async: false,
  renderer: {
    heading({ tokens, depth, text: plain }) {
      return `<h${depth} id="${anchorOf(plain)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      const target = targetOf(href);
      return target === null ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
    },
    code: ({ text: code }) =>
      `<pre class="scroll" tabindex="0"><code>${escapeHtml(code)}</code></pre>\n`,
  },
  hooks: {
    // Wide tables scroll by themselves, also by keyboard.
    postprocess: (html) =>
      html
        .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
        .replaceAll('</table>', '</table></div>'),
  },
});

/** null: a file of the repository that is no page. */
function targetOf(href: string): string | null {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return name !== undefined && (GUIDES as readonly string[]).includes(name) ? name + anchor : null;
}
