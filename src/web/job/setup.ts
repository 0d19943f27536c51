import type { UsageTotal } from './api.ts';
import {
  KINDS,
  KIND_TERMS,
  SRIDS,
  hasRoles,
  ofOneWay,
  rolesOf,
  unitsOfRow,
} from '../../jobs/for-pages.ts';
import type { Charset, DecimalSign, Kind, Role, RoleColumns, Srid } from '../../jobs/for-pages.ts';
import { rows } from '../shared/format.ts';
import { button, html, nothing, repeat, rowsTable, selectField } from '../shared/html.ts';
import type { Content, SelectField, TemplateResult } from '../shared/html.ts';
import { inLanguage, t } from '../shared/language.ts';
import type { Environment } from './address-bar.ts';
import { costWords } from './cost.ts';
import { warnNotice } from './draw.ts';
import { CHARSET_CHOICES, decimalChoices, delimiterChoices } from './preview.ts';
import { headRowChoices, previewTable, rowText, triedCell } from './preview.ts';
import { guess, lookThrough } from './source.ts';
import type { Looked, Reading } from './source.ts';
import { typeOf } from '../shared/streams.ts';
import type { Tried, TrialOptions } from './trial.ts';
import { costOf } from './view.ts';
import { ENVIRONMENTS, SRID_WORDS, kindWords, roleWords } from './words.ts';

export interface Ready extends Pick<Setup, 'file' | 'kind' | 'columns' | 'srid' | 'decimal'> {
  readonly reading: Reading;
  readonly totalRows: number;
  readonly environment: Environment;
}

export interface Setup {
  readonly file: File;
  readonly looked: Looked;
  readonly sheets: readonly string[];
  readonly guessed: DecimalSign;
  readonly kind: Kind;
  readonly columns: RoleColumns;
  /** As guessed: the fields of the others are folded. */
  readonly found: RoleColumns;
  readonly srid: Srid;
  /** Set where the reader corrected it. */
  readonly decimal: 'comma' | 'point' | null;
}

interface SetupState {
  readonly tried: readonly (Tried | null)[];
  /** null: not known. */
  readonly usage: Readonly<Record<Environment, UsageTotal>> | null;
  readonly environment: Environment;
  readonly read: (reading: Partial<Reading>) => void;
  readonly change: (change: Partial<Setup>) => void;
  readonly choose: (environment: Environment) => void;
  readonly send: (ready: Ready) => void;
  readonly drop: () => void;
}

/** Throws a Failure, or what could not be read. */
export async function setupOf(file: File, asked: Partial<Reading>): Promise<Setup> {
  const sheets = typeOf(file.name) === 'xlsx' ? await sheetsOf(file) : [];
  const looked = await lookAt(file, asked, sheets);
  const { decimal: guessed, ...rest } = guess(looked.columns, looked.rows);
  return { ...rest, found: rest.columns, file, looked, sheets, guessed, decimal: null };
}

/** Of several sheets the first that can be read, unless one is asked for. */
async function lookAt(
  file: File,
  asked: Partial<Reading>,
  sheets: readonly string[],
): Promise<Looked> {
  if (asked.sheet !== undefined || sheets.length < 2) return await lookThrough(file, asked);
  let refused: unknown = null;
  for (const sheet of sheets) {
    try {
      const looked = await lookThrough(file, { ...asked, sheet });
      if (looked.totalRows > 0) return looked;
    } catch (error) {
      refused ??= error;
    }
  }
  if (refused instanceof Error) throw refused;
  return await lookThrough(file, { ...asked, sheet: sheets[0] ?? null });
}

async function sheetsOf(file: File): Promise<readonly string[]> {
  const { sheetNames } = await import('./workbook.ts');
  return await sheetNames(file);
}

/** null: columns are missing. */
export function trialOptions(setup: Setup): Omit<TrialOptions, 'signal'> | null {
  const { kind, srid, looked, decimal } = setup;
  if (!hasRoles(kind, setup.columns)) return null;
  return { kind, columns: usedColumns(setup), srid, inputColumns: looked.columns, decimal };
}

export function setupView(setup: Setup, state: SetupState): TemplateResult {
  const { kind, columns, looked, file } = setup;
  const { totalRows, reading } = looked;
  const isReady = totalRows > 0 && hasRoles(kind, columns);
  const { srid, decimal } = setup;
  const shown = shownRoles(setup);
  const others = rolesOf(kind).filter((role) => !shown.includes(role));
  const onChange = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement) take(setup, state, target);
  };
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    if (!isReady) return;
    const used = { columns: usedColumns(setup), environment: state.environment };
    state.send({ ...used, file, reading, totalRows, kind, srid, decimal });
  };
  return html`<form id="setup" @submit=${onSubmit} @change=${onChange}>
    <h3 id="file-title" tabindex="-1">${file.name}: ${rows(totalRows)}</h3>
    ${fieldset(t('Sådan læses filen', 'How the file is read'), [...fileFields(setup), ...placeFields(setup)])}
    <div class="scroll" tabindex="0" role="region" id="preview" aria-labelledby="file-title">
      ${previewTable(looked)}
    </div>
    ${fieldset(t('Det spørges der om', 'What to ask'), [kindField(kind), ...roleFields(setup, shown)])}
    ${others.length === 0 ? nothing : otherColumns(roleFields(setup, others))}
    ${warnNotice('missing', hasRoles(kind, columns) ? '' : missingWords(kind, shown))}
    ${state.tried.length === 0 ? nothing : trialView(setup, state.tried)} ${costView(setup, state)}
    <div class="buttons start">
      <button type="submit" class="primary" id="send" aria-disabled=${String(!isReady)}>
        Send ${rows(totalRows)}
      </button>
      ${button(t('En anden fil', 'Another file'), state.drop)}
    </div>
  </form>`;
}

function fieldset(legend: string, fields: readonly SelectField[]): Content {
  if (fields.length === 0) return nothing;
  return html`<fieldset class="grid">
    <legend>${legend}</legend>
    ${fieldList(fields)}
  </fieldset>`;
}

function fieldList(fields: readonly SelectField[]): Content {
  return html`${repeat(
    fields,
    ([id]) => id,
    (field) => html`<div class="field">${selectField(field)}</div>`,
  )}`;
}

function otherColumns(fields: readonly SelectField[]): Content {
  return html`<details>
    <summary>${t('Andre kolonner', 'Other columns')}</summary>
    <div class="grid">${fieldList(fields)}</div>
  </details>`;
}

function fileFields({ looked: { reading }, sheets }: Setup): readonly SelectField[] {
  const { charset, delimiter, sheet, headRow } = reading;
  const names = sheets.map((name) => [name, name] as const);
  const fields: SelectField[] = [];
  if (reading.type === 'csv') {
    fields.push(['charset', t('Tegnsæt', 'Encoding'), CHARSET_CHOICES, charset]);
    fields.push(['delimiter', t('Skilletegn', 'Separator'), delimiterChoices(), delimiter ?? '']);
  }
  if (sheets.length > 1) fields.push(['sheet', t('Ark', 'Sheet'), names, sheet ?? '']);
  if (headRow === null) return fields;
  const label = t('Overskrifterne står i række', 'Headings are in row');
  return [...fields, ['head-row', label, headRowChoices(headRow), String(headRow)]];
}

function placeFields({ guessed, decimal, srid, columns }: Setup): readonly SelectField[] {
  if (columns.x === undefined && columns.y === undefined) return [];
  const srids = SRIDS.map((each) => [String(each), inLanguage(SRID_WORDS[each])] as const);
  const sign = decimal ?? guessed ?? '';
  return [
    ['decimal', t('Decimaltegn', 'Decimal sign'), decimalChoices(), sign],
    ['srid', t('Koordinatsystem', 'Coordinate system'), srids, String(srid)],
  ];
}

function kindField(kind: Kind): SelectField {
  const kinds = KINDS.map((each) => [each, kindWords(each)] as const);
  return ['kind', t('Hver række besvares med', 'Each row is answered with'), kinds, kind];
}

/** Those found; where they do not suffice, the simplest to choose too. */
function shownRoles({ kind, found }: Setup): readonly Role[] {
  const [first = []] = KIND_TERMS[kind].roles;
  const simplest: readonly Role[] = hasRoles(kind, found) ? [] : [...first, 'adresse'];
  return rolesOf(kind).filter((role) => found[role] !== undefined || simplest.includes(role));
}

function roleFields({ columns, looked }: Setup, roles: readonly Role[]): readonly SelectField[] {
  const names = looked.columns.map((name) => [name, name] as const);
  const choices = [['', t('(ingen)', '(none)')] as const, ...names];
  return roles.map((role) => [`role-${role}`, roleWords(role), choices, columns[role] ?? '']);
}

function take(setup: Setup, { read, change }: SetupState, { id, value }: HTMLSelectElement): void {
  const { guessed, columns } = setup;
  if (id === 'charset') read({ charset: value as Charset });
  else if (id === 'delimiter') read({ delimiter: value });
  else if (id === 'sheet') read({ sheet: value, headRow: null });
  else if (id === 'head-row') read({ headRow: Number(value) });
  else if (id === 'srid') change({ srid: value === '25832' ? 25832 : 4326 });
  else if (id === 'kind') change({ kind: value as Kind });
  else if (id === 'decimal') {
    // What was guessed is how the service reads it already.
    const isGuess = value === '' || value === guessed;
    change({ decimal: isGuess ? null : (value as 'comma' | 'point') });
  } else change({ columns: withRole(columns, id.replace('role-', '') as Role, value) });
}

/** An empty column: none has the role. */
function withRole(columns: RoleColumns, role: Role, column: string): RoleColumns {
  const { [role]: _, ...others } = columns;
  return column === '' ? others : { ...others, [role]: column };
}

function trialView(setup: Setup, tried: SetupState['tried']): TemplateResult {
  const { columns, numbers, rows: given } = setup.looked;
  const places = Object.values(usedColumns(setup)).map((name) => columns.indexOf(name));
  return html`<h3 id="trial-title">
      ${t('De første fem rækker, besvaret', 'The first five rows, answered')}
    </h3>
    <div class="scroll" tabindex="0" role="region" id="trial" aria-labelledby="trial-title">
      ${rowsTable({
        caption: t('De første rækker og deres svar', 'The first rows and their answers'),
        head: [t('Række', 'Row'), t('Spurgt med', 'Asked with'), t('Svar', 'Answer')],
        rows: tried.map((each, at) => [
          String(numbers[at] ?? at + 1),
          rowText(given[at] ?? [], places),
          triedCell(each),
        ]),
      })}
    </div>`;
}

function costView(setup: Setup, { usage, environment, choose }: SetupState): TemplateResult {
  const { totalRows } = setup.looked;
  const each = unitsOfRow({ kind: setup.kind, columns: usedColumns(setup) });
  const month = usage?.[environment];
  const isEnough = month === undefined || costOf(each * totalRows, month).isEnough;
  const notice = t(
    'Der er færre enheder tilbage end rækker. Jobbet sættes på pause, når de er brugt, hvis abonnementet ikke dækker flere.',
    'There are fewer units left than rows. The job pauses when they run out, unless the plan covers more.',
  );
  return html`<fieldset>
      <legend>${t('Hvilke enheder', 'Which units')}</legend>
      ${ENVIRONMENTS.map(([one, words]) => {
        const cost = costWords(one, { rows: totalRows, each }, usage?.[one] ?? null);
        const isChosen = one === environment;
        return html`<label class="choice">
          <input
            type="radio"
            name="environment"
            .checked=${isChosen}
            @change=${() => choose(one)}
          />
          <span>${words} <span class="muted" id="cost-${one}">${cost}</span></span>
        </label>`;
      })}
    </fieldset>
    ${warnNotice('cost-notice', isEnough ? '' : notice)}`;
}

/** Of the roles that the kind has a use for. */
function usedColumns({ kind, columns }: Setup): RoleColumns {
  const used = rolesOf(kind).flatMap((role) => {
    const column = columns[role];
    return column === undefined ? [] : [[role, column] as const];
  });
  const columnsUsed: RoleColumns = Object.fromEntries(used);
  return kind === 'miljoe' ? ofOneWay(columnsUsed, {}) : columnsUsed;
}

function missingWords(kind: Kind, shown: readonly Role[]): string {
  const ways = KIND_TERMS[kind].roles
    .filter((roles) => roles.every((role) => shown.includes(role)))
    .map((roles) => roles.map((role) => roleWords(role)).join(' + '));
  const list = ways.join(t(' eller ', ' or '));
  return t(`Vælg, hvilke kolonner der er: ${list}.`, `Choose which columns are: ${list}.`);
}
