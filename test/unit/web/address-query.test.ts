/** The first rows of a file, answered before it is sent, are answered as its job answers them. */
import { expect, test } from 'vitest';
import { RowReader } from '../../../src/core/rows/row-reader.ts';
import { cleansedIn, writtenOf } from '../../../src/registers/addresses/cleansed-row.ts';
import { writtenOf as asked } from '../../../src/registers/addresses/datavask-question.ts';
import { addressQuery } from '../../../src/web/job/address-query.ts';
import { finderOver, smallIndex } from '../../addresses/small-index.ts';

const ROWS = smallIndex([
  { road: 'Østergade', place: '0800 Høje Taastrup', numbers: '22 24A', units: 'st. 1.tv 1.th' },
  { road: 'Nyhavn', place: '1051 København K', numbers: '1 8' },
]);
const finder = finderOver(ROWS);

test.each([
  { adresse: 'Nyhavn 8', postnr: '1051', by: 'København K' },
  // A spreadsheet's numbers lose their noughts.
  { adresse: 'Østergade 22', postnr: '800', by: 'Høje Taastrup' },
  { adresse: 'Østergade 22, 0800 Høje Taastrup', postnr: '800', by: 'Høje Taastrup' },
  { adresse: 'Østergade 22, 1. tv.', postnr: '800', by: 'Høje Taastrup' },
  { adresse: 'Østergade 22', etage: '1', doer: 'th', postnr: '0800' },
  { adresse: 'Østergade 24', bogstav: 'A', by: 'Høje Taastrup' },
  { adresse: 'Østergade', husnr: '24', bogstav: 'A', postnr: '800' },
  { vej: 'Nyhavn', husnr: '8', postnr: '1051' },
  { adresse: 'Nyhavn 8, 1051 København K' },
] as const)('%j', (cells) => {
  const inputColumns = Object.keys(cells);
  const columns = Object.fromEntries(inputColumns.map((role) => [role, role]));
  const row = Object.values(cells);
  const reader = new RowReader({ columns, inputColumns, srid: 25832 }, [row]);
  reader.row = row;
  const query = addressQuery((role) => reader.text(role));
  const { category, candidates } = finder.cleanse(asked(query!), null, 3);
  const job = cleansedIn(finder, writtenOf(reader));
  expect(['A', 'B']).toContain(job.category);
  expect([category, candidates[0]?.address.id]).toEqual([
    job.category,
    job.candidates[0]?.address.id,
  ]);
});
