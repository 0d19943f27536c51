import { entitiesOf } from '../../../changes/entity-rows.ts';
import { readExtract, readExtractLines } from '../../../changes/extract.ts';
import { CHANGE_LIMITS } from '../../../changes/limits.ts';
import type { ChangeSource } from '../../../changes/source.ts';
import type { Extract } from '../../../changes/types.ts';
import type { MakeAnswer, Maker } from '../../../core/tasks/stream-task.ts';
import type { MirrorId } from '../../../layers/keys.ts';
import { csvHead, csvRow } from './render.ts';

interface ExtractGiven {
  readonly source: Omit<ChangeSource, 'db'>;
  readonly register: MirrorId;
  readonly entities: readonly string[];
  readonly atTransaction: number;
  readonly format: 'ndjson' | 'csv';
}

export const EXTRACT_TEXT: Maker<ExtractGiven, null> = { file: new URL(import.meta.url) };

const make: MakeAnswer<ExtractGiven, null> = ({ db }, { source, ...given }) => ({
  head: null,
  text: textOf({ db, ...source }, given),
});
export default make;

async function* textOf(
  source: ChangeSource,
  { register, entities, atTransaction, format }: Omit<ExtractGiven, 'source'>,
): AsyncGenerator<string, void> {
  for (const entity of entities) {
    const of = { register, entity, atTransaction };
    if (format === 'csv') yield* csvOf(source, of);
    else yield* readExtractLines(source, of);
  }
}

async function* csvOf(source: ChangeSource, of: Extract): AsyncGenerator<string, void> {
  const kept = entitiesOf(of.register, source.schemas, source.naming);
  const columns = kept.find(({ entity }) => entity === of.entity)?.columns ?? [];
  let text = csvHead(columns);
  for await (const row of readExtract(source, of)) {
    text += csvRow(columns, row);
    if (text.length < CHANGE_LIMITS.sentChars) continue;
    yield text;
    text = '';
  }
  yield text;
}
