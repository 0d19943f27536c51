import { createRequire } from 'node:module';
import { crc32 } from 'node:zlib';
import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { SHEET_END, STYLES_XML, SheetSink, sheetStart, xmlText } from './sheet-xml.ts';

interface BufferCrc32 {
  /** `before`: the checksum so far. */
  unsigned: (bytes: Uint8Array, before?: number) => number;
}

/** `yazl`'s own takes a quarter of the time of a large workbook; readers verify it. */
const ofYazl = createRequire(createRequire(import.meta.url).resolve('yazl'));
const checksums = ofYazl('buffer-crc32') as BufferCrc32;
checksums.unsigned = (bytes, before = 0) => crc32(bytes, before);

export interface Sheet {
  readonly name: string;
  readonly head: readonly string[];
  /** XML pieces, written to `sink` after its head. */
  readonly rows: (sink: SheetSink) => AsyncIterable<string>;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Closing the stream stops the sheets. */
export function workbookStream(sheets: readonly Sheet[]): Readable {
  const zip = new ZipFile();
  const out = new PassThrough();
  const open: Readable[] = [];
  const add = (path: string, text: string) => zip.addBuffer(Buffer.from(text), path, OPTIONS);
  add('[Content_Types].xml', contentTypes(sheets.length));
  add('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']]));
  add('xl/workbook.xml', workbookXml(sheets));
  add('xl/_rels/workbook.xml.rels', workbookRelations(sheets.length));
  add('xl/styles.xml', STYLES_XML);
  for (const [i, sheet] of sheets.entries()) {
    // Starts when the previous sheet is written.
    zip.addReadStreamLazy(`xl/worksheets/sheet${i + 1}.xml`, OPTIONS, (give) => {
      const xml = Readable.from(sheetXml(sheet), { objectMode: false });
      open.push(xml);
      xml.once('error', (error) => out.destroy(error));
      give(null, xml);
    });
  }
  zip.once('error', (error: Error) => out.destroy(error));
  zip.end();
  zip.outputStream.pipe(out);
  out.once('close', () => {
    for (const xml of open) xml.destroy();
  });
  return out;
}

/** Fixed time: equal rows give equal bytes. The fastest level takes a quarter of the time. */
const OPTIONS = { mtime: new Date(Date.UTC(2000, 0, 1, 12)), compressionLevel: 1 };

async function* sheetXml({ head, rows }: Sheet): AsyncGenerator<Buffer, void, undefined> {
  const sink = new SheetSink();
  for (const name of head) sink.head(name);
  yield Buffer.from(sheetStart(head) + sink.take());
  for await (const some of rows(sink)) yield Buffer.from(some);
  yield Buffer.from(SHEET_END);
}

function contentTypes(sheets: number): string {
  const override = (path: string, type: string) =>
    `<Override PartName="/xl/${path}" ContentType="${TYPE}.${type}+xml"/>`;
  return (
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    override('workbook.xml', 'sheet.main') +
    override('styles.xml', 'styles') +
    numbered(sheets, (n) => override(`worksheets/sheet${n}.xml`, 'worksheet')) +
    '</Types>'
  );
}

function workbookXml(sheets: readonly Sheet[]): string {
  const list = numbered(sheets.length, (n) => {
    const name = xmlText(sheets[n - 1]?.name ?? '');
    return `<sheet name="${name}" sheetId="${n}" r:id="rId${n}"/>`;
  });
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${list}</sheets></workbook>`;
}

function workbookRelations(sheets: number): string {
  const ofSheets = Array.from(
    { length: sheets },
    (_, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const,
  );
  return relations([...ofSheets, ['styles', 'styles.xml']]);
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const list = targets.map(
    ([type, target], i) =>
      `<Relationship Id="rId${i + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`;
}

function numbered(count: number, text: (n: number) => string): string {
  return Array.from({ length: count }, (_, i) => text(i + 1)).join('');
}
