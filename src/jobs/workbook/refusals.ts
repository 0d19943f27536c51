/** Refusals name the cell and the limit, never a value. */
import { invalidRequest } from '../../kernel/failures.ts';
import type { Failure } from '../../kernel/failures.ts';
import { JOB_LIMITS } from '../limits.ts';

const { workbook } = JOB_LIMITS;
const MIB = 1024 * 1024;

export function broken(cause?: unknown): Failure {
  const failure = invalidRequest(
    'The workbook (.xlsx) is damaged, encrypted or of another kind (.xls, .xlsb, .ods); save it as .xlsx without a password, or as CSV UTF-8.',
    'Projektmappen (.xlsx) er beskadiget, krypteret eller af en anden slags (.xls, .xlsb, .ods); gem den som .xlsx uden adgangskode eller som CSV UTF-8.',
  );
  failure.cause = cause;
  return failure;
}

export function unpacksTooLarge(bytes: number): Failure {
  return invalidRequest(
    `The workbook unpacks to more than ${bytes / MIB} MiB; send the rows as CSV, or in several.`,
    `Projektmappen fylder mere end ${bytes / MIB} MiB, når den er pakket ud; send rækkerne som CSV eller i flere.`,
  );
}

export function tooManyParts(): Failure {
  const { members } = workbook;
  return invalidRequest(
    `The workbook has more than ${members} sheets, pictures and other parts; save the sheet with the rows as a workbook of its own, or as CSV UTF-8.`,
    `Projektmappen har flere end ${members} ark, billeder og andre dele; gem arket med rækkerne som en projektmappe for sig eller som CSV UTF-8.`,
  );
}

export function tooManyFormats(): Failure {
  const { formats } = workbook;
  return invalidRequest(
    `The workbook has more than ${formats} formats of cells; save the rows as CSV UTF-8.`,
    `Projektmappen har flere end ${formats} celleformater; gem rækkerne som CSV UTF-8.`,
  );
}

export function tooManyTexts(): Failure {
  const { texts, textChars } = workbook;
  return invalidRequest(
    `The workbook has more than ${texts} different texts, or ${textChars} characters of them; send the rows as CSV.`,
    `Projektmappen har flere end ${texts} forskellige tekster eller ${textChars} tegn i dem; send rækkerne som CSV.`,
  );
}

export function merged(cells: string): Failure {
  return invalidRequest(
    `The cells ${cells} are merged: split them, so that every column has one name in one row and every row its own cells.`,
    `Cellerne ${cells} er flettet: ophæv det, så hver kolonne har ét navn i én række og hver række sine egne celler.`,
  );
}

export function notComputed(cell: string): Failure {
  return invalidRequest(
    `The cell ${cell} has a formula without a result; open the workbook in a spreadsheet and save it, or send values.`,
    `Cellen ${cell} har en formel uden resultat; åbn projektmappen i et regneark, og gem den, eller send værdier.`,
  );
}

/** `names`: the choices. */
export function severalSheets(names: readonly string[]): Failure {
  const shown = names.slice(0, SHOWN).map(shortened).join(', ');
  return invalidRequest(
    `The workbook has rows in ${names.length} sheets (${shown}): say which one is meant by ark.`,
    `Projektmappen har rækker i ${names.length} ark (${shown}): skriv i ark, hvilket der menes.`,
  );
}

export function noSuchSheet(names: readonly string[]): Failure {
  const shown = names.slice(0, SHOWN).map(shortened).join(', ');
  return invalidRequest(
    `The workbook has no sheet of the name in ark; it has: ${shown}.`,
    `Projektmappen har intet ark med navnet i ark; den har: ${shown}.`,
  );
}

export function noRowsAnywhere(): Failure {
  return invalidRequest(
    'The workbook has no row in a sheet that is shown; hidden sheets are not read.',
    'Projektmappen har ingen række i et synligt ark; skjulte ark læses ikke.',
  );
}

const SHOWN = 10;
const NAME_CHARS = 31;

function shortened(name: string): string {
  return name.length > NAME_CHARS ? `${name.slice(0, NAME_CHARS)}…` : name;
}
