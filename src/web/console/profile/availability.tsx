// Whether the agent is there: until when not, and what colleagues see.

import { Submit } from '../../shared/button.tsx';
import { SwitchField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { announce, SubmissionNotice } from '../../shared/notices.tsx';
import { useForm } from '../../shared/submission.ts';
import { setAvailability } from '../shell/availability.ts';
import { isAway } from '../tickets/away.ts';
import { t } from './messages.ts';
import { Section } from './section.tsx';
import { loadProfile, type Profile } from './state.ts';

/** In the browser's own time. */
function dayOf(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

export function Availability({ profile }: { profile: Profile }) {
  const { agent } = profile.session;
  const form = useForm({
    is_available: !isAway(agent),
    until: dayOf(agent.away_until),
    note: agent.away_note ?? '',
  });
  const { values } = form;

  async function send(): Promise<void> {
    const { is_available, until, note } = form.values;
    const wanted = is_available ? { is_available } : { is_available, until: untilOf(until), note: note.trim() || null };
    if ((await form.send(() => setAvailability(wanted))) === null) return;
    announce(t.saved);
    await loadProfile();
  }

  /** A time of day that the menu chose stays until the day is changed. */
  function untilOf(day: string): string | null {
    if (day === dayOf(agent.away_until)) return agent.away_until;
    return day === '' ? null : new Date(`${day}T00:00`).toISOString();
  }

  return (
    <Section id="availability" title={t.availability} lead={t.availabilityLead}>
      <Form submission={form} label={t.availability} onSubmit={() => void send()}>
        <SubmissionNotice submission={form} fields={['until', 'note']} />
        <SwitchField label={t.isThere} hint={t.isThereHint} {...form.field('is_available')} />
        {!values.is_available && (
          <div class="field-row">
            <TextField label={t.backOn} hint={t.backOnHint} type="date" {...form.field('until')} />
            <TextField label={t.awayNote} hint={t.awayNoteHint} maxLength={200} {...form.field('note')} />
          </div>
        )}
        <div class="panel-actions">
          <Submit submission={form}>{t.save}</Submit>
        </div>
      </Form>
    </Section>
  );
}
