/** vitest's global set-up of the projects with a store: one template for the run, and one whole service. */
import type { TestProject } from 'vitest/node';
import { offerWholeService } from './offered-service.ts';
import { makeTemplate } from './store-templates.ts';
import type { Template } from './store-templates.ts';

declare module 'vitest' {
  interface ProvidedContext {
    storeTemplate: Template;
    /** Where `useWholeService` asks for it. */
    wholeService: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kind = project.config.env['TEST_STORE'] === 'postgres' ? 'postgres' : 'embedded';
  const { template, stop } = await makeTemplate(kind);
  const offered = await offerWholeService(template);
  project.provide('storeTemplate', template);
  project.provide('wholeService', offered.url);
  return async () => {
    await offered.stop();
    await stop();
  };
}
