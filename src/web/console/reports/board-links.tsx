// The links to the live board: those that are there, a new one, and its address, which is shown once.

import { useSignal } from '@preact/signals';
import { Button, Submit } from '../../shared/button.tsx';
import { copyAnywhere } from '../../shared/copying.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { ChoiceField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { day } from '../../shared/format.ts';
import { announce, announceRefusal, SubmissionNotice } from '../../shared/notices.tsx';
import { ask } from '../../shared/signed-in.ts';
import { useForm } from '../../shared/submission.ts';
import { visibleSites } from '../session.ts';
import { useFetched } from '../shell/fetched.ts';
import { t } from './messages.ts';

interface BoardLink {
  id: number;
  name: string;
  site_ids: number[] | null;
  made_by: string | null;
  is_open: boolean;
  created_at: string;
}

export function BoardLinks({ onClose }: { onClose: () => void }) {
  const { data, reload } = useFetched<{ data: BoardLink[] }>('/reports/board-links');
  const made = useSignal<string | null>(null);
  const form = useForm({ name: '', site: 'all' });
  const sites = visibleSites.value;

  async function make(): Promise<void> {
    const { name, site } = form.values;
    if (name.trim() === '') return form.refuse({ name: t.required });
    const input = { name: name.trim(), ...(site === 'all' ? {} : { site_ids: [Number(site)] }) };
    const answer = await form.send(() => ask<{ url: string }>('POST', '/reports/board-links', input));
    if (answer === null) return;
    made.value = answer.url;
    form.change({ name: '' });
    reload();
  }

  async function revoke({ id, name }: BoardLink): Promise<void> {
    const answer = await ask('DELETE', `/reports/board-links/${id}`);
    if (!answer.isOk) return announceRefusal(answer.refusal);
    announce(t.boardRevoked(name));
    reload();
  }

  return (
    <Dialog title={t.liveBoard} onClose={onClose}>
      <Form submission={form} onSubmit={() => void make()}>
        <p class="soft">{t.boardText}</p>
        {(data.value?.data ?? []).length > 0 && (
          <ul class="board-links" aria-label={t.boardLinks}>
            {data.value?.data.map((link) => (
              <li key={link.id}>
                <div>
                  <strong>{link.name}</strong>
                  <p class="soft">
                    {link.site_ids === null ? t.boardAllSites : siteNames(link.site_ids)} · {day(link.created_at)}
                    {!link.is_open && ` · ${t.boardClosed}`}
                  </p>
                </div>
                <Button kind="quiet" label={t.revokeBoard(link.name)} onClick={() => void revoke(link)}>
                  {t.revokeLink}
                </Button>
              </li>
            ))}
          </ul>
        )}
        {made.value !== null && <MadeLink url={made.value} />}
        <SubmissionNotice submission={form} fields={['name']} />
        <TextField label={t.boardName} isProse {...form.field('name')} name="board-name" maxLength={80} />
        {sites.length > 1 && (
          <ChoiceField
            label={t.boardSites}
            {...form.field('site')}
            options={[
              { value: 'all', text: t.boardAllSites },
              ...sites.map(({ id, name }) => ({ value: String(id), text: name })),
            ]}
          />
        )}
        <div class="dialog-actions">
          <Button onClick={onClose}>{t.close}</Button>
          <Submit submission={form}>{t.makeBoardLink}</Submit>
        </div>
      </Form>
    </Dialog>
  );
}

function MadeLink({ url }: { url: string }) {
  return (
    <div class="equal-command" role="status">
      <p class="soft">{t.boardShownOnce}</p>
      <div>
        <code>{url}</code>
        <Button
          kind="quiet"
          onClick={async () => {
            if (await copyAnywhere(url)) announce(t.boardCopied);
            else announce(t.copyFailed, 'problem');
          }}
        >
          {t.copyBoard}
        </Button>
      </div>
    </div>
  );
}

function siteNames(ids: readonly number[]): string {
  return ids.map((id) => visibleSites.value.find((site) => site.id === id)?.name ?? `#${id}`).join(', ');
}
