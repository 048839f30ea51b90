// The files of a draft: each shows its progress, and can be cancelled, removed or tried again.

import { isWithheld } from '../../shared/file-scan.ts';
import { fileSize } from '../../shared/file-size.ts';
import { percent } from '../../shared/format.ts';
import { Icon } from '../../shared/icons.tsx';
import { t } from './messages.ts';
import type { Upload } from './uploads.ts';

export function Files({ uploads, onRemove }: { uploads: readonly Upload[]; onRemove: (upload: Upload) => void }) {
  if (uploads.length === 0) return null;
  return (
    <ul class="composer-files" aria-label={t.files}>
      {uploads.map((upload) => (
        <FileRow key={upload.key} upload={upload} onRemove={() => onRemove(upload)} />
      ))}
    </ul>
  );
}

function FileRow({ upload, onRemove }: { upload: Upload; onRemove: () => void }) {
  const { name, size } = upload;
  const attachment = upload.attachment.value;
  const problem = upload.problem.value;
  const isImage = attachment?.content_type.startsWith('image/') === true && !isWithheld(attachment);
  const isUnderWay = attachment === null && problem === null;
  return (
    <li class={problem === null ? 'composer-file' : 'composer-file failed'}>
      {isImage ? <img src={attachment.url} alt="" width={32} height={32} /> : <Icon name="clip" />}
      <span class="file-text">
        <span class="file-name" title={name}>
          <bdi>{name}</bdi>
        </span>
        {problem !== null ? (
          <span class="file-problem" role="alert">
            {problem.text}
          </span>
        ) : (
          <span class="soft">{isUnderWay ? percent(upload.progress.value) : fileSize(size)}</span>
        )}
        {isUnderWay && <progress value={upload.progress.value} max={1} aria-label={t.uploading(name)} />}
      </span>
      {problem?.mayRetry === true && (
        <button
          type="button"
          class="icon-button"
          aria-label={t.retryFile(name)}
          title={t.tryAgain}
          onClick={upload.retry}
        >
          <Icon name="again" />
        </button>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label={isUnderWay ? t.cancelFile(name) : t.removeFile(name)}
        title={isUnderWay ? t.cancel : t.remove}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}
