import { Type } from 'typebox';
import { closed, query } from '../../../core/question/schemas.ts';
import { LIMITS } from '../../../kernel/limits.ts';

export const count = Type.Integer({ minimum: 0 });
export const time = Type.String({ format: 'date-time' });

export const common = {
  tags: ['drift'],
  security: [{ operator: [] }],
  querystring: query({}),
};

/** No enum, because an unknown layer is 404. */
export const layerParams = closed({
  lag: Type.String({ maxLength: LIMITS.pathParameterChars, description: 'Key of a layer.' }),
});

export const whoActs = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: LIMITS.operatorNameChars, description }));
