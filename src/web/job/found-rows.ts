import { guard } from 'lit-html/directives/guard.js';
import { wordsOf } from '../shared/ask.ts';
import { decimal } from '../shared/format.ts';
import { badNotice, html, nothing } from '../shared/html.ts';
import type { Content, TemplateResult } from '../shared/html.ts';
import { inLanguage, language, t } from '../shared/language.ts';
import type { Environment } from './address-bar.ts';
import { redraw } from './draw.ts';
import type { Page } from './first-page.ts';
import type * as Tables from './found-tables.ts';
import { call } from './api.ts';
import type { Job } from './api.ts';
import { filesOf, firstPage } from './results.ts';
import type { FileChoice } from './results.ts';
import { blobOf, keepFile } from '../shared/keep-file.ts';

const MEGABYTE = 1_000_000;

interface Found {
  readonly environment: Environment;
  readonly job: Job;
  /** null: not read yet. */
  results: Page | null;
  errors: Page | null;
  tables: typeof Tables | null;
  failure: unknown;
}

/** What is there is looked at: nothing is added for now. */
const RESTING: readonly Job['status'][] = ['completed', 'failed', 'cancelled', 'paused'];

export class FoundRows {
  #found: Found | null = null;
  #isWorded = true;
  #said: () => string = () => '';

  clear(): void {
    this.#found = null;
    this.#said = () => '';
  }

  /** Unless it is shown already. */
  of(environment: Environment, job: Job): void {
    const before = this.#found?.job;
    const isSame = before?.id === job.id && before.processedRows === job.processedRows;
    const hasRows = job.resultsAvailable && job.processedRows > 0;
    if (!RESTING.includes(job.status) || !hasRows) {
      if (before !== undefined && !isSame) this.clear();
      return;
    }
    if (isSame && before.status === job.status) return;
    const unread = { results: null, errors: null, tables: null, failure: null };
    this.#found = { environment, job, ...unread };
    void this.#read(this.#found);
  }

  view(): Content {
    const found = this.#found;
    if (found === null) return nothing;
    // Not for each piece of a file.
    const drawn = [found, found.results, found.errors, found.failure, this.#isWorded, language()];
    const words = t(
      'Overskrifter og svar i ord (ja, nej, kunne ikke svares) i regneark',
      'Danish headings and verdicts (ja, nej, kunne ikke svares) in spreadsheets',
    );
    const onWorded = (event: Event): void => {
      this.#isWorded = (event.target as HTMLInputElement).checked;
      redraw();
    };
    return html`<h3>${t('Hent', 'Download')}</h3>
      <label class="choice">
        <input type="checkbox" .checked=${this.#isWorded} @change=${onWorded} />
        <span>${words}</span>
      </label>
      <div class="buttons start">
        ${filesOf(found.job, this.#isWorded).map(
          (file, at) =>
            html`<button
              type="button"
              class=${at === 0 ? 'primary' : nothing}
              @click=${() => this.#fetch(found, file)}
            >
              ${inLanguage(file.words)}
            </button>`,
        )}
      </div>
      <p class="muted" role="status">${this.#said()}</p>
      <div id="found">${guard(drawn, () => this.#parts(found))}</div>`;
  }

  #say(said: () => string): void {
    this.#said = said;
    redraw();
  }

  async #read(found: Found): Promise<void> {
    const { environment, job } = found;
    try {
      found.tables = await import('./found-tables.ts');
      if (job.succeeded > 0) found.results = await firstPage(environment, job, 'results');
      if (job.failed > 0) found.errors = await firstPage(environment, job, 'errors');
    } catch (error) {
      found.failure = error;
    }
    if (this.#found === found) redraw();
  }

  #parts({ job, results, errors, tables, failure }: Found): TemplateResult {
    const isWorded = this.#isWorded;
    return html`${badNotice(failure === null ? '' : wordsOf(failure))}
    ${results === null ? nothing : tables?.mapPart(results, job.succeeded)}
    ${results === null ? nothing : tables?.answersTable(results, job.succeeded, isWorded)}
    ${errors === null ? nothing : tables?.errorsTable(errors, job.failed)}`;
  }

  async #fetch({ environment, job }: Found, { name, query }: FileChoice): Promise<void> {
    this.#say(() => t(`Henter ${name} …`, `Downloading ${name} …`));
    try {
      // The key goes in a header, which no link could send.
      const response = await call(environment, `v1/jobs/${job.id}/${query}`, { isLong: true });
      const whole = await blobOf(response, undefined, (bytes) => {
        const size = () => `${decimal(bytes / MEGABYTE)} MB`;
        this.#say(() => t(`Henter ${name}: ${size()}`, `Downloading ${name}: ${size()}`));
      });
      keepFile(whole, name);
      this.#say(() => t(`${name} er hentet.`, `${name} is downloaded.`));
    } catch (error) {
      const why = wordsOf(error);
      this.#say(() =>
        t(`${name} kunne ikke hentes: ${why}`, `${name} could not be downloaded: ${why}`),
      );
    }
  }
}
