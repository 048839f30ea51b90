// The messages of ticket lists and search.

import { subjectOr } from '../../../domain/tickets/subject.ts';
import { withoutBidi } from '../../shared/bidi.ts';
import { addMessages } from '../../shared/messages.ts';
import { catalogues } from '../messages.ts';

export const t = addMessages(catalogues.list);

export const subjectText = (subject: string | null): string => withoutBidi(subjectOr(t.noSubject, subject));
