import { join } from 'node:path';
import type { Register } from '../../core/register.ts';
import { areas } from '../areas/register.ts';
import { auditOfParcels } from './audit.ts';
import { composeCadastre } from './compose.ts';
import type { CadastreLookups } from './compose.ts';
import { CADASTRE_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';
import { CADASTRE_QUESTIONS } from './questions.ts';
import { createParcelLoader } from './load.ts';
import type { ParcelLoader } from './load.ts';
import { CADASTRE_REGISTER } from './mirror.ts';

export const cadastre: Register<CadastreLookups, ParcelLoader> = {
  name: 'cadastre',
  joins: [areas],
  mirrors: [CADASTRE_REGISTER],
  document: {
    tags: [{ name: 'matrikel', description: 'Cadastre' }],
    schemas: CADASTRE_SCHEMAS,
    danish: DANISH,
    examplesFile: join(import.meta.dirname, 'examples.json'),
  },
  questions: CADASTRE_QUESTIONS,
  openMemory: createParcelLoader,
  auditOf: auditOfParcels,
  compose: composeCadastre,
};
