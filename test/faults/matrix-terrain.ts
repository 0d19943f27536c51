/**
 * Rows of the matrix for heights: what a WCS or a tile does wrong, and what is answered. The first are played
 * by `test/unit/terrain-wcs.test.ts`, the others by `test/unit/terrain-tiles.test.ts` under their words.
 */
import type { FaultRule } from '../../sample/fault-plan.ts';
import type { UpstreamFailureKind } from '../../src/wfs/failure.ts';

interface TerrainRow {
  readonly about: string;
  readonly outcome: string;
}

export interface WcsRow extends TerrainRow {
  readonly rule: FaultRule;
  readonly kind: UpstreamFailureKind;
}

const wcs = (about: string, rule: FaultRule, kind: UpstreamFailureKind): WcsRow => ({
  ...{ about, rule, kind },
  outcome: '502 for the points of the window',
});

export const WCS_ROWS = {
  'wcs-range': wcs(
    '9.9e37 in every cell, no mark named',
    { fault: 'coverage-out-of-range' },
    'unreadable',
  ),
  'wcs-mark': wcs(
    '-32767 in every cell, no mark named',
    { fault: 'coverage-out-of-range', value: -32_767 },
    'unreadable',
  ),
  'wcs-elsewhere': wcs(
    'The window of another place',
    { fault: 'coverage-elsewhere' },
    'unreadable',
  ),
  'wcs-html': wcs('HTML with status 200', { fault: 'html-200' }, 'not_wfs'),
  'wcs-report': wcs(
    'A report with status 200',
    { fault: 'service-exception-200' },
    'exception_report',
  ),
  'wcs-short': wcs(
    'A body cut short, its length to match',
    { fault: 'truncated-body' },
    'truncated',
  ),
  'wcs-header': wcs(
    'A body cut in its header',
    { fault: 'truncated-body', share: 0.01 },
    'truncated',
  ),
  'wcs-nothing': wcs('Status 200 without a byte', { fault: 'empty-body' }, 'not_wfs'),
  'wcs-500': wcs('Status 500', { fault: 'http-500' }, 'status'),
  'wcs-moved': wcs('A redirect', { fault: 'moved-to-html' }, 'redirect'),
  'wcs-key': wcs('401', { fault: 'unauthorized' }, 'key_refused'),
  'wcs-silent': wcs('No answer', { fault: 'hang' }, 'timeout'),
} as const satisfies Record<string, WcsRow>;

const AWAY = 'a configured WCS, else 503';

export const TILE_ROWS: Readonly<Record<string, TerrainRow>> = {
  'tile-forged': { about: 'A header that announces missing data', outcome: `refused: ${AWAY}` },
  'tile-foreign': { about: 'No TIFF, other cells, another place', outcome: `refused: ${AWAY}` },
  'tile-link': { about: 'A link, whatever it leads to', outcome: `refused: ${AWAY}` },
  'tile-deleted': { about: 'Deleted, written over or replaced by a link', outcome: AWAY },
  'tile-broken': { about: 'Blocks that are too short or cannot be unpacked', outcome: AWAY },
  'tile-beside': { about: 'No tile holds the point', outcome: AWAY },
  'tile-hole': { about: 'Cells with the mark, or out of range', outcome: '`kote_m` null' },
  'tile-folder': { about: 'The folder is gone', outcome: `its known tiles read as deleted` },
};
