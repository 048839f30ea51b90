// The files of an answer or a form: each shows its progress, and can be left out or sent again.

import { fileSize } from '../shared/file-size.ts';
import { percent } from '../shared/format.ts';
import { Icon } from '../shared/icons.tsx';
import { t } from './messages.ts';
import type { PickedFile } from './picked-files.ts';

interface FileRowsProps {
  files: readonly PickedFile[];
  onRemove: (file: PickedFile) => void;
  onRetry: (file: PickedFile) => void;
}

export function FileRows({ files, onRemove, onRetry }: FileRowsProps) {
  if (files.length === 0) return null;
  return (
    <ul class="picked" aria-label={t.filesLabel}>
      {files.map((file) => (
        <FileRow key={file.key} picked={file} onRemove={() => onRemove(file)} onRetry={() => onRetry(file)} />
      ))}
    </ul>
  );
}

function FileRow({ picked, onRemove, onRetry }: { picked: PickedFile; onRemove: () => void; onRetry: () => void }) {
  const { name, file } = picked;
  const progress = picked.progress.value;
  const problem = picked.problem.value;
  const removes = progress === null ? t.removeFile(name) : t.cancelFile(name);
  return (
    <li class={problem === null ? 'picked-file' : 'picked-file failed'}>
      <Icon name={picked.isSent.value ? 'check' : problem === null ? 'clip' : 'alert'} />
      <span class="picked-text">
        <span class="file-name" title={name}>
          <bdi>{name}</bdi>
        </span>
        {problem === null ? (
          <span class="soft">{progress === null ? fileSize(file.size) : percent(progress)}</span>
        ) : (
          <span class="field-problem" role="alert">
            {problem}
          </span>
        )}
        {progress !== null && <progress value={progress} max={1} aria-label={t.uploadingFile(name)} />}
      </span>
      {picked.mayRetry.value && (
        <button type="button" class="icon-button" aria-label={t.retryFile(name)} title={t.tryAgain} onClick={onRetry}>
          <Icon name="again" />
        </button>
      )}
      {!picked.isSent.value && (
        <button type="button" class="icon-button" aria-label={removes} title={t.remove} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}
