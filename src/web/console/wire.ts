// What the desk answers to the console, as the browser sees it (docs/spec/api.md).

import type * as z from 'zod';
import type { categoryShape, customFieldShape, priorityShape } from '../../http/wire/catalogue.ts';
import type { eventShape } from '../../http/wire/event.ts';
import type { agentShape } from '../../http/wire/people.ts';

export type Category = z.output<typeof categoryShape>;
export type Priority = z.output<typeof priorityShape>;
export type CustomField = z.output<typeof customFieldShape>;
export type Colleague = z.output<typeof agentShape>;
export type WireEvent = z.output<typeof eventShape>;

export interface List<Row> {
  data: Row[];
}

export interface Macro {
  id: number;
  name: string;
  body: string;
  body_format: 'text' | 'markdown';
  changes: Record<string, unknown>;
  site_id: number | null;
  is_shared: boolean;
  is_own: boolean;
  position: number;
  created_at: string;
  updated_at: string;
}
