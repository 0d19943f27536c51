/** vitest's global set-up of the project `store`: one template for the run. */
import type { TestProject } from 'vitest/node';
import { makeTemplate } from './store-templates.ts';
import type { Template } from './store-templates.ts';

declare module 'vitest' {
  interface ProvidedContext {
    storeTemplate: Template;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { template, stop } = await makeTemplate();
  project.provide('storeTemplate', template);
  return stop;
}
