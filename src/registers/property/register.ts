import { join } from 'node:path';
import type { Register } from '../../core/register.ts';
import { addresses } from '../addresses/register.ts';
import { areas } from '../areas/register.ts';
import { assessments } from '../assessments/register.ts';
import { cadastre } from '../cadastre/register.ts';
import { auditOfProperties } from './audit.ts';
import { composeProperties } from './compose.ts';
import type { PropertyLookups } from './compose.ts';
import { PROPERTY_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';
import { PROPERTY_QUESTIONS } from './questions.ts';
import { createPropertyLoader } from './load.ts';
import type { PropertyLoader } from './load.ts';
import { BBR_REGISTER } from './mirror.ts';
import { PROTECTION_REGISTER } from './protection/mirror.ts';
import { bbr } from './job.ts';

export const property: Register<PropertyLookups, PropertyLoader> = {
  name: 'property',
  joins: [areas, addresses, cadastre, assessments],
  mirrors: [BBR_REGISTER, PROTECTION_REGISTER],
  document: {
    tags: [
      { name: 'bbr', description: 'Properties with their buildings, dwellings and facilities' },
      { name: 'demo', description: 'The final data contract, shown with invented data' },
    ],
    schemas: PROPERTY_SCHEMAS,
    danish: DANISH,
    examplesFile: join(import.meta.dirname, 'examples.json'),
  },
  questions: PROPERTY_QUESTIONS,
  openMemory: createPropertyLoader,
  auditOf: auditOfProperties,
  jobKinds: [bbr],
  compose: composeProperties,
};
