/** Events and extracts, page by page. */
import type { ChangeSource } from './source.ts';
import type { ChangeEvent, EventRange, Extract, ExtractRow } from './types.ts';

export declare function readEvents(
  source: ChangeSource,
  range: EventRange,
): AsyncIterable<ChangeEvent>;

export declare function readExtract(source: ChangeSource, of: Extract): AsyncIterable<ExtractRow>;
