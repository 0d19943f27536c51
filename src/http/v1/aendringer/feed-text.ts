import type { Feed, FeedAsked, KnownOfFeed } from '../../../changes/feed.ts';
import { readFeed } from '../../../changes/feed.ts';
import type { ChangeSource } from '../../../changes/source.ts';
import type { MakeAnswer, Maker } from '../../../core/tasks/stream-task.ts';
import { feedLines, feedText } from './render.ts';

interface FeedGiven {
  readonly source: Omit<ChangeSource, 'db'>;
  readonly asked: FeedAsked;
  /** null: lines. */
  readonly meta: object | null;
}

export interface FeedHead extends Omit<Feed, 'parts'> {
  readonly isEmpty: boolean;
}

export const FEED_TEXT: Maker<FeedGiven, FeedHead> = { file: new URL(import.meta.url) };

export async function makeFeed(
  source: ChangeSource,
  asked: FeedAsked,
  meta: object | null,
  known?: KnownOfFeed,
): Promise<{ readonly head: FeedHead; readonly text: string }> {
  const { parts, ...head } = await readFeed(source, asked, known);
  const feed = { parts, ...head };
  const text = meta === null ? feedLines(feed) : feedText(feed, meta);
  return { head: { ...head, isEmpty: parts.length === 0 }, text };
}

const make: MakeAnswer<FeedGiven, FeedHead> = async ({ db }, { source, asked, meta }) => {
  const { head, text } = await makeFeed({ db, ...source }, asked, meta);
  return { head, text: one(text) };
};
export default make;

async function* one(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text);
}
