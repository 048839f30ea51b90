/**
 * What a ticket has whose mail came without a subject. Programs get it as it is; each reader sees it in their own language.
 */
export const noSubject = '(no subject)';

export const subjectOr = (none: string, subject: string | null): string =>
  subject && subject !== noSubject ? subject : none;
