// The frame of every page before the agent is signed in: the mark, one column, the choice of language.

import { type ComponentChildren, type ComponentType, createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { Mark } from '../shared/icons.tsx';
import { isLanguage, language, languageNames } from '../shared/messages.ts';
import { t } from '../shared/sign-in-messages.ts';
import { chooseLanguage } from '../shared/start.tsx';

export interface FrameProps {
  title: string;
  lead?: ComponentChildren;
  children: ComponentChildren;
}

/** What surrounds the steps; a page by default, something else inside the console. */
export const Framing = createContext<ComponentType<FrameProps>>(PageFrame);

export function Frame(props: FrameProps) {
  const Around = useContext(Framing);
  return <Around {...props} />;
}

function PageFrame({ title, lead, children }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Helpdesk`;
    // Focus moves to the heading of a new step, unless a field has taken it.
    if (document.activeElement === document.body) heading.current?.focus();
  }, [title]);
  return (
    <div class="door">
      <main>
        <div class="door-card">
          <Mark />
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
          {children}
        </div>
      </main>
      <footer>
        <select
          class="quiet-select"
          aria-label={t.language}
          value={language()}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            if (isLanguage(chosen)) void chooseLanguage(chosen);
          }}
        >
          {Object.entries(languageNames).map(([value, name]) => (
            <option key={value} value={value} lang={value}>
              {name}
            </option>
          ))}
        </select>
      </footer>
    </div>
  );
}
