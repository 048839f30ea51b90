// The conversation on a ticket, with its files.

import { isWithheld } from '../shared/file-scan.ts';
import { fileSize } from '../shared/file-size.ts';
import { htmlNodes } from '../shared/html-nodes.ts';
import { Icon } from '../shared/icons.tsx';
import { linkedText } from '../shared/linked-text.tsx';
import { elementsOf } from '../shared/rich-html.tsx';
import { arrived } from './fresh.ts';
import { t } from './messages.ts';
import type { ShownFile, ShownMessage } from './page-content.ts';
import { moment } from './parts.tsx';

export function Thread({ messages }: { messages: readonly ShownMessage[] }) {
  const news = arrived.value;
  return (
    <ol class="thread" id="thread" aria-label={t.conversation}>
      {messages.map((message) => messageItem(message, news.has(message.ulid)))}
    </ol>
  );
}

/** No component: the desk draws very many of them. */
function messageItem(message: ShownMessage, isNew: boolean) {
  const { ulid, author_name: name, is_automated: isAutomated, is_agent: isAgent, html, attachments } = message;
  const kind = isAutomated ? 'automated' : isAgent ? 'support' : 'own';
  const role = isAutomated ? t.automatic : isAgent ? t.fromSupport : name;
  return (
    <li key={ulid} class={`message ${kind}${isNew ? ' is-new' : ''}`} id={`m-${ulid}`}>
      <span class="face" aria-hidden="true">
        {isAutomated ? <Icon name="again" /> : initials(name) || <Icon name="person" />}
      </span>
      <div class="bubble">
        <p class="byline">
          <strong>
            <bdi>{name}</bdi>
          </strong>
          {role !== name && <span class="role">{role}</span>}
          <time dateTime={message.created_at}>{moment(message.created_at)}</time>
        </p>
        {html === null ? (
          <div class="words" dir="auto">
            {linkedText(message.body)}
          </div>
        ) : (
          <div class="rich" dir="auto">
            {elementsOf(htmlNodes(html))}
          </div>
        )}
        {attachments.length > 0 && <FileList files={attachments} name={name} />}
      </div>
    </li>
  );
}

/** Up to two letters of a name. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const [first = '', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : words;
  return `${Array.from(first)[0] ?? ''}${Array.from(last)[0] ?? ''}`.toUpperCase();
}

/** @param name whose files they are */
export function FileList({ files, name }: { files: readonly ShownFile[]; name: string }) {
  return (
    <ul class="files" aria-label={t.filesOf(name)}>
      {files.map((file) => (
        <li key={file.ulid}>{fileItem(file)}</li>
      ))}
    </ul>
  );
}

function fileItem(file: ShownFile) {
  const { url, size, content_type: type, scan } = file;
  const isHeld = isWithheld(file);
  const words: Record<string, string> = {
    waiting: t.fileWaiting,
    infected: t.fileInfected,
    unchecked: t.fileUnchecked,
  };
  const told = scan && words[scan.status];
  return (
    <a class="file" href={isHeld ? undefined : url} target="_blank" rel="noopener">
      {!isHeld && type.startsWith('image/') ? (
        <img src={`${url}&thumbnail=1`} alt="" loading="lazy" />
      ) : (
        <Icon name="clip" />
      )}
      <span class="file-text">
        <bdi class="file-name">{file.filename}</bdi>
        {told && <span class={`is-${scan.status}`}>{told}</span>}
        <span class="soft">{fileSize(size)}</span>
      </span>
    </a>
  );
}
