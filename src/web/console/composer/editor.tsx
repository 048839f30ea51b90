// The composer of one ticket: what stands around the text.

import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { DraftTab } from '../../../domain/tickets/ticket.ts';
import { DropArea } from '../../shared/drop-area.tsx';
import { Icon } from '../../shared/icons.tsx';
import { announce } from '../../shared/notices.tsx';
import { TabPanel, Tabs } from '../../shared/tabs.tsx';
import { refreshCatalogue } from '../catalogue.ts';
import { useCommands } from '../commands.ts';
import { sendPresence } from '../live/presence.ts';
import { can } from '../session.ts';
import { offerUndo } from '../undo.ts';
import type { TicketDetail } from '../wire.ts';
import type { Offer } from './completion-list.tsx';
import type { Draft } from './draft-types.ts';
import { Files } from './files.tsx';
import { asFields, goesToIn } from './goes-to.ts';
import { edited, type MarkdownAction } from './markdown-edit.ts';
import { t } from './messages.ts';
import { macroOffers, offersFor, takeOffer } from './offers.ts';
import { Preview, Signature } from './preview.tsx';
import { Recipients } from './recipients.tsx';
import { SendButtons } from './send-buttons.tsx';
import { SendLater } from './send-later.tsx';
import { StagedChips } from './staged-chips.tsx';
import { TextBox, write, writtenIn } from './text-box.tsx';
import { Toolbar } from './toolbar.tsx';
import { discardUpload, startUpload, type Upload } from './uploads.ts';
import { useSending } from './use-sending.ts';
import { FileMissed, LeftDrafts, OtherVersion, SendRefused, UnseenMessages } from './warnings.tsx';

export function Editor({ ticket, draft }: { ticket: TicketDetail; draft: Draft }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const isPreview = useSignal(false);
  const isChoosingTime = useSignal(false);
  const sending = useSending(ticket, draft);
  const { tab, body, uploads, staged, fields } = draft.content.value;
  const isNote = tab === 'note';
  const canWrite = can('write');
  const label = isNote ? t.note : t.reply;
  const isEmpty = body.trim() === '' && uploads.length === 0 && staged === null && Object.keys(fields).length === 0;
  const isInUse = useInUse(frame);
  useEffect(() => {
    // Another computer may have saved a draft since the ticket was read.
    if (isInUse) void draft.refresh();
  }, [draft, isInUse]);
  const hasQuestion = draft.other.value !== null || draft.left.value.length > 0;
  const isIdle = isEmpty && !isInUse && !isPreview.value && !hasQuestion;
  const begins = isNote ? t.writeNote : t.writeReply;
  const placeholder = isIdle ? begins : isNote ? t.notePlaceholder : t.replyPlaceholder;
  const trySend = (status: 'pending' | 'resolved' | null) => void sending.trySend(status, null);

  const { change, attach, remove, discard, act, askForMacro } = useEditing(ticket, draft, {
    field,
    sending,
    isPreview,
    trySend,
  });

  return (
    <div ref={frame} class={`editor${isNote ? ' is-note' : ''}${isIdle ? ' is-idle' : ''}`}>
      <header class="editor-header">
        <Tabs
          name="composer"
          label={t.kindOfMessage}
          selected={tab}
          tabs={[
            ...(canWrite ? [{ id: 'reply' as DraftTab, text: t.reply }] : []),
            { id: 'note' as DraftTab, text: t.note },
          ]}
          onSelect={(id) => chooseTab(sending, id)}
        />
        <KeepingText draft={draft} />
        {!isEmpty && !sending.isBusy.value && (
          <button
            type="button"
            class="icon-button"
            aria-label={t.discardDraft}
            title={t.discardDraft}
            onClick={discard}
          >
            <Icon name="bin" />
          </button>
        )}
      </header>
      <TabPanel name="composer" id={tab}>
        <Recipients
          tab={tab}
          ticket={ticket}
          goesTo={goesToIn(fields)}
          onChange={(goesTo) => {
            sending.forget();
            draft.change({ fields: asFields(goesTo) });
          }}
        />
        <OtherVersion draft={draft} />
        <LeftDrafts draft={draft} author={ticket.author} />
        {!isNote && (
          <UnseenMessages
            messages={sending.unseen.value}
            isAsked={sending.isAsked.value}
            isBusy={sending.isBusy.value}
            onSeen={sending.markSeen}
            onSendAnyway={() => void sending.sendAnyway()}
          />
        )}
        <DropArea class="composer-box" hint={t.dropHere} isActive={canWrite} onFiles={attach}>
          {isPreview.value ? (
            <div class="composer-preview" tabIndex={-1}>
              <Preview source={body} signature={sending.signature.value} />
            </div>
          ) : (
            <TextBox
              field={field}
              frame={frame}
              label={label}
              placeholder={placeholder}
              value={body}
              isReadOnly={sending.isBusy.value}
              onValue={change}
              onFiles={canWrite ? attach : () => undefined}
              onSend={(isResolving) => trySend(isResolving && canWrite ? 'resolved' : null)}
              offers={(asked) => offersFor(asked, ticket.site_id, isNote)}
              onTake={(offer, asked) => {
                if (field.current !== null) void takeOffer(offer, asked, { field: field.current, ticket, draft });
              }}
            />
          )}
          {sending.signature.value !== '' && !isPreview.value && (
            <Signature text={sending.signature.value} onRemove={sending.leaveSignatureOut} />
          )}
          <Files uploads={uploads} onRemove={remove} />
          <StagedChips siteId={ticket.site_id} staged={staged} onChange={(left) => draft.change({ staged: left })} />
        </DropArea>
        {sending.isFileMissed.value && <FileMissed onSend={() => void sending.sendAnyway()} onStay={sending.forget} />}
        <p class="composer-problem" role="alert">
          {sending.problem.value}
        </p>
        <SendRefused refusal={sending.refusal.value} isWaiting={sending.isWaiting.value} />
        <footer class="editor-footer">
          <Toolbar
            isPreview={isPreview.value}
            canAttach={canWrite}
            onAction={act}
            onFiles={attach}
            onMacros={askForMacro}
            onPreview={() => {
              isPreview.value = !isPreview.value;
            }}
          />
          <SendButtons
            isNote={isNote}
            canWrite={canWrite}
            isBusy={sending.isBusy.value}
            onSend={trySend}
            onLater={() => {
              isChoosingTime.value = true;
            }}
          />
        </footer>
      </TabPanel>
      {isChoosingTime.value && (
        <SendLater
          onClose={() => {
            isChoosingTime.value = false;
          }}
          onChoose={(at) => {
            isChoosingTime.value = false;
            void sending.trySend(null, at);
          }}
        />
      )}
    </div>
  );
}

function chooseTab(sending: ReturnType<typeof useSending>, tab: DraftTab): void {
  sending.choose(tab);
  // Who is away stands beside those whom a note can mention.
  if (tab === 'note') void refreshCatalogue();
}

interface Around {
  field: RefObject<HTMLTextAreaElement | null>;
  sending: ReturnType<typeof useSending>;
  isPreview: Signal<boolean>;
  trySend: (status: 'resolved' | null) => void;
}

/** What the composer's keys, commands and buttons do to the draft. */
function useEditing(ticket: TicketDetail, draft: Draft, { field, sending, isPreview, trySend }: Around) {
  const { tab, body, uploads, staged, fields } = draft.content.value;
  const canWrite = can('write');
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void draft.refresh();
      else void draft.settle();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [draft]);
  useCommands('composer', [
    { id: 'reply', title: t.writeReply, keys: ['r'], run: () => begin('reply'), isAvailable: () => canWrite },
    { id: 'note', title: t.writeNote, keys: ['n'], run: () => begin('note') },
    {
      id: 'send',
      title: tab === 'note' ? t.addNote : t.sendIt,
      keys: ['Mod+Enter'],
      isWhileTyping: true,
      run: () => trySend(null),
      isAvailable: () => draft.content.peek().body.trim() !== '',
    },
    {
      id: 'send-resolve',
      title: tab === 'note' ? t.addNoteResolved : t.sendResolved,
      keys: ['Mod+Shift+Enter'],
      isWhileTyping: true,
      run: () => trySend('resolved'),
      isAvailable: () => canWrite && draft.content.peek().body.trim() !== '',
    },
    ...macroOffers(ticket.site_id).map((offer) => ({
      id: `macro:${offer.id}`,
      title: t.runMacro(offer.text),
      run: () => runMacro(offer),
      isAvailable: () => canWrite,
    })),
  ]);

  function runMacro(offer: Offer): void {
    begin(tab);
    setTimeout(() => {
      if (field.current === null) return;
      const { start } = writtenIn(field.current);
      const asked = { kind: 'macro', typed: '', from: start, to: start } as const;
      void takeOffer(offer, asked, { field: field.current, ticket, draft });
    });
  }

  function begin(wanted: DraftTab): void {
    isPreview.value = false;
    if (tab !== wanted) chooseTab(sending, wanted);
    // At once, so that what is typed next is text and no shortcut. A preview makes room for the text first.
    field.current?.focus();
    setTimeout(() => field.current?.focus());
  }

  function change(text: string): void {
    sending.forget();
    draft.change({ body: text });
    sendPresence(ticket.ulid, 'writing');
  }

  function attach(files: readonly File[]): void {
    sending.forget();
    const added = files.map((file) => startUpload(ticket.ulid, ticket.site_id, file, () => draft.change({})));
    draft.change({ uploads: [...draft.content.peek().uploads, ...added] });
  }

  function remove(upload: Upload): void {
    sending.forget();
    draft.change({ uploads: draft.content.peek().uploads.filter((one) => one !== upload) });
    void discardUpload(ticket.ulid, upload);
  }

  function discard(): void {
    sending.forget();
    for (const upload of uploads) void discardUpload(ticket.ulid, upload);
    draft.change({ body: '', uploads: [], staged: null, fields: {} });
    const text = t.draftDiscarded(ticket.reference);
    if (body.trim() === '' && staged === null && Object.keys(fields).length === 0) {
      // Files do not come back.
      announce(text);
      return;
    }
    offerUndo(text, () => {
      const since = draft.content.peek().body;
      draft.change({ body: [body, since].filter((text) => text.trim() !== '').join('\n\n'), tab, staged, fields });
    });
  }

  function act(action: MarkdownAction): void {
    if (field.current !== null) write(field.current, edited(writtenIn(field.current), action));
  }

  function askForMacro(): void {
    const text = field.current;
    if (text === null) return;
    const { text: before, start } = writtenIn(text);
    const isAtLineStart = /(?:^|\n)\s*$/.test(before.slice(0, start));
    const added = isAtLineStart ? '/' : '\n/';
    const caret = start + added.length;
    write(text, { text: before.slice(0, start) + added + before.slice(start), start: caret, end: caret });
  }

  return { change, attach, remove, discard, act, askForMacro };
}

/** From the first touch or focus inside until the next one outside. */
function useInUse(frame: RefObject<HTMLElement | null>): boolean {
  const isInUse = useSignal(false);
  useEffect(() => {
    const look = ({ target }: Event) => {
      isInUse.value = frame.current?.contains(target as Node) === true;
    };
    // Escape leaves the field for nothing.
    const leave = ({ target }: Event) =>
      setTimeout(() => {
        const isLeft = document.activeElement === document.body && (target as Element).matches('textarea');
        if (isLeft && !isPressed) isInUse.value = false;
      });
    let isPressed = false;
    const press = (event: Event) => {
      isPressed = event.type === 'pointerdown';
      if (isPressed) look(event);
    };
    const heard = [
      ['focusin', look],
      ['focusout', leave],
      ['pointerdown', press],
      ['pointerup', press],
    ] as const;
    for (const [name, hear] of heard) document.addEventListener(name, hear);
    return () => {
      for (const [name, hear] of heard) document.removeEventListener(name, hear);
    };
  }, []);
  return isInUse.value;
}

function KeepingText({ draft }: { draft: Draft }) {
  const kept = draft.keeping.value;
  return (
    <p class="keeping" role="status">
      {kept === 'saved' && t.draftSaved}
      {kept === 'browser' && t.draftInBrowser}
    </p>
  );
}
