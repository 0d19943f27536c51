import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked } from 'marked';
import { GUIDE_LIST } from './guide-list.ts';
import type { GuideName } from './guide-list.ts';
import { escapeHtml } from './escape.ts';

const DOCS = join(import.meta.dirname, '../../../docs');

export interface Guide extends GuideName {
  /** In the guide's language. */
  readonly title: string;
  /** HTML. */
  readonly body: string;
  readonly sections: readonly GuideSection[];
}

export interface GuideSection {
  /** '' before the first heading. */
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
}

let rendered: readonly Guide[] | null = null;

/** Rendered once in a process. */
export function guides(): readonly Guide[] {
  rendered ??= GUIDE_LIST.map(readGuide);
  return rendered;
}

export function guideLinks(): string {
  const items = (language: GuideName['language']): string =>
    guides()
      .filter((each) => each.language === language)
      .map(({ name, title, da }) => {
        const inEnglish = language === 'en' ? title : `${title} (Danish)`;
        return `<li><a href="docs/${name}" data-en="${escapeHtml(inEnglish)}">${escapeHtml(da)}</a></li>`;
      })
      .join('');
  return `<ul class="links">${items('da')}</ul>
<h3 data-en="In English: details, and operations">På engelsk: enkeltheder og drift</h3>
<ul class="links">${items('en')}</ul>`;
}

const OF_SAMPLE = `<p class="muted">Eksemplerne spørger om prøvedata: en opdigtet ø. Sæt dit eget sted ind. <code>URL</code> er
tjenestens adresse, <code>KEY</code> er din <a href="noegler">nøgle</a>.</p>`;

function readGuide(guide: GuideName): Guide {
  const { name, language } = guide;
  const text = readFileSync(join(DOCS, language === 'da' ? 'da' : '', `${name}.md`), 'utf8');
  const [, title = name, rest = ''] = /^# (.*)\n([\s\S]*)$/.exec(text) ?? [];
  return {
    ...guide,
    title,
    sections: sectionsOf(rest),
    body: `<article class="guide" lang="${language}">${language === 'da' ? OF_SAMPLE : ''}${MARKED.parse(rest) as string}</article>`,
  };
}

/** Plain text by heading. */
function sectionsOf(markdown: string): readonly GuideSection[] {
  return markdown.split(/^(?=#{2,4} )/m).map((part) => {
    const [, heading = '', rest = part] = /^#{2,4} (.*)\n?([\s\S]*)$/.exec(part) ?? [];
    const text = rest
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/^```.*$|[`*|#]|-{3,}/gm, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return { heading: heading.replaceAll('`', ''), anchor: anchorOf(heading), text };
  });
}

/** As GitHub makes it. */
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

/** null: no page. */
function targetOf(href: string): string | null {
  if (href.startsWith('/')) return `..${href}`;
  if (/^(https?:|#)/.test(href)) return href;
  const [, name, anchor = ''] = /^(?:\.\.\/|da\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return name !== undefined && GUIDE_LIST.some((guide) => guide.name === name)
    ? name + anchor
    : null;
}
