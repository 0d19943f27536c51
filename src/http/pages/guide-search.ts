/** Every word must be in a section, its heading or its names. */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { query } from '../../core/question/schemas.ts';
import { FAILURES, codesOf } from '../../kernel/failures.ts';
import type { FailureType } from '../../kernel/failures.ts';
import { guides } from './guides.ts';

const LIMITS = { queryChars: 100, words: 8, results: 12, excerptChars: 160 } as const;

interface Section {
  readonly href: string;
  readonly da: string;
  readonly en: string;
  /** '' at the beginning of a guide. */
  readonly heading: string;
  readonly language: 'da' | 'en';
  readonly text: string;
  /** Names and Danish search words. */
  readonly words: string;
}

export interface GuideHit extends Omit<Section, 'text' | 'words'> {
  readonly excerpt: string;
}

type Lowered = Section & { readonly names: string; readonly title: string; readonly body: string };

function lowered(section: Section): Lowered {
  const { da, en, words, heading, text } = section;
  const names = `${da} ${en} ${words}`.toLowerCase();
  return { ...section, names, title: heading.toLowerCase(), body: text.toLowerCase() };
}

function guideSections(): readonly Section[] {
  return guides().flatMap(({ name, da, title, words, language, sections }) =>
    sections.map(({ heading, anchor, text }) => ({
      ...{ da, words, language, heading, text },
      en: title,
      href: anchor === '' ? `docs/${name}` : `docs/${name}#${anchor}`,
    })),
  );
}

function errorSections(): readonly Section[] {
  return (Object.keys(FAILURES) as FailureType[]).map((type) => {
    const { status, da: text } = FAILURES[type];
    const name = `${status} ${type}`;
    const words = codesOf(type).join(' ');
    return {
      href: `v1/errors/${type}`,
      da: `Fejl ${name}`,
      en: `Error ${name}`,
      heading: '',
      language: 'da',
      text,
      words,
    };
  });
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
}

/** Descriptions are English, an empty line, Danish. */
export function operationSections(document: {
  readonly paths?: Readonly<Record<string, unknown>>;
}): readonly Section[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Operation>>).map(([method, operation]) => {
      const { operationId = '', summary = '', description = '', tags = [] } = operation;
      const [english = '', danish = english] = description.split('\n\n');
      const name = `${method.toUpperCase()} ${path}`;
      return {
        ...{ da: name, en: name, heading: '', language: 'da' as const },
        href: `docs#/${tags[0] ?? ''}/${operationId}`,
        text: danish === '' ? summary : danish,
        words: `${summary} ${english}`,
      };
    }),
  );
}

let kept: readonly Lowered[] | null = null;

export function searchGuides(
  asked: string,
  operations: () => readonly Section[],
): readonly GuideHit[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean).slice(0, LIMITS.words);
  if (words.length === 0) return [];
  kept ??= [...guideSections(), ...errorSections(), ...operations()].map(lowered);
  return kept
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, LIMITS.results)
    .map(({ section }) => hitOf(section, words));
}

/** 0: a word is missing. */
function scoreOf({ names, title, body, heading }: Lowered, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const named = heading === '' && names.includes(word);
    const found = (named ? 8 : 0) + (title.includes(word) ? 4 : 0) + (body.includes(word) ? 1 : 0);
    if (found === 0) return 0;
    score += found;
  }
  return score;
}

function hitOf(section: Lowered, words: readonly string[]): GuideHit {
  const { href, da, en, heading, language, text, body } = section;
  const at = Math.max(0, ...words.map((word) => body.indexOf(word)));
  const start = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 60)) + 1);
  const excerpt = text.slice(start, start + LIMITS.excerptChars).trim();
  return { href, da, en, heading, language, excerpt };
}

export function guideSearchRoute(app: FastifyInstance): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    hide: true,
    querystring: query({ q: Type.String({ maxLength: LIMITS.queryChars }) }),
  };
  const operations = () => operationSections(app.swagger());
  routes.get('/docs/soeg.json', { schema }, (request, reply) =>
    reply
      .headers({ 'cache-control': 'public, max-age=300' })
      .send({ fundet: searchGuides(request.query.q, operations) }),
  );
}
