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
const LINE_WORDS: Readonly<Record<LiveOutcome, string>> = {
  true: 'answered',
  unavailable: '`utilgaengelig`',
};
const AREA_WORDS: Readonly<Record<LiveOutcome, string>> = {
  true: 'answered',
  unavailable: '503',
};
const OWN_WORD = '‡';

const HEAD = `# The fault matrix

What may go wrong at an upstream, and what this service makes of it. Written from \`test/faults/matrix.ts\`
by \`node test/faults/document.ts\`; the simulator plays it with seeded faults:

    npm run faults -- --count 10000 --seed 1

A real HTTP upstream is spoiled; every answer is compared with the truth. The last line is
\`N faults, 0 false, 0 empty, 0 partial\`:

- **false**: a yes or no, a count, a distance, a name or a geometry that is not true;
- **empty**: "nothing there" from a register that was not read;
- **partial**: a copy that is neither the version before nor what the source holds, or rows and runs left over.

A key in any log, error or record, and any outcome not in the table, fail the run too. \`--seed S --only K\` plays a
failed case again, \`--row ID\` one row only.

## How to read it

- **sync**: *mirrored*: the copy equals the source, to the last row and edge. *refused*: a guard says why, with its
  numbers. *failed*: the reading broke off. After the last two the version before goes on answering.
- **live line**, **live area**: no fresh copy, so the register itself is asked. *answered*: the truth.
  \`utilgaengelig\` (for areas 503; *=*: as the line): no answer from the register; a copy within its hard limit answers instead, as stale.
- †: one window cannot tell the fault from a real change, so an answer must be true of
  what the register serves. Rows lost or gained beyond the guards are not believed live either.
- *After a refused run* the register is not asked live until a later run passes or an operator releases the guards.
- A feature that cannot be read is left out of the copy, and its place answers nothing.
- A row of a register's tables that cannot be read leaves unanswered whose it is: a property, an address, a company, a
  place by its id, name and point, the nearest address where it may be nearer, a tile of parcels it lies in.
- *a / b*: which one depends on where in the answer the fault strikes; never anything else.
- A lookup that spends all of its time (${LIMITS.originDeadlineMs / 1_000} s) waiting for its turn on a busy machine has no
  answer from the register, whatever the row says. One in a hundred may.
- ${OWN_WORD}: the register's own word: one window cannot tell it from a real change; the guards of the sync can.

Each row is tried on every layer of every family: ${FAMILIES.join(', ')}.
`;

/** The whole document, formatted as the house formats Markdown. */
export async function fullText(): Promise<string> {
  const tables = GROUPS.map(
    ({ title, rows }) =>
      `## ${title}\n\n` +
      '| fault | what happens | sync | live line | live area |\n' +
      '| --- | --- | --- | --- | --- |\n' +
      rows.map(rowText).join(''),
  );
  const text =
    `${HEAD}\n${tables.join('\n')}\n${MATRIX.length} rows.\n\n` +
    '## Files of BBR and the cadastre\n\n' +
    'The total and the daily delta of a table, or the listing of both. Of every outcome but *mirrored* the ' +
    'tables, their versions and the answers about properties stay to the last byte; once the fault is ' +
    'gone the change comes, and a new total finds nothing to mend. Played by `npm run faults` too, each ' +
    'on both registers, and by `test/faults/files.test.ts`.\n\n' +
    '| fault | what happens | file | sync |\n| --- | --- | --- | --- |\n' +
    `${FILE_ROWS.map(fileText).join('')}\n${FILE_ROWS.length} rows.\n\n` +
    '## Rows that cannot be read\n\n' +
    'In every table of every register, from one row up, in a first copy, a later total and a delta. Each question ' +
    'on and around the rows, from memory and from the store, has the answer of the whole register, or none; of rows ' +
    'that nobody can tell the place of the version is refused, and once released nothing is unknown for them. ' +
    'Played by `npm run faults -- --rows N`, and by `test/faults/rows.test.ts`.\n\n' +
    `${tableOf(
      BROKEN,
      Object.entries(ROW_BREAKS).map(([id, { about }]) => [id, about]),
    )}\n` +
    '## Rows of files that tell of a date\n\n' +
    'Rows to come, rows that end and any others, asked by code and by point before the date, after it, and once the ' +
    'file is read again: the answer is what the file says then, or none. Played by `npm run faults -- --rows N`, and ' +
    'by `test/faults/rows.test.ts`.\n\n' +
    `${tableOf(
      BROKEN,
      Object.entries(DATED_BREAKS).map(([id, { about }]) => [id, about]),
    )}\n` +
    '## Changes that are known ahead\n\n' +
    'Played by `test/sync/dated-confirm.test.ts`, with the clock turned; kill -9 at each step of one by ' +
    '`test/sync/dated-crash.test.ts`.\n\n' +
    `${tableOf(
      OUTCOME,
      Object.values(DATED_ROWS).map(({ id, about, outcome }) => [id, about, outcome]),
    )}\n` +
    '## Registers that property records are joined with\n\n' +
    'Played by `test/sync/joined-faults.test.ts`, on a store that never had them and behind a copy.\n\n' +
    tableOf(TOLD, toldRows(JOINED_ROWS)) +
    '\n## Place names\n\n' +
    'Played by `test/sync/place-faults.test.ts`, on a store that never had them and behind a copy.\n\n' +
    `${tableOf(TOLD, toldRows(PLACE_ROWS))}\n` +
    '## Heights\n\n' +
    'Played by `test/unit/terrain-wcs.test.ts` and `test/unit/terrain-tiles.test.ts`. Never 0, and null only ' +
    'where a raster that was read has nothing.\n\n' +
    `${tableOf(OUTCOME, outcomeRows({ ...WCS_ROWS, ...TILE_ROWS }))}\n` +
    '## Companies\n\n' +
    'Files are played by `test/sync/company-faults.test.ts`, on a store that never had any and behind a copy; ' +
    'the search by `test/unit/virk-client.test.ts`. `reklamebeskyttet` and `ophoersdato` are never false or ' +
    'null for it, and no number is unknown for it.\n\n' +
    `${tableOf(OUTCOME, companyRows())}\n` +
    '## Tiles and files of layers\n\n' +
    'Played by `test/store-contract/tiles.test.ts` and `parcel-tiles.test.ts`. A tile is empty only where a copy was looked through ' +
    'and nothing of the layer lies there.\n\n' +
    tableOf(OUTCOME, outcomeRows({ ...MAP_ROWS, ...PARCEL_ROWS }));
  return (await format(DOCUMENT, text)).code;
}

const BROKEN = ['fault', 'what is broken'];
const OUTCOME = ['fault', 'what happens', 'outcome'];
const TOLD = ['fault', 'what happens', 'sync', 'answered'];

/** The last cell of so many rows of a table is said once, before it. */
const OFTEN = 3;

/** Rows that begin with the id of a fault. */
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
  const rest = 'an old copy answers marked stale; past its hard limit 503, without one 502';
  const files = Object.entries(COMPANY_FILE_ROWS).map(([id, { about, sync }]) => [
    ...[id, about],
    `${sync}: 503, or the copy before`,
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
  const cells = [
    `\`${id}\``,
    `${about}${note}`,
    cellText(sync, SYNC_WORDS),
    cellText(line, LINE_WORDS),
    JSON.stringify(area) === JSON.stringify(line) ? '=' : cellText(area, AREA_WORDS),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

function fileText({ id, about, on, sync, guards, isMissed }: FileRow): string {
  const by = guards === undefined ? '' : ` by ${guards.map((guard) => `\`${guard}\``).join(' / ')}`;
  const outcome = isMissed === true ? 'unchanged' : SYNC_WORDS[sync];
  return `| \`${id}\` | ${about} | ${on.join(', ')} | ${outcome}${by} |\n`;
}

function cellText<O extends string>(cell: Cell<O>, words: Readonly<Record<O, string>>): string {
  if (cell === null) return OWN_WORD;
  const said = (outcomes: readonly O[]) => outcomes.map((outcome) => words[outcome]).join(' / ');
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
