// People and tokens as the desk answers them.

import type * as z from 'zod';
import type { agentAccountShape, tokenShape } from '../../../../http/wire/people/people.ts';

export type Person = z.output<typeof agentAccountShape>;
export type Token = z.output<typeof tokenShape>;
