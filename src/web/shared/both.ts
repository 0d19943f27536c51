export type Language = 'da' | 'en';

export interface Both {
  readonly da: string;
  readonly en: string;
}
