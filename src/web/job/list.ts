/** The account's jobs, the newest first: of the test key, or of the one that is billed. */
import { wordsOf } from '../shared/ask.ts';
import { byId, h, say, show } from '../shared/dom.ts';
import { writeState } from './address-bar.ts';
import type { Environment } from './address-bar.ts';
import { read } from './api.ts';
import type { Job } from './job.ts';
import { kindWords, statusWords } from './words.ts';
import { moment, rows } from '../shared/format.ts';

const PER_PAGE = 20;

export class JobList {
  #environment: Environment = 'test';
  #jobs: readonly Job[] = [];
  #hasMore = false;
  #isRead = false;
  /** Questions are numbered: the answer of one that was overtaken is not drawn. */
  #questions = 0;

  begin(): void {
    for (const button of document.querySelectorAll<HTMLElement>('button[data-environment]')) {
      button.addEventListener('click', () => {
        void this.show(button.dataset['environment'] === 'live' ? 'live' : 'test');
      });
    }
    byId('more-jobs').addEventListener('click', () => void this.#read(this.#jobs.at(-1)?.id));
  }

  /** Reads the newest of an environment. */
  async show(environment: Environment): Promise<void> {
    if (environment !== this.#environment) {
      this.#jobs = [];
      this.#isRead = false;
    }
    this.#environment = environment;
    await this.#read();
  }

  /** Reads again what is shown. */
  async again(): Promise<void> {
    await this.show(this.#environment);
  }

  /** Anew, in the language of now. */
  draw(): void {
    for (const button of document.querySelectorAll<HTMLElement>('button[data-environment]')) {
      const isChosen = button.dataset['environment'] === this.#environment;
      button.setAttribute('aria-pressed', String(isChosen));
    }
    this.#drawJobs();
    show(byId('jobs'), this.#jobs.length > 0);
    show(byId('no-jobs'), this.#isRead && this.#jobs.length === 0);
    show(byId('more-jobs'), this.#hasMore);
  }

  /** The keyboard stays on the job that it was on. */
  #drawJobs(): void {
    const place = byId('jobs');
    const held = document.activeElement;
    const address = held !== null && place.contains(held) ? held.getAttribute('href') : null;
    place.replaceChildren(...this.#jobs.map((job) => this.#item(job)));
    const links = [...place.querySelectorAll('a')];
    links.find((link) => address !== null && link.getAttribute('href') === address)?.focus();
  }

  async #read(after?: string): Promise<void> {
    this.#questions += 1;
    const question = this.#questions;
    const query = new URLSearchParams({ limit: String(PER_PAGE), ...(after && { after }) });
    try {
      const { jobs } = await read<{ readonly jobs: readonly Job[] }>(
        this.#environment,
        `v1/jobs?${query}`,
      );
      if (question !== this.#questions) return;
      this.#jobs = after === undefined ? jobs : [...this.#jobs, ...jobs];
      this.#hasMore = jobs.length === PER_PAGE;
      this.#isRead = true;
      say(byId('list-error'), '');
    } catch (error) {
      if (question !== this.#questions) return;
      say(byId('list-error'), wordsOf(error));
    }
    this.draw();
  }

  #item(job: Job): Node {
    const environment = this.#environment;
    return h(
      'li',
      {},
      h('a', { href: writeState({ job: job.id, environment, sent: null }) }, job.label ?? job.id),
      h('span', { class: 'muted' }, `${kindWords(job.kind)} · ${moment(job.createdAt)}`),
      h('span', { class: 'muted' }, `${statusWords(job.status)} · ${rows(job.totalRows)}`),
    );
  }
}
