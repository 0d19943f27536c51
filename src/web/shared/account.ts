import type { renderSession } from '../../http/v1/me/render.ts';

export type Session = ReturnType<typeof renderSession>;
