// Whom a site never or always hears by mail: addresses, and domains with all below them.

import { useSignal } from '@preact/signals';
import { mostListedSenders } from '../../../../domain/sites/limits.ts';
import type { Answer } from '../../../shared/api.ts';
import { bound } from '../../../shared/bound.ts';
import { Button, Submit } from '../../../shared/button.tsx';
import { TextField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { count } from '../../../shared/format.ts';
import { announceRefusal, Notice, SubmissionNotice } from '../../../shared/notices.tsx';
import { ask } from '../../../shared/signed-in.ts';
import { useForm } from '../../../shared/submission.ts';
import { can } from '../../session.ts';
import { offerUndo } from '../../undo.ts';
import { EqualCommand } from '../equal-command.tsx';
import { LastChange } from '../last-change.tsx';
import { useLiveData } from '../live-data.ts';
import { Loading } from '../loading.tsx';
import { t } from '../messages.ts';
import { SectionHead } from '../section-head.tsx';
import type { SectionProps } from '../settings-route.ts';

type Which = 'blocked_senders' | 'allowed_senders';
type Lists = Record<Which, string[]>;
interface Site {
  data: { settings: Lists };
}

export function ListedSendersSection({ site }: SectionProps) {
  const path = `/sites/${site.id}`;
  const { shown, refusal, reload } = useLiveData<{ settings: Lists }>(path);
  const lists = shown.value?.data.settings ?? null;

  /** Of the newest list: what someone else has added meanwhile stays. */
  async function change(which: Which, how: (before: readonly string[]) => string[]): Promise<Answer<Site>> {
    for (;;) {
      const newest = await ask<Site>('GET', path);
      if (!newest.isOk) return newest;
      const after = how(newest.data.data.settings[which]);
      const headers = { 'If-Match': newest.etag ?? '' };
      const answer = await ask<Site>('PATCH', path, { settings: { [which]: after } }, headers);
      if (!answer.isOk && answer.refusal.status === 412) continue;
      await reload();
      return answer;
    }
  }

  return (
    <>
      <SectionHead title={t.listedSenders} lead={t.listedSendersLead} />
      <Loading of={{ shown, refusal, reload }} />
      {!can('manage') && <Notice kind="hint">{t.onlyManagersChange}</Notice>}
      {lists !== null && (
        <>
          <List which="blocked_senders" lists={lists} change={change} />
          <List which="allowed_senders" lists={lists} change={change} />
          <LastChange
            siteId={site.id}
            actions={['site.updated']}
            targetId={site.id}
            version={shown.value?.etag ?? ''}
          />
          <EqualCommand
            words={[
              ...['helpdesk', 'site', 'update', site.slug],
              ...['--blocked-senders', lists.blocked_senders.join(',')],
              ...['--allowed-senders', lists.allowed_senders.join(',')],
            ]}
          />
        </>
      )}
    </>
  );
}

interface ListProps {
  which: Which;
  lists: Lists;
  change: (which: Which, how: (before: readonly string[]) => string[]) => Promise<Answer<Site>>;
}

/** With a field to find one, where there are many. */
const findAbove = 15;

function List({ which, lists, change }: ListProps) {
  const form = useForm(
    { sender: '' },
    ({ fields }): Record<string, string> => (Object.keys(fields).length > 0 ? { sender: t.senderRefused } : {}),
  );
  const wanted = useSignal('');
  const isBlocking = which === 'blocked_senders';
  const title = isBlocking ? t.blockedSenders : t.allowedSenders;
  const entries = lists[which];
  const shown = entries.filter((entry) => entry.includes(wanted.value.trim().toLowerCase()));
  const without = (entry: string) => (before: readonly string[]) => before.filter((one) => one !== entry);
  const withIt = (entry: string) => (before: readonly string[]) => [...new Set([...before, entry])];

  async function add(): Promise<void> {
    const entry = form.values.sender.trim();
    if (entry === '') return form.refuse({ sender: t.required });
    if (entries.length >= mostListedSenders) return form.refuse({ sender: t.sendersFull(count(mostListedSenders)) });
    const changed = await form.send(() => change(which, withIt(entry)));
    if (changed === null) return;
    // As the desk writes it.
    const added = changed.data.settings[which].find((one) => !entries.includes(one));
    if (added === undefined) return form.refuse({ sender: t.senderListed });
    form.change({ sender: '' });
    offerUndo(t.senderAdded(added), async () => said(await change(which, without(added))));
  }
  async function remove(entry: string): Promise<void> {
    const answer = await change(which, without(entry));
    if (answer.isOk) offerUndo(t.senderRemoved(entry), async () => said(await change(which, withIt(entry))));
    else announceRefusal(answer.refusal);
  }

  const isLong = entries.length > findAbove;
  return (
    <section class="listed" aria-labelledby={which}>
      <h2 id={which}>
        {title} <span class="soft">{count(entries.length)}</span>
      </h2>
      <p class="soft">{isBlocking ? t.blockedSendersLead : t.allowedSendersLead}</p>
      <div class="panel">
        {can('manage') && (
          <Form submission={form} label={title} onSubmit={() => void add()}>
            <SubmissionNotice submission={form} fields={Object.keys(form.refusal.value?.fields ?? {})} />
            <div class="with-button">
              <TextField
                label={isBlocking ? t.blockSender : t.allowSender}
                hint={t.senderHint}
                maxLength={320}
                {...form.field('sender')}
              />
              <Submit submission={form} kind="plain">
                {t.addSender}
              </Submit>
            </div>
            {isLong && <TextField label={t.findSender} name={`find-${which}`} {...bound(wanted)} />}
          </Form>
        )}
        {shown.length > 0 && (
          <ul>
            {shown.map((entry) => (
              <li key={entry}>
                <bdi title={entry}>{entry}</bdi>
                {entry.startsWith('@') && <span class="soft">{t.wholeDomain}</span>}
                {can('manage') && (
                  <Button kind="quiet" label={t.removeSender(entry)} onClick={() => void remove(entry)}>
                    {t.remove}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        {entries.length === 0 && <p class="panel-note">{isBlocking ? t.noneBlocked : t.noneAllowed}</p>}
      </div>
    </section>
  );
}

function said(answer: Answer<unknown>): void {
  if (!answer.isOk) announceRefusal(answer.refusal);
}
