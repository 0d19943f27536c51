/** What a job found: its first rows as tables, a map of their places, the files. */
import { wordsOf } from '../shared/ask.ts';
import { byId, byIdAs, h, show } from '../shared/dom.ts';
import type { Environment } from './address-bar.ts';
import type { Job } from './job.ts';
import { placesOf } from './first-page.ts';
import type { Page } from './first-page.ts';
import type * as Tables from './found-tables.ts';
import type { drawPlot as DrawPlot } from './plot.ts';
import { download, filesOf, firstPage } from './results.ts';
import type { FileChoice } from './results.ts';
import { inLanguage, t } from '../shared/language.ts';
import { decimal, number } from '../shared/format.ts';

const MEGABYTE = 1_000_000;

interface Found {
  readonly environment: Environment;
  readonly job: Job;
  /** null: not read yet. */
  results: Page | null;
  errors: Page | null;
  /** Loaded with the first job that has rows. */
  tables: typeof Tables | null;
  /** Loaded with the first job that has answers. */
  drawPlot: typeof DrawPlot;
  failure: unknown;
}

/** Statuses in which what is there is looked at: nothing is added for now. */
const RESTING: readonly Job['status'][] = ['completed', 'failed', 'cancelled', 'paused'];

export class FoundRows {
  #found: Found | null = null;
  #isWorded = true;
  /** What became of the file asked for, in the language of whenever it is drawn. */
  #said: () => string = () => '';

  begin(): void {
    const worded = byIdAs('worded', HTMLInputElement);
    worded.addEventListener('change', () => {
      this.#isWorded = worded.checked;
      this.draw();
    });
  }

  clear(): void {
    this.#found = null;
    show(byId('panel-files'), false);
    show(byId('found'), false);
    this.#say(() => '');
  }

  /** Reads what there is, unless that is shown already. */
  of(environment: Environment, job: Job): void {
    const before = this.#found?.job;
    const isSame = before?.id === job.id && before.processedRows === job.processedRows;
    const hasRows = job.resultsAvailable && job.processedRows > 0;
    if (!RESTING.includes(job.status) || !hasRows) {
      if (before !== undefined && !isSame) this.clear();
      return;
    }
    if (isSame && before.status === job.status) return;
    this.#found = {
      environment,
      job,
      results: null,
      errors: null,
      tables: null,
      drawPlot: () => null,
      failure: null,
    };
    void this.#read(this.#found);
  }

  /** Anew, in the language of now. */
  draw(): void {
    const found = this.#found;
    show(byId('panel-files'), found !== null);
    show(byId('found'), found !== null);
    if (found === null) return;
    const place = byId('files');
    const held = [...place.children].indexOf(document.activeElement ?? place);
    place.replaceChildren(
      ...filesOf(found.job, this.#isWorded).map((file, at) =>
        h(
          'button',
          {
            type: 'button',
            class: at === 0 ? 'primary' : null,
            onclick: () => void this.#fetch(found, file),
          },
          inLanguage(file.words),
        ),
      ),
    );
    // The buttons were drawn anew: the keyboard stays on the one it was on.
    [...place.querySelectorAll('button')][held]?.focus();
    byId('found').replaceChildren(...this.#parts(found));
    this.#say(this.#said);
  }

  #say(said: () => string): void {
    this.#said = said;
    byId('files-said').textContent = said();
  }

  async #read(found: Found): Promise<void> {
    const { environment, job } = found;
    try {
      found.tables = await import('./found-tables.ts');
      if (job.succeeded > 0) {
        found.drawPlot = (await import('./plot.ts')).drawPlot;
        found.results = await firstPage(environment, job, 'results');
      }
      if (job.failed > 0) {
        found.errors = await firstPage(environment, job, 'errors');
      }
    } catch (error) {
      found.failure = error;
    }
    if (this.#found === found) this.draw();
  }

  #parts({ job, results, errors, tables, drawPlot, failure }: Found): Node[] {
    const parts: Node[] = [];
    if (failure !== null) parts.push(h('p', { class: 'notice bad' }, wordsOf(failure)));
    if (results !== null) {
      const places = placesOf(results);
      const plot = drawPlot(places);
      if (plot !== null) {
        const missing = results.rows.length - places.length;
        parts.push(
          h('h3', {}, t('Hvor rækkerne ligger', 'Where the rows are')),
          plot,
          h('p', { class: 'muted' }, plotWords(results.rows.length, job.succeeded, missing)),
        );
      }
      const isWorded = this.#isWorded;
      parts.push(...(tables?.answersTable(results, job.succeeded, isWorded) ?? []));
    }
    if (errors !== null) parts.push(...(tables?.errorsTable(errors, job.failed) ?? []));
    return parts;
  }

  async #fetch({ environment, job }: Found, file: FileChoice): Promise<void> {
    const { name } = file;
    this.#say(() => t(`Henter ${name} …`, `Downloading ${name} …`));
    try {
      await download({ environment, id: job.id, file }, (bytes) => {
        const size = () => `${decimal(bytes / MEGABYTE)} MB`;
        this.#say(() => t(`Henter ${name}: ${size()}`, `Downloading ${name}: ${size()}`));
      });
      this.#say(() => t(`${name} er hentet.`, `${name} is downloaded.`));
    } catch (error) {
      const why = wordsOf(error);
      this.#say(() =>
        t(`${name} kunne ikke hentes: ${why}`, `${name} could not be downloaded: ${why}`),
      );
    }
  }
}

function plotWords(shown: number, all: number, missing: number): string {
  const some = t(
    `De første ${number(shown)} af ${number(all)} besvarede rækker.`,
    `The first ${number(shown)} of ${number(all)} answered rows.`,
  );
  const every = t('Alle besvarede rækker.', 'All answered rows.');
  const without = t(
    ` ${number(missing)} har intet sted og er ikke tegnet.`,
    ` ${number(missing)} have no place and are not drawn.`,
  );
  return `${shown < all ? some : every}${missing > 0 ? without : ''}`;
}
