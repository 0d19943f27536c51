/** vitest's global set-up of the projects with a store: one template for the run. */
import type { TestProject } from 'vitest/node';
import { makeTemplate } from './store-templates.ts';
import type { Template } from './store-templates.ts';

declare module 'vitest' {
  interface ProvidedContext {
    storeTemplate: Template;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const kind = project.config.env['TEST_STORE'] === 'postgres' ? 'postgres' : 'embedded';
  const { template, stop } = await makeTemplate(kind);
  project.provide('storeTemplate', template);
  return stop;
}
