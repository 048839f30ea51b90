// Input of a site's brand: what its customers see on its pages.

import * as z from 'zod';
import { type Logo, logoTypes, maxLogoBytes, readLogo } from '../sites/logo.ts';
import { color, optionalLine } from './fields.ts';

/** A path as answers show it. Sent back, it stands for the logo that is there. */
const shownLogo = /^\/s\/[a-z0-9-]{1,64}\/logo\?v=([0-9a-f]{16})$/;

const logo = z
  .string()
  .transform((text, check): Logo | { shown: string } => {
    const shown = shownLogo.exec(text)?.[1];
    if (shown !== undefined) return { shown };
    const read = readLogo(text);
    if (typeof read !== 'string') return read;
    check.addIssue({ code: 'custom', message: read });
    return z.NEVER;
  })
  .meta({
    type: 'string',
    description: `An image as a data: URL in base64 (${logoTypes.join(', ')}), at most ${maxLogoBytes / 1024} KB. Answers show its path.`,
    examples: ['data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'],
  });

/** A key that is left out keeps its value. */
export const brandInput = z.object({
  name: optionalLine(100).nullable().optional(),
  color: color().nullable().optional(),
  logo: logo.nullable().optional(),
});
export type BrandInput = z.output<typeof brandInput>;
