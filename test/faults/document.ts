/** `docs/fault-matrix.md`, written from the matrix: `node test/faults/document.ts` rewrites it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { LIMITS } from '../../src/kernel/limits.ts';
import { GROUPS, MATRIX } from './matrix.ts';
import { ANSWER_ROWS, COMPANY_FILE_ROWS, SEARCH_ROWS } from './matrix-companies.ts';
import { DATED_BREAKS, DATED_ROWS } from './matrix-dated.ts';
import { ROW_BREAKS } from './matrix-rows.ts';
import { FILE_ROWS } from './matrix-files.ts';
import type { FileRow } from './matrix-files.ts';
import { JOINED_ROWS } from './matrix-joined.ts';
import { PLACE_ROWS } from './matrix-places.ts';
import { MAP_ROWS, PARCEL_ROWS } from './matrix-map.ts';
import { TILE_ROWS, WCS_ROWS } from './matrix-terrain.ts';
import type { Cell, LiveOutcome, MatrixRow, SyncOutcome } from './matrix-terms.ts';
import { FAMILIES } from './matrix-terms.ts';

export const DOCUMENT = join(import.meta.dirname, '../../docs/fault-matrix.md');

const SYNC_WORDS: Readonly<Record<SyncOutcome, string>> = {
  true: 'mirrored',
  refused: 'refused',
  failed: 'failed',
};
const LIVE_WORDS: Readonly<Record<LiveOutcome, string>> = {
  true: 'answered',
  unavailable: 'unavailable',
};
const OWN_WORD = "the register's own word";

const HEAD = `# The fault matrix

What may go wrong at an upstream, and what this service then does. Written from \`test/faults/matrix.ts\` by
\`node test/faults/document.ts\`; a test compares the two. The simulator tries the code with seeded faults:

    npm run faults -- --count 10000 --seed 1

An HTTP upstream plays the registers and is spoiled; every answer is compared with what it served. The last line is
\`N faults, 0 false, 0 empty, 0 partial\`:

- **false**: an untrue yes or no, count, distance, name or geometry;
- **empty**: "nothing there" from a register that was not read;
- **partial**: a copy that is neither the version before nor the source's, or leftover rows and runs.

A key in any log, error or record fails the run, as does any outcome the table does not allow. A failure prints the seed
and the case; \`--seed S --only K\` plays it again, \`--row ID\` plays one row.

## How to read it

- **sync**: *mirrored*: the copy equals the source. *refused*: a guard gives its numbers. *failed*: the reading broke
  off. After the last two the version before goes on answering. *any*: mirrored, refused or failed.
- **live**: no fresh copy, so the register itself is asked. *answered*: the truth. *unavailable*: \`utilgaengelig\` for
  lines, 503 for areas, or a copy within its hard limit, as stale.
- *a / b*: it depends on where in the answer the fault strikes.
- †: one live window cannot tell the fault from a real change, so an answer must be true of what the register serves.
  Rows lost or gained beyond the guards are not believed. *${OWN_WORD}*: only the guards of the sync, which see the
  whole layer, can tell.
- *After a refused run* the register is not asked live until a later run passes or an operator releases the guards.
- Unreadable features and ids that come twice: [operations](operations.md#a-walk-over-the-sample).
- A register row that cannot be read leaves unanswered what it belongs to: a property, address, company, place (id,
  name, point), the nearest address where it may be nearer, a parcel tile.
- A lookup that spends its ${LIMITS.originDeadlineMs / 1_000} s waiting on a busy machine has no answer from the register.
  One in a hundred may.

Each row is tried on every layer of every family: ${FAMILIES.join(', ')}.
`;

const WHOLE = `## What proves a reading whole

A register may change while it is read. A copy is published only where every row that was there all the while is in it:

| read as | proof | cost |
| --- | --- | --- |
| one answer | it is of one moment, nothing follows its last row, and the counts before and after are its own | none |
| pages of a server that sorts | each page begins with the last row of the one before; the keys ascend over the whole reading, and no two rows across the end of a page share one; asked for the opposite order, the server begins with the last key | one row |
| pages of a server that does not | a second reading finds the same rows with the same content; else the run fails, the copy before answers, and the next run tries again | a second reading |
| a file | size and MD5 of the listing, CRC of the zip, the end of the text, the same number of cells in each row | none |
| a delta | the same, and no generation is missing since the last total | none |

A total without counts (\`numberMatched="unknown"\`) is proved the same way: a row passed over needs another that vanished, or
comes twice, and neither is in both readings. The first hold for every layer over WFS; which of them a run took is in its
notes. An archived reading was proved when it was read.
`;

export async function fullText(): Promise<string> {
  const tables = GROUPS.map(
    ({ title, rows }) =>
      `## ${title}\n\n` +
      '| fault | what happens | sync | live |\n' +
      '| --- | --- | --- | --- |\n' +
      rows.map(rowText).join(''),
  );
  const text =
    `${HEAD}\n${tables.join('\n')}\n${MATRIX.length} rows.\n\n` +
    `${WHOLE}\n` +
    '## Files of BBR and the cadastre\n\n' +
    'A table’s total, its daily delta, or the listing of both. Unless *mirrored*, the tables, their versions and the ' +
    'answers about properties stay to the byte; once the fault is gone the change comes, and a new total ' +
    'finds nothing to mend. Played on both registers by `npm run faults` and `test/faults/files.test.ts`.\n\n' +
    '| fault | what happens | file | sync |\n| --- | --- | --- | --- |\n' +
    `${FILE_ROWS.map(fileText).join('')}\n${FILE_ROWS.length} rows.\n\n` +
    '## Rows that cannot be read\n\n' +
    'In every table of every register, from one row up, in a first copy, a later total and a delta. Each question ' +
    'on and around the rows, from memory and store, gets the answer of the whole register, or none. A version with ' +
    'rows of unknown place is refused; once released, nothing is unknown for them. ' +
    'Played by `npm run faults -- --rows N`.\n\n' +
    `${tableOf(
      BROKEN,
      Object.entries(ROW_BREAKS).map(([id, { about }]) => [id, about]),
    )}\n` +
    '## Rows of files that tell of a date\n\n' +
    'Any rows, asked by code and point before the date, after it, and once the file is read again: the answer is ' +
    'what the file says then, or none. Played as above.\n\n' +
    `${tableOf(
      BROKEN,
      Object.entries(DATED_BREAKS).map(([id, { about }]) => [id, about]),
    )}\n` +
    '## Conditions\n\n' +
    'Every condition under every row above that a sync can tell from the register’s own word, and under half a layer and ' +
    'texts in a wrong character set: at places in, around and away from its objects each answer is what it was, or ' +
    '`utilgaengelig`. Played by `npm run faults` and `test/faults/conditions.test.ts`.\n\n' +
    '## Columns of jobs\n\n' +
    'Addresses spread over columns under many headings, a letter, floor, door, postcode or town apart: A is only the ' +
    'address that the row was written from. Played by `test/unit/job-file-kinds.test.ts`.\n\n' +
    '## Changes that are known ahead\n\n' +
    'Played by `test/sync/dated-confirm.test.ts`, with the clock turned, and by night with kill -9 at ' +
    'each step.\n\n' +
    `${tableOf(
      OUTCOME,
      Object.values(DATED_ROWS).map(({ id, about, outcome }) => [id, about, outcome]),
    )}\n` +
    '## Registers that property records are joined with\n\n' +
    'Played by `test/sync/register-faults.test.ts`, with and without a copy.\n\n' +
    tableOf(TOLD, toldRows(JOINED_ROWS)) +
    '\n## Place names\n\n' +
    'Played likewise.\n\n' +
    `${tableOf(TOLD, toldRows(PLACE_ROWS))}\n` +
    '## Heights\n\n' +
    'Played by `test/unit/terrain-wcs.test.ts` and `test/unit/terrain-tiles.test.ts`. Never 0; null only ' +
    'where a raster that was read has nothing.\n\n' +
    `${tableOf(OUTCOME, outcomeRows({ ...WCS_ROWS, ...TILE_ROWS }))}\n` +
    '## Companies\n\n' +
    'Files are played likewise; the search by ' +
    '`test/unit/virk-client.test.ts`. No fault makes `reklamebeskyttet` or `ophoersdato` false or null, or a number ' +
    'unknown.\n\n' +
    `${tableOf(OUTCOME, companyRows())}\n` +
    '## Tiles and files of layers\n\n' +
    'Played by `test/store-contract/tiles.test.ts` and `parcel-tiles.test.ts`. A tile is empty only ' +
    'where a copy was read and nothing of the layer lies there.\n\n' +
    tableOf(OUTCOME, outcomeRows({ ...MAP_ROWS, ...PARCEL_ROWS }));
  return (await format(DOCUMENT, text)).code;
}

const BROKEN = ['fault', 'what is broken'];
const OUTCOME = ['fault', 'what happens', 'outcome'];
const TOLD = ['fault', 'what happens', 'sync', 'answered'];

/** The last cell of so many rows of a table is said once, before it. */
const OFTEN = 3;

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lasts = rows.map((cells) => cells.at(-1) ?? '');
  const often = [...new Set(lasts)].filter(
    (text) => text.includes(' ') && lasts.filter((each) => each === text).length >= OFTEN,
  );
  const letterOf = (text: string): string => `(${'abcdefgh'.charAt(often.indexOf(text))})`;
  const notes = often.map((text) => `${letterOf(text)} ${text}`).join('. ');
  const written = rows.map(([id = '', ...cells]) => {
    const last = cells.at(-1) ?? '';
    const shown = often.includes(last) ? letterOf(last) : last;
    return [`\`${id}\``, ...cells.slice(0, -1), shown];
  });
  const lines = [heads, heads.map(() => '---'), ...written].map(
    (cells) => `| ${cells.join(' | ')} |\n`,
  );
  return (notes === '' ? '' : `${notes}.\n\n`) + lines.join('');
}

function toldRows(
  rows: Readonly<
    Record<string, { readonly about: string; readonly sync: string; readonly told: string }>
  >,
): readonly (readonly string[])[] {
  return Object.entries(rows).map(([id, { about, sync, told }]) => [id, about, sync, told]);
}

function outcomeRows(
  rows: Readonly<Record<string, { readonly about: string; readonly outcome: string }>>,
): readonly (readonly string[])[] {
  return Object.entries(rows).map(([id, { about, outcome }]) => [id, about, outcome]);
}

function companyRows(): readonly (readonly string[])[] {
  const rest = 'a stale copy answers; past its hard limit 503, without one 502';
  const files = Object.entries(COMPANY_FILE_ROWS).map(([id, { about, sync, told }]) => [
    ...[id, about],
    `${sync}: ${told}`,
  ]);
  const search = Object.entries(SEARCH_ROWS).map(([id, { about }]) => [id, about, rest]);
  const answers = Object.entries(ANSWER_ROWS).map(([id, about]) => [
    ...[id, about],
    id === 'virk-silent-protection' ? 'answered' : rest,
  ]);
  return [...files, ...search, ...answers];
}

function rowText({ id, about, served, sync, line, area }: MatrixRow): string {
  const note = served === true ? ' †' : '';
  const [ofLines, ofAreas] = [cellText(line, LIVE_WORDS), cellText(area, LIVE_WORDS)];
  const live = ofLines === ofAreas ? ofLines : `${ofLines}; areas: ${ofAreas}`;
  const cells = [`\`${id}\``, `${about}${note}`, cellText(sync, SYNC_WORDS), live];
  return `| ${cells.join(' | ')} |\n`;
}

function fileText({ id, about, on, sync, guards, isMissed }: FileRow): string {
  const by = guards === undefined ? '' : `: ${guards.map((guard) => `\`${guard}\``).join(' / ')}`;
  const outcome = isMissed === true ? 'unchanged' : SYNC_WORDS[sync];
  const file = on.length > 1 ? 'both' : on.join('');
  return `| \`${id}\` | ${about} | ${file} | ${outcome}${by} |\n`;
}

function cellText<O extends string>(cell: Cell<O>, words: Readonly<Record<O, string>>): string {
  if (cell === null) return OWN_WORD;
  const said = (outcomes: readonly O[]) =>
    outcomes.length > 2 ? 'any' : outcomes.map((outcome) => words[outcome]).join(' / ');
  if (!('others' in cell)) return said(cell);
  const families = FAMILIES.flatMap((family) => {
    const own = cell[family];
    return own === undefined ? [] : [`${family}: ${said(own)}`];
  });
  return [said(cell.others), ...families].join('; ');
}

export function writtenText(): string {
  return readFileSync(DOCUMENT, 'utf8');
}

if (import.meta.main) writeFileSync(DOCUMENT, await fullText());
