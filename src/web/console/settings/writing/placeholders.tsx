// A field for words with variables: what each stands for, put in by a click where one writes.

import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { TextArea } from '../../../shared/field.tsx';
import { t } from './messages.ts';

interface WordsProps {
  label: string;
  name: string;
  value: string;
  problem?: string | undefined;
  rows: number;
  maxLength: number;
  variables: readonly string[];
  /** Of variables that mails do not have. */
  meanings?: Readonly<Record<string, string>>;
  hint?: string;
  onValue: (value: string) => void;
}

/** These stand on a line of their own. */
const ownLine = ['link', 'code'];

export function WordsField({ variables, meanings: further, hint = t.markdownHint, ...field }: WordsProps) {
  const id = useId();
  const caret = useRef<number | null>(null);
  const textarea = () => document.getElementById(id) as HTMLTextAreaElement | null;
  useEffect(() => {
    const at = caret.current;
    caret.current = null;
    if (at === null) return;
    textarea()?.focus();
    textarea()?.setSelectionRange(at, at);
  }, [field.value]);

  function insert(variable: string): void {
    const { selectionStart: from = field.value.length, selectionEnd: to = from } = textarea() ?? {};
    const [before, after] = [field.value.slice(0, from), field.value.slice(to)];
    const isAlone = ownLine.includes(variable);
    const open = isAlone && before !== '' && !before.endsWith('\n') ? '\n\n' : '';
    const close = isAlone && after !== '' && !after.startsWith('\n') ? '\n\n' : '';
    const put = `${open}{{${variable}}}${close}`;
    caret.current = from + put.length;
    field.onValue(before + put + after);
  }

  const meanings: Record<string, string> = {
    'site.name': t.meansSiteName,
    'ticket.reference': t.meansReference,
    link: t.meansLink,
    code: t.meansCode,
    'agent.name': t.meansAgentName,
    'agent.signature': t.meansAgentSignature,
    ...further,
  };
  return (
    <>
      <TextArea {...field} id={id} hint={hint} />
      <dl class="placeholders" aria-label={t.placeholders}>
        {variables.map((variable) => (
          <div key={variable}>
            <dt>
              <Button kind="quiet" label={t.insertPlaceholder(`{{${variable}}}`)} onClick={() => insert(variable)}>
                <code>{`{{${variable}}}`}</code>
              </Button>
            </dt>
            <dd class="soft">{meanings[variable]}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
