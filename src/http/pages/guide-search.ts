/** Search over the guides: every word of the question in a section, its heading or the guide's names. */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { query } from '../../core/question/schemas.ts';
import { guides } from './guides.ts';

const LIMITS = { queryChars: 100, words: 8, results: 12, excerptChars: 160 } as const;

interface Section {
  readonly guide: string;
  readonly da: string;
  readonly en: string;
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
  /** In lower case: the guide's names and Danish words, the heading, the text. */
  readonly names: string;
  readonly title: string;
  readonly body: string;
}

export interface GuideHit {
  readonly guide: string;
  readonly da: string;
  readonly en: string;
  /** '' where it is the guide's beginning. */
  readonly heading: string;
  readonly anchor: string;
  readonly excerpt: string;
}

let kept: readonly Section[] | null = null;

export function searchGuides(asked: string): readonly GuideHit[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean).slice(0, LIMITS.words);
  if (words.length === 0) return [];
  kept ??= guides().flatMap(({ name, da, title, words: danish, sections }) =>
    sections.map(({ heading, anchor, text }) => ({
      ...{ guide: name, da, en: title, heading, anchor, text },
      names: `${da} ${title} ${danish}`.toLowerCase(),
      ...{ title: heading.toLowerCase(), body: text.toLowerCase() },
    })),
  );
  return kept
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, LIMITS.results)
    .map(({ section }) => hitOf(section, words));
}

/** 0: a word is nowhere in it. A guide that is named so counts at its beginning alone. */
function scoreOf({ names, title, body, heading }: Section, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const named = heading === '' && names.includes(word);
    const found = (named ? 8 : 0) + (title.includes(word) ? 4 : 0) + (body.includes(word) ? 1 : 0);
    if (found === 0) return 0;
    score += found;
  }
  return score;
}

function hitOf(section: Section, words: readonly string[]): GuideHit {
  const { guide, da, en, heading, anchor, text, body } = section;
  const at = Math.max(0, ...words.map((word) => body.indexOf(word)));
  const start = Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 60)) + 1);
  const excerpt = text.slice(start, start + LIMITS.excerptChars).trim();
  return { guide, da, en, heading, anchor, excerpt };
}

export function guideSearchRoute(app: FastifyInstance): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    hide: true,
    querystring: query({ q: Type.String({ maxLength: LIMITS.queryChars }) }),
  };
  routes.get('/docs/soeg.json', { schema }, (request, reply) =>
    reply
      .headers({ 'cache-control': 'public, max-age=300' })
      .send({ fundet: searchGuides(request.query.q) }),
  );
}
