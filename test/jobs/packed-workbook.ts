/** A workbook whose parts are written by hand. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
export const RELS = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** One sheet, its XML as given; `target`: what the workbook calls it. */
export async function packed(
  members: Readonly<Record<string, string>>,
  target = 'worksheets/sheet1.xml',
): Promise<Buffer> {
  const zip = new ZipFile();
  const all: Record<string, string> = {
    '_rels/.rels': `<Relationships xmlns="${RELS}"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${RELS}"><Relationship Id="r1" Type="${OFFICE}/worksheet" Target="${target}"/><Relationship Id="r2" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="r3" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"/>`,
    ...members,
  };
  for (const [path, text] of Object.entries(all)) zip.addBuffer(Buffer.from(text), path);
  zip.end();
  return await buffer(zip.outputStream);
}

export const sheet = (rows: string, more = '') => ({
  'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData>${more}</worksheet>`,
});
