import { Refused, turns, wordsOf } from '../shared/ask.ts';
import { moment, rows } from '../shared/format.ts';
import { badNotice, button, html, repeat } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import { writeState } from './address-bar.ts';
import type { Environment } from './address-bar.ts';
import { read } from './api.ts';
import { redraw } from './draw.ts';
import type { Job } from './api.ts';
import { ENVIRONMENTS, kindWords, statusWords } from './words.ts';

const PER_PAGE = 20;

export class JobList {
  #environment: Environment = 'test';
  /** null: not read. */
  #jobs: readonly Job[] | null = null;
  #hasMore = false;
  #trouble = '';
  /** By plan or role. */
  isForbidden = false;
  readonly #next = turns();

  async show(environment = this.#environment): Promise<void> {
    if (environment !== this.#environment) this.#jobs = null;
    this.#environment = environment;
    await this.#read();
  }

  view(): TemplateResult {
    const jobs = this.#jobs ?? [];
    return html`<section aria-labelledby="list-title">
      <div class="heading">
        <h2 id="list-title" tabindex="-1">${t('Job', 'Jobs')}</h2>
        <div role="group" aria-labelledby="list-title" class="switch">
          ${ENVIRONMENTS.map(
            ([each, words]) =>
              html`<button
                type="button"
                aria-pressed=${String(each === this.#environment)}
                @click=${() => this.show(each)}
              >
                ${words}
              </button>`,
          )}
        </div>
      </div>
      ${badNotice(this.#trouble)}
      <ul class="rows" id="jobs" ?hidden=${jobs.length === 0}>
        ${repeat(
          jobs,
          ({ id }) => id,
          (job) => this.#item(job),
        )}
      </ul>
      <p class="card muted" ?hidden=${this.#jobs?.length !== 0}>
        ${t('Ingen job endnu.', 'No jobs yet.')}
      </p>
      <div class="buttons start" ?hidden=${!this.#hasMore}>
        ${button(t('Vis flere', 'Show more'), () => this.#read(jobs.at(-1)?.id))}
      </div>
    </section>`;
  }

  #item(job: Job): TemplateResult {
    const address = writeState({ job: job.id, environment: this.#environment, sent: null });
    return html`<li>
      <a href=${address}>${job.label ?? job.id}</a>
      <span class="muted">${kindWords(job.kind)} · ${moment(job.createdAt)}</span>
      <span class="muted">${statusWords(job.status)} · ${rows(job.totalRows)}</span>
    </li>`;
  }

  async #read(after?: string): Promise<void> {
    const isLatest = this.#next();
    const query = new URLSearchParams({ limit: String(PER_PAGE), ...(after && { after }) });
    try {
      const { jobs } = await read<{ readonly jobs: readonly Job[] }>(
        this.#environment,
        `v1/jobs?${query}`,
      );
      if (!isLatest()) return;
      this.#jobs = after === undefined ? jobs : [...(this.#jobs ?? []), ...jobs];
      this.#hasMore = jobs.length === PER_PAGE;
      [this.#trouble, this.isForbidden] = ['', false];
    } catch (error) {
      if (!isLatest()) return;
      this.isForbidden = error instanceof Refused && [402, 403].includes(error.status);
      this.#trouble = wordsOf(error);
    }
    redraw();
  }
}
